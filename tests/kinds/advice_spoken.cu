// What is advised where one lane signals for its warp, or waits for it; where a count is set back beside those who count; and where lanes
// of a warp meet by atomics that are no signals: the words.
//
// arch compute_90
//
// case arrives_for_warp expect=data-race says=__syncwarp...after.line.[0-9]+.and.before.line.[0-9]+
// case arrives_behind_warp expect=silent
// case arrives_for_warp_by_class expect=data-race says=__syncwarp...after.line.[0-9]+
// case arrives_behind_warp_by_class expect=silent
// case flags_for_warp expect=data-race says=__syncwarp...after.line.[0-9]+.and.before.line.[0-9]+
// case flags_behind_warp expect=silent
// case waits_for_warp expect=data-race says=__syncwarp...before.line.[0-9]+:
// case waits_before_warp expect=silent
// case both_for_warps expect=data-race says=__syncwarp...after.line.[0-9]+.*and.*__syncwarp...before.line.[0-9]+
// case both_with_warps expect=silent
// case arrives_for_warps expect=data-race says=line.[0-9]+.is.done.by.one.thread.for.several.warps
// case arrives_each_warp expect=silent
// case arrives_too_early expect=data-race nor=__syncwarp
// case reset_beside_counts expect=data-race says=before.the.launch nor=needs.atomics.on.both
// case reset_before_launch expect=silent
// case reset_by_second expect=data-race says=the.last.that.comes nor=needs.atomics.on.both
// case reset_by_last expect=silent
// case reset_in_block expect=data-race says=__syncthreads.*after.the.branch.that.begins.on.line
// case reset_in_block_apart expect=silent
// case counted_past expect=data-race also=missing-release says=__syncwarp nor=signal
// case counted_past_apart expect=silent
// case marked_beside_counts expect=data-race level=warning says=only.one.thread.write nor=__syncthreads
// case marked_by_exchange expect=silent
#include <cstdint>
#include <cstring>
#include <cuda/barrier>
#include <cuda_runtime.h>

#include "check.h"

#define VOL(x) (*(volatile int *)&(x))

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init_barrier(uint64_t *bar, int count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(count)); }
#define ARRIVE(bar) asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at(bar)) : "memory")
#define WAIT(bar, phase)                                                                                                                    \
    asm volatile("{.reg .pred p; AGAIN_%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN_%=;}" ::"r"(at(bar)), "r"(phase) : "memory")

/** The first warp stores, one lane arrives for it; the second warp waits. */
template <bool RIGHT> __global__ void arrives(int *out)
{
    __shared__ int s[32];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0)
        init_barrier(&bar, 1);
    __syncthreads();
    if (t < 32) {
        s[t] = t; // arrives_for_warp
        if (RIGHT)
            __syncwarp();
        if (t == 0)
            ARRIVE(&bar);
    } else {
        WAIT(&bar, 0);
        out[t] = s[t - 32];
    }
}

template <bool RIGHT> __global__ void arrives_class(int *out)
{
    __shared__ int s[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, 33);
    __syncthreads();
    if (t < 32) {
        s[t] = t; // arrives_for_warp_by_class
        if (RIGHT)
            __syncwarp();
        if (t == 0)
            (void)bar.arrive();
    } else {
        bar.arrive_and_wait();
        out[t] = s[t - 32];
    }
}

template <bool RIGHT> __global__ void flags(int *out)
{
    __shared__ int s[32], flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t < 32) {
        s[t] = t; // flags_for_warp
        if (RIGHT)
            __syncwarp();
        if (t == 0) {
            __threadfence_block();
            VOL(flag) = 1;
        }
    } else {
        while (VOL(flag) == 0)
            ;
        __threadfence_block();
        out[t] = s[t - 32];
    }
}

/** Each lane arrives; one lane of the second warp waits. */
template <bool RIGHT> __global__ void waits(int *out)
{
    __shared__ int s[32];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0)
        init_barrier(&bar, 32);
    __syncthreads();
    if (t < 32) {
        s[t] = t;
        ARRIVE(&bar);
    } else {
        if (t == 32)
            WAIT(&bar, 0);
        if (RIGHT)
            __syncwarp();
        out[t] = s[t - 32]; // waits_for_warp
    }
}

template <bool RIGHT> __global__ void both(int *out)
{
    __shared__ int s[32];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0)
        init_barrier(&bar, 1);
    __syncthreads();
    if (t < 32) {
        s[t] = t;
        if (RIGHT)
            __syncwarp();
        if (t == 0)
            ARRIVE(&bar);
    } else {
        if (t == 32)
            WAIT(&bar, 0);
        if (RIGHT)
            __syncwarp();
        out[t] = s[t - 32]; // both_for_warps
    }
}

