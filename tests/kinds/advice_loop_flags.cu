// What a finding advises where a block goes round until one of its threads sets a flag, and where one thread gives a lock back for all.
//
// case turn_waited expect=data-race also=barrier-divergence says=after.line.[0-9]+.and.before.the.branch.on.line nor=atomic|before.the.loop.comes
// case turn_waited_apart expect=silent
// case tried_again expect=data-race also=barrier-divergence says=after.line.[0-9]+.and.before.the.branch.on.line nor=atomic|before.the.loop.comes
// case tried_again_apart expect=silent
// case claimed_by_all expect=data-race says=an.atomic.on.line.[0-9]+|atomic.on.lines
// case claimed_by_one expect=silent
// case next_by_two_ways expect=data-race also=barrier-divergence says=before.the.branch.on.line|does.not.join nor=before.the.loop.comes
// case next_by_two_ways_apart expect=silent
// case given_early expect=data-race says=__syncthreads.*after.line.[0-9]+,.reached.by.all.threads,.before.a.thread.signals nor=without.the.lock
// case given_late expect=silent
#include <cstring>
#include <cuda_runtime.h>

/** A lock by tickets: all look at the flag, which one of them sets. */
template <bool right>
__global__ void turns(unsigned *tickets, unsigned *turn, int *sum)
{
    __shared__ unsigned mine;
    __shared__ bool have;
    if (threadIdx.x == 0) {
        mine = atomicInc(tickets, 1000);
        have = false;
    }
    __syncthreads();
    while (!have) { // turn_waited
        if (right)
            __syncthreads();
        if (threadIdx.x == 0) {
            unsigned now = *(volatile unsigned *)turn;
            if (now == mine) {
                __threadfence();
                have = true;
            }
        }
        __syncthreads();
    }
    sum[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicInc(turn, 1000);
    }
}

/** The same, and who has to try again waits a while, behind a look of its own. */
template <bool right>
__global__ void tries(unsigned *lock, int *sum, int pause)
{
    __shared__ int done;
    if (threadIdx.x == 0)
        done = 0;
    __syncthreads();
    while (!done) { // tried_again
        if (right)
            __syncthreads();
        if (threadIdx.x == 0) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                done = 1;
            } else {
                pause += 5;
            }
        }
        __syncthreads();
        if (!done) {
            for (int i = 0; i < pause; i++)
                __nanosleep(1);
            __syncthreads();
        }
    }
    sum[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
}

/** Whoever comes first is to do it: here all may find that nobody has. */
template <bool right>
__global__ void claims(int *out)
{
    __shared__ int taken;
    if (threadIdx.x == 0)
        taken = 0;
    __syncthreads();
    if (right) {
        if (atomicExch(&taken, 1) == 0)
            *out += 1;
    } else if (!taken) { // claimed_by_all
        taken = 1;
        out[threadIdx.x] += 1;
    }
}

/** Work is fetched by one thread for all, on two lines. Who looks late goes the other way, and then meets the others at the wrong barrier. */
template <bool right>
__global__ void fetches(unsigned *head, int *out, int all)
{
    __shared__ int next, done;
    if (threadIdx.x == 0)
        next = atomicAdd(head, 1);
    __syncthreads();
    while (next < all) { // next_by_two_ways
        int mine = next;
        if (right)
            __syncthreads();
        if (mine % 4 == 0) {
            if (threadIdx.x == 0)
                next = atomicAdd(head, 1);
            __syncthreads();
            continue;
        }
        if (threadIdx.x == 0)
            done = mine % 3;
        __syncthreads();
        for (int i = done; i < 3; i++)
            out[(blockIdx.x * 64 + mine) * 32 + threadIdx.x] += i;
        if (threadIdx.x == 0)
            next = atomicAdd(head, 1);
        __syncthreads();
    }
}

/** A count of readers, or one writer, behind a lock. Who has to wait says so, all threads of the block, and one of them gives the lock back: before the
 *  others are done, where nothing joins them. As compiled, what looks at that stands behind the code that writes it. */
template <bool right>
__device__ bool enters(unsigned *words, bool writer, unsigned most)
{
    unsigned *count = words, *lock = words + 1, *waiting = words + 2;
    __shared__ bool taken, entered;
    __syncthreads();
    if (threadIdx.x == 0) {
        taken = false;
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            taken = true;
        }
    }
    __syncthreads();
    if (!taken)
        return false;
    if (threadIdx.x == 0) {
        entered = false;
        unsigned now = count[0];
        if (writer) {
            if (now == most)
                entered = true;
        } else if (waiting[0] == 0 && now > 1) {
            entered = true;
        }
    }
    __syncthreads();
    if (!entered) {
        if (writer && (threadIdx.x == (right ? 0 : 1)))
            waiting[0] = 1; // given_early
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(lock, 0);
        }
        __syncthreads();
        return false;
    }
    if (threadIdx.x == 0) {
        count[0] -= writer ? most : 1;
        if (writer)
            waiting[0] = 0;
        __threadfence();
        atomicExch(lock, 0);
    }
    __syncthreads();
    return true;
}

template <bool right>
__global__ void guarded(unsigned *words, int *out, unsigned most)
{
    unsigned *count = words, *lock = words + 1;
    bool writer = blockIdx.x == 0;
    while (!enters<right>(words, writer, most))
        __syncthreads();
    if (writer)
        out[threadIdx.x] += 1;
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) == 1)
            ;
        __threadfence();
        count[0] += writer ? most : 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    unsigned *words;
    int *out;
    cudaMalloc(&words, 64 * sizeof *words);
    cudaMemset(words, 0, 64 * sizeof *words);
    unsigned count = 4;
    cudaMemcpy(words, &count, sizeof count, cudaMemcpyHostToDevice);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMemset(out, 0, 4096 * sizeof *out);
#define CASE(n) else if (!strcmp(name, #n))
    if (!*name)
        return 2;
    CASE(turn_waited) turns<false><<<4, 32>>>(words + 2, words + 3, out);
    CASE(turn_waited_apart) turns<true><<<4, 32>>>(words + 2, words + 3, out);
    CASE(tried_again) tries<false><<<4, 32>>>(words + 1, out, 1);
    CASE(tried_again_apart) tries<true><<<4, 32>>>(words + 1, out, 1);
    CASE(claimed_by_all) claims<false><<<1, 32>>>(out);
    CASE(claimed_by_one) claims<true><<<1, 32>>>(out);
    CASE(next_by_two_ways) fetches<false><<<2, 32>>>(words, out, 60);
    CASE(next_by_two_ways_apart) fetches<true><<<2, 32>>>(words, out, 60);
    CASE(given_early) guarded<false><<<4, 32>>>(words, out, 4);
    CASE(given_late) guarded<true><<<4, 32>>>(words, out, 4);
    else
        return 2;
    cudaDeviceSynchronize();
    cudaFree(words);
    cudaFree(out);
    return 0;
}
