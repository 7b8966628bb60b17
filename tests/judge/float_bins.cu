// A histogram of floats, whose sums hang on the order in their last digits, so that the launch is run again in other orders: nobody uses what its
// atomics return, in these runs either.
#include "judge.cuh"

#define SUM ((float *)x)

/** Every thread clears two bins of its block and adds to four. */
#define FILL(between)                                                                              \
    __shared__ float bin[128];                                                                     \
    bin[TID] = bin[TID + 64] = 0; /* @1 */                                                         \
    between;                                                                                       \
    for (unsigned i = 0; i < 4; i++)                                                               \
        atomicAdd(&bin[(TID * 7 + i * 31) & 127], (float)i + 0.1f) /* @2 */

// case: float_bins_right grid=12 block=64 expect=silent
KERNEL(float_bins_right)
{
    FILL(__syncthreads());
    __syncthreads();
    atomicAdd(&SUM[TID], bin[TID]);
    atomicAdd(&SUM[TID + 64], bin[TID + 64]);
}

// case: float_bins_read_early grid=12 block=64 expect=data-race
KERNEL(float_bins_read_early)
{
    FILL(__syncthreads());
    atomicAdd(&SUM[TID], bin[TID]);
    atomicAdd(&SUM[TID + 64], bin[TID + 64]);
}

// case: float_bins_cleared_late grid=12 block=64 expect=data-race
KERNEL(float_bins_cleared_late)
{
    FILL((void)0);
    __syncthreads();
    atomicAdd(&SUM[TID], bin[TID]);
    atomicAdd(&SUM[TID + 64], bin[TID + 64]);
}

// case: float_bins_block_scope grid=12 block=64 expect=data-race
KERNEL(float_bins_block_scope)
{
    FILL(__syncthreads());
    __syncthreads();
    atomicAdd_block(&SUM[TID], bin[TID]);
    atomicAdd_block(&SUM[TID + 64], bin[TID + 64]);
}

// case: float_bins_sum_read grid=12 block=64 expect=data-race
KERNEL(float_bins_sum_read)
{
    FILL(__syncthreads());
    __syncthreads();
    atomicAdd(&SUM[TID], bin[TID]);
    y[GID] = SUM[TID] > 1;
}

// Who is last leaves its value; what was there before is of no use to anybody.
// case: float_bins_exchanged grid=12 block=64 expect=silent
KERNEL(float_bins_exchanged)
{
    FILL(__syncthreads());
    __syncthreads();
    atomicExch(&SUM[TID], bin[TID]);
}

// One thread of the last block to come reads what all have added: who comes last is heard by the ticket alone.
// case: float_bins_last grid=12 block=64 expect=silent
KERNEL(float_bins_last)
{
    __shared__ bool last;
    FILL(__syncthreads());
    __syncthreads();
    atomicAdd(&SUM[TID], bin[TID]);
    __threadfence();
    __syncthreads();
    if (TID == 0) {
        last = atomicAdd(&flag[0], 1) == GRID - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        y[TID] = SUM[TID] > 1;
}

// case: float_bins_last_unfenced grid=12 block=64 expect=missing-release also=data-race,missing-acquire
KERNEL(float_bins_last_unfenced)
{
    __shared__ bool last;
    FILL(__syncthreads());
    __syncthreads();
    atomicAdd(&SUM[TID], bin[TID]);
    __syncthreads();
    if (TID == 0)
        last = atomicAdd(&flag[0], 1) == GRID - 1;
    __syncthreads();
    if (last)
        y[TID] = SUM[TID] > 1;
}
