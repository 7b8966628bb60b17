// The waits of libcu++ and waits by hand that look at the clock: those that end are silent, also where the time alone ends them; those that
// nobody ends are a deadlock, told within seconds. waits_for_ever_debug.cu has the same for code with -G, where the library's back-off by time stands in local
// memory.
//
// arch compute_75 compute_90
//
// case latch_right expect=silent
// case latch_never expect=deadlock
// case latch_one expect=deadlock
// case pipe_right expect=silent
// case pipe_never expect=deadlock
// case barrier_right expect=silent
// case barrier_never expect=deadlock
// case parity_right expect=silent
// case parity_never expect=deadlock
// case parity_other expect=deadlock
// case trywaitfor_right expect=silent
// case trywaitfor_never expect=deadlock
// case dbar_right expect=silent
// case dbar_never expect=deadlock
// case sem_right expect=silent
// case sem_never expect=deadlock
// case semtry_right expect=silent
// case semtry_never expect=deadlock
// case await_right expect=silent
// case await_never expect=deadlock
// case timeout_right expect=silent
// case timeout_long expect=silent
// case timeout_day expect=silent
// case backoff_never expect=deadlock
// case tries_right expect=silent
// case counts_right expect=silent
// case computes_right expect=silent
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cooperative_groups.h>

