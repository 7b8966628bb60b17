// The first run alone, as a launch of millions of instructions has it. A barrier's word says that all have come, and in the same word it says who has
// come to the next one: who is let go looks before anybody comes there, or has heard, by chance, of all that lies between.
//
// case grid_updates expect=data-race options=--schedules=1 says=atomicAdd
// case grid_atomics expect=silent options=--schedules=1
// case grid_cleared expect=data-race options=--schedules=1
// case grid_cleared_apart expect=silent options=--schedules=1
// case counter_updates expect=data-race options=--schedules=1
// case counter_atomics expect=silent options=--schedules=1
// case added_updates expect=data-race options=--schedules=1
// case added_atomics expect=silent options=--schedules=1
// case fenced_updates expect=data-race options=--schedules=1
// case fenced_atomics expect=silent options=--schedules=1
#include <cooperative_groups.h>
#include <cstring>
#include <cuda_runtime.h>

enum { BLOCKS = 12, THREADS = 64, ROUNDS = 3 };
enum kind { GRID, COUNTER, ADDED, FENCED };

__device__ unsigned arrived;
__device__ volatile unsigned stage[BLOCKS];

template <kind KIND>
__device__ void meet(unsigned round)
{
    if (KIND == GRID) {
        cooperative_groups::this_grid().sync();
        return;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = (round + 1) * BLOCKS;
        __threadfence();
        if (KIND == FENCED) { // each block has a word of its own, and the first one looks at all
            stage[blockIdx.x] = round + 1;
            for (int b = 0; b < BLOCKS; b++)
                while (stage[b] < round + 1) {
                }
        } else {
            atomicAdd(&arrived, 1);
            if (KIND == COUNTER)
                while (*(volatile unsigned *)&arrived < all) {
                }
            else
                while (atomicAdd(&arrived, 0) < all) {
                }
        }
        __threadfence();
    }
    __syncthreads();
}

template <kind KIND, bool ATOMIC>
__global__ void sum_up(int *x, int *sum)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (unsigned round = 0; round < ROUNDS; round++) {
        x[i]++;
        meet<KIND>(2 * round);
        if (threadIdx.x == 0) {
            if (ATOMIC)
                atomicAdd(sum, x[i]);
            else
                *sum += x[i]; // grid_updates counter_updates added_updates fenced_updates
        }
        meet<KIND>(2 * round + 1);
    }
}

/** Block 0 clears what all add to. */
template <bool APART>
__global__ void clear_and_add(int *x, int *sum)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (i == 0)
            *sum = 0; // grid_cleared
        if (APART)
            meet<GRID>(0);
        if (threadIdx.x == 0)
            atomicAdd(sum, x[i]); // grid_cleared
        meet<GRID>(0);
        x[i] += *sum;
        meet<GRID>(0);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *x, *sum;
    cudaMalloc(&x, BLOCKS * THREADS * sizeof *x);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(x, 0, BLOCKS * THREADS * sizeof *x);
    cudaMemset(sum, 0, sizeof *sum);
    static const struct {
        const char *name;
        void (*kernel)(int *, int *);
    } cases[] = {
        {"grid_updates", sum_up<GRID, false>}, {"grid_atomics", sum_up<GRID, true>}, {"grid_cleared", clear_and_add<false>},
        {"grid_cleared_apart", clear_and_add<true>}, {"counter_updates", sum_up<COUNTER, false>}, {"counter_atomics", sum_up<COUNTER, true>},
        {"added_updates", sum_up<ADDED, false>}, {"added_atomics", sum_up<ADDED, true>}, {"fenced_updates", sum_up<FENCED, false>},
        {"fenced_atomics", sum_up<FENCED, true>},
    };
    for (const auto &c : cases)
        if (!strcmp(c.name, name)) {
            void *args[] = {&x, &sum};
            cudaLaunchCooperativeKernel((void *)c.kernel, BLOCKS, THREADS, args, 0, 0);
        }
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(sum);
    return 0;
}