/** Two warps store, one lane of one of them arrives; a third warp waits. */
template <bool RIGHT> __global__ void two_warps(int *out)
{
    __shared__ int s[64];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0)
        init_barrier(&bar, RIGHT ? 2 : 1);
    __syncthreads();
    if (t < 64) {
        s[t] = t; // arrives_for_warps
        __syncwarp();
        if (t == 0 || (RIGHT && t == 32))
            ARRIVE(&bar);
    } else {
        WAIT(&bar, 0);
        out[t] = s[t - 64] + s[t - 32];
    }
}

/** The arrival stands before the store: a barrier of the warp between the two would not do. */
__global__ void too_early(int *out)
{
    __shared__ int s[32];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0)
        init_barrier(&bar, 1);
    __syncthreads();
    if (t < 32) {
        if (t == 0)
            ARRIVE(&bar);
        s[t] = t; // arrives_too_early
    } else {
        WAIT(&bar, 0);
        out[t] = s[t - 32];
    }
}

template <bool RIGHT> __global__ void reset_first(int *count)
{
    if (!RIGHT && blockIdx.x == 0 && threadIdx.x == 0)
        *count = 0; // reset_beside_counts
    if (threadIdx.x == 0)
        atomicAdd(count, 1);
}

template <bool RIGHT> __global__ void reset_later(int *count, int *out)
{
    __shared__ int ticket;
    if (threadIdx.x == 0) {
        ticket = atomicAdd(count, 1);
        if (ticket == (RIGHT ? gridDim.x - 1 : 1))
            *count = 0; // reset_by_second
        out[blockIdx.x] = ticket;
    }
}

template <bool RIGHT> __global__ void reset_block(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0; // reset_in_block
    if (RIGHT)
        __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[threadIdx.x] = count;
}

/** Each lane takes a ticket, stores, and takes another: that makes nobody wait. */
template <bool RIGHT> __global__ void counted(int *count, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    int first = atomicAdd(count, 1);
    __threadfence_block();
    s[t] = first; // counted_past
    if (RIGHT)
        __syncwarp();
    int second = atomicAdd(count, 1);
    __threadfence_block();
    out[t] = s[t ^ 1] + second;
}

/** Marks that all set alike. That threads of a block have heard of others by the counts is nothing that a barrier would hand on. */
template <bool RIGHT> __global__ void marked(int *mark, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 3 == 0)
        out[512 + i] = atomicAdd(&out[0], 1);
    __threadfence();
    if (RIGHT)
        atomicExch(mark, 1);
    else
        *mark = 1; // marked_beside_counts
    __threadfence();
    atomicAdd(&out[0], 1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out, *count;
    CHECK(!cudaMalloc(&out, 4096) && !cudaMalloc(&count, 4) && !cudaMemset(count, 0, 4));
    bool ran = false;
#define CASE(WORD, ...)                                                                                                                     \
    if (!strcmp(name, WORD)) {                                                                                                              \
        __VA_ARGS__;                                                                                                                        \
        ran = true;                                                                                                                         \
    }
    CASE("arrives_for_warp", arrives<false><<<1, 64>>>(out))
    CASE("arrives_behind_warp", arrives<true><<<1, 64>>>(out))
    CASE("arrives_for_warp_by_class", arrives_class<false><<<1, 64>>>(out))
    CASE("arrives_behind_warp_by_class", arrives_class<true><<<1, 64>>>(out))
    CASE("flags_for_warp", flags<false><<<1, 64>>>(out))
    CASE("flags_behind_warp", flags<true><<<1, 64>>>(out))
    CASE("waits_for_warp", waits<false><<<1, 64>>>(out))
    CASE("waits_before_warp", waits<true><<<1, 64>>>(out))
    CASE("both_for_warps", both<false><<<1, 64>>>(out))
    CASE("both_with_warps", both<true><<<1, 64>>>(out))
    CASE("arrives_for_warps", two_warps<false><<<1, 96>>>(out))
    CASE("arrives_each_warp", two_warps<true><<<1, 96>>>(out))
    CASE("arrives_too_early", too_early<<<1, 64>>>(out))
    CASE("reset_beside_counts", reset_first<false><<<4, 32>>>(count))
    CASE("reset_before_launch", reset_first<true><<<4, 32>>>(count))
    CASE("reset_by_second", reset_later<false><<<4, 32>>>(count, out))
    CASE("reset_by_last", reset_later<true><<<4, 32>>>(count, out))
    CASE("reset_in_block", reset_block<false><<<1, 64>>>(out))
    CASE("reset_in_block_apart", reset_block<true><<<1, 64>>>(out))
    CASE("counted_past", counted<false><<<1, 32>>>(count, out))
    CASE("counted_past_apart", counted<true><<<1, 32>>>(count, out))
    CHECK(!cudaMemset(out, 0, 4096));
    CASE("marked_beside_counts", marked<false><<<8, 8>>>(count, out))
    CASE("marked_by_exchange", marked<true><<<8, 8>>>(count, out))
    CHECK(ran && !cudaDeviceSynchronize());
    cudaFree(out), cudaFree(count);
    return 0;
}