#include "check.h"

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
using block_latch = cuda::latch<cuda::thread_scope_block>;
using bar_t = cuda::barrier<cuda::thread_scope_block>;
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one(0);
__global__ void latch(int *out, int n)
{
    __shared__ alignas(block_latch) char room[sizeof(block_latch)];
    auto &l = *reinterpret_cast<block_latch *>(room);
    if (threadIdx.x == 0)
        new (room) block_latch(n);
    __syncthreads();
    out[threadIdx.x] = 1;
    l.arrive_and_wait();
    out[threadIdx.x] = 2;
}
__global__ void pipe(int *out, const int *in, int never)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    auto p = cuda::make_pipeline(block, &state);
    for (int k = 0; k < (never ? 3 : 2); k++) {
        p.producer_acquire();
        cuda::memcpy_async(block, s[k % 2], in + k * 64, sizeof(int) * 64, p);
        p.producer_commit();
    }
    for (int k = 0; k < 2; k++) {
        p.consumer_wait();
        out[threadIdx.x] = s[k][threadIdx.x ^ 33];
        p.consumer_release();
    }
}
__global__ void barrier(int *out, int n)
{
    __shared__ bar_t bar;
    if (threadIdx.x == 0)
        init(&bar, n);
    __syncthreads();
    out[threadIdx.x] = 1;
    bar.arrive_and_wait();
    out[threadIdx.x] = 2;
}
__global__ void parity(int *out, int n, bool par)
{
    __shared__ bar_t bar;
    if (threadIdx.x == 0)
        init(&bar, n);
    __syncthreads();
    (void)bar.arrive();
    bar.wait_parity(par);
    out[threadIdx.x] = 2;
}
__global__ void trywaitfor(int *out, int n)
{
    __shared__ bar_t bar;
    if (threadIdx.x == 0)
        init(&bar, n);
    __syncthreads();
    auto tok = bar.arrive();
    while (!bar.try_wait_for(std::move(tok), cuda::std::chrono::microseconds(10)))
        ;
    out[threadIdx.x] = 2;
}
using dbar_t = cuda::barrier<cuda::thread_scope_device>;
__device__ alignas(dbar_t) char droom[sizeof(dbar_t)];
__global__ void dinit(int n)
{
    new (droom) dbar_t(n);
}
__global__ void dbar(int *out)
{
    auto &b = *reinterpret_cast<dbar_t *>(droom);
    b.arrive_and_wait();
    out[blockIdx.x] = 1;
}
__global__ void sem(int *out, int go)
{
    if (blockIdx.x == 0) {
        if (go)
            one.release();
    } else {
        one.acquire();
        out[0] = 1;
    }
}
__global__ void semtry(int *out, int go)
{
    if (blockIdx.x == 0) {
        if (go)
            one.release();
    } else {
        while (!one.try_acquire_for(cuda::std::chrono::microseconds(100)))
            ;
        out[0] = 1;
    }
}
__global__ void await(int *out, int *flag, int go)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> r(*flag);
    if (blockIdx.x == 0) {
        if (go) {
            r.store(1);
            r.notify_all();
        }
    } else {
        r.wait(0);
        out[0] = 1;
    }
}
__device__ long now()
{
    long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
// right: gives up after a time
__global__ void timeout(int *out, volatile int *flag, long ns)
{
    long from = now();
    int r = 0;
    while (!*flag)
        if (now() - from > ns) {
            r = 7;
            break;
        }
    out[0] = r;
}
__global__ void backoff(int *out, volatile int *flag)
{
    long from = now();
    while (!*flag) {
        if (now() - from > 1000)
            __nanosleep(100);
        else
            __nanosleep(10);
    }
    out[0] = 1;
}
/** Right: ten tries of 10 us each, then it gives up. */
__global__ void tries(int *out, volatile int *flag)
{
    int got = 0;
    for (int i = 0; i < 10 && !got; i++) {
        long from = now();
        while (!(got = *flag) && now() - from < 10000)
            ;
    }
    out[0] = got + 7;
}
/** Right: it looks a million times, and gives up. */
__global__ void counts(int *out, volatile int *flag)
{
    int got = 0;
    for (int i = 0; i < 1000000 && !got; i++)
        got = *flag;
    out[0] = got + 7;
}
/** Right: the other warp computes for long before it signals. */
__global__ void computes(int *out, volatile int *flag)
{
    if (threadIdx.x == 0) {
        unsigned h = 1;
        for (int i = 0; i < 700000; i++)
            h = h * 1664525u + 1013904223u;
        out[1] = h;
        __threadfence();
        *flag = 1;
    } else if (threadIdx.x == 32) {
        long from = now();
        while (!*flag)
            if (now() - from > 1000)
                __nanosleep(100);
        __threadfence();
        out[0] = 1;
    }
}
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    cudaMemset(a, 0, 4096);
    cudaMemset(b, 0, 4096);
#define CASE(n, ...)                                                                                                                       \
    if (!strcmp(name, #n)) {                                                                                                               \
        __VA_ARGS__;                                                                                                                       \
    }
    CASE(latch_right, latch<<<1, 64>>>(a, 64))
    CASE(latch_never, latch<<<1, 64>>>(a, 65)) CASE(latch_one, latch<<<1, 1>>>(a, 2)) CASE(pipe_right, pipe<<<1, 64>>>(a, b, 0))
        CASE(pipe_never, pipe<<<1, 64>>>(a, b, 1)) CASE(barrier_right, barrier<<<1, 64>>>(a, 64))
            CASE(barrier_never, barrier<<<1, 64>>>(a, 65)) CASE(parity_right, parity<<<1, 64>>>(a, 64, 0))
                CASE(parity_never, parity<<<1, 64>>>(a, 65, 0)) CASE(parity_other, parity<<<1, 64>>>(a, 64, 1))
                    CASE(trywaitfor_right, trywaitfor<<<1, 64>>>(a, 64)) CASE(trywaitfor_never, trywaitfor<<<1, 64>>>(a, 65))
                        CASE(dbar_right, dinit<<<1, 1>>>(4); dbar<<<4, 1>>>(a)) CASE(dbar_never, dinit<<<1, 1>>>(5); dbar<<<4, 1>>>(a))
                            CASE(sem_right, sem<<<2, 1>>>(a, 1)) CASE(sem_never, sem<<<2, 1>>>(a, 0))
                                CASE(semtry_right, semtry<<<2, 1>>>(a, 1)) CASE(semtry_never, semtry<<<2, 1>>>(a, 0))
                                    CASE(await_right, await<<<2, 1>>>(a, b, 1)) CASE(await_never, await<<<2, 1>>>(a, b, 0))
                                        CASE(tries_right, tries<<<1, 1>>>(a, b)) CASE(counts_right, counts<<<1, 1>>>(a, b))
                                            CASE(computes_right, computes<<<1, 64>>>(a, b))
                                                CASE(timeout_right, timeout<<<1, 1>>>(a, b, 1000000))
                                                    CASE(timeout_long, timeout<<<1, 1>>>(a, b, 1000000000L))
                                                        CASE(timeout_day, timeout<<<1, 1>>>(a, b, 86400000000000L))
                                                            CASE(backoff_never, backoff<<<1, 1>>>(a, b)) cudaError_t e =
                                                                cudaDeviceSynchronize();
    CHECK(!e || e == cudaErrorLaunchTimeout); // what a deadlock ends with
    cudaFree(a), cudaFree(b);
    return 0;
}
