// Two objects that 256 threads take and let go of by counting, many times: what is heard of whom is too much to follow in each of the
// launch's many runs. Beside them the same where letting go releases nothing.
//
// arch compute_90
//
// case counted expect=silent incomplete=seen.too.much.of
// case counted_relaxed expect=missing-release says=without.a.release.that.covers.it
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

#include "check.h"

enum { BLOCKS = 4, THREADS = 64, TURNS = 20 };
using counter = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void count(int *taken, int *used, int *last, cuda::memory_order leaving)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < TURNS; i++) {
        int object = (t + i) & 1;
        counter(taken[object]).fetch_add(1, cuda::memory_order_relaxed);
        atomicAdd(&used[object], 1);
        if (counter(taken[object]).fetch_sub(1, leaving) == 1)
            atomicAdd(&last[object], 1);
    }
}

__global__ void hand_over(int *left, int *value, int *out)
{
    value[blockIdx.x * blockDim.x + threadIdx.x] = 1; // counted_relaxed
    if (counter(*left).fetch_sub(1, cuda::memory_order_relaxed) == 1)
        for (int i = 0; i < BLOCKS * THREADS; i++)
            *out += value[i];
}

int main(int argc, char **argv)
{
    int *words, all = BLOCKS * THREADS;
    CHECK(!cudaMalloc(&words, (8 + all) * sizeof(int)) && !cudaMemset(words, 0, (8 + all) * sizeof(int)));
    count<<<BLOCKS, THREADS>>>(words, words + 2, words + 4, cuda::memory_order_acq_rel);
    if (argc > 1 && !strcmp(argv[1], "counted_relaxed")) {
        CHECK(!cudaMemcpy(words + 6, &all, sizeof all, cudaMemcpyHostToDevice));
        hand_over<<<BLOCKS, THREADS>>>(words + 6, words + 8, words + 7);
    }
    CHECK(!cudaDeviceSynchronize() && !cudaFree(words));
    return 0;
}
