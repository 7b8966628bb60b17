// NVIDIA's atomicAdd() of bfloat16 is a compare-and-swap loop before sm_90, begun by a plain look: in the header that is no finding.
#include <cuda_bf16.h>

#include "judge.cuh"

#define PLACE ((__nv_bfloat16 *)y)
#define PAIR ((__nv_bfloat162 *)y)
#define ONE __float2bfloat16(1.0f)

// case: bfloat_adds grid=3 block=32 expect=silent
KERNEL(bfloat_adds)
{
    atomicAdd(PLACE, ONE);
}

// case: bfloat_adds_neighbours grid=2 block=64 expect=silent
KERNEL(bfloat_adds_neighbours)
{
    atomicAdd(&PLACE[TID & 1], ONE);
}

// case: bfloat_adds_pairs grid=3 block=32 expect=silent
KERNEL(bfloat_adds_pairs)
{
    atomicAdd(PAIR, __nv_bfloat162(ONE, ONE));
}

// case: bfloat_adds_in_turn grid=2 block=32 expect=silent
KERNEL(bfloat_adds_in_turn)
{
    for (int i = 0; i < 4; i++)
        atomicAdd(&PLACE[(TID + i) % 8], ONE);
}

// case: bfloat_adds_shared grid=1 block=96 expect=silent
KERNEL(bfloat_adds_shared)
{
    __shared__ __nv_bfloat16 sum;
    if (TID == 0)
        sum = __float2bfloat16(0.0f);
    __syncthreads();
    atomicAdd(&sum, ONE);
    __syncthreads();
    if (TID == 0)
        PLACE[0] = sum;
}

// case: bfloat_adds_shared_early grid=1 block=96 expect=data-race
KERNEL(bfloat_adds_shared_early)
{
    __shared__ __nv_bfloat16 sum;
    if (TID == 0)
        sum = __float2bfloat16(0.0f);
    __syncthreads();
    atomicAdd(&sum, ONE); /* @1 */
    if (TID == 0)
        PLACE[0] = sum; /* @1 */
}

// case: bfloat_added_and_stored grid=2 block=32 expect=data-race
KERNEL(bfloat_added_and_stored)
{
    if (BID == 0)
        atomicAdd(PLACE, ONE); /* @1 */
    else if (TID == 0)
        PLACE[0] = ONE; /* @1 */
}

/** The program's own loop, as the header has it: here another load can be written. */
// case: bfloat_own_look grid=3 block=32 expect=data-race
KERNEL(bfloat_own_look)
{
    unsigned *word = (unsigned *)y, old = *word, assumed; /* @1 */
    do {
        assumed = old;
        __nv_bfloat162 sum = __hadd2(*(__nv_bfloat162 *)&assumed, __nv_bfloat162(ONE, ONE));
        old = atomicCAS(word, assumed, *(unsigned *)&sum); /* @1 */
    } while (old != assumed);
}

// case: bfloat_own_volatile grid=3 block=32 expect=silent
KERNEL(bfloat_own_volatile)
{
    unsigned *word = (unsigned *)y, old = VOL(*word), assumed;
    do {
        assumed = old;
        __nv_bfloat162 sum = __hadd2(*(__nv_bfloat162 *)&assumed, __nv_bfloat162(ONE, ONE));
        old = atomicCAS(word, assumed, *(unsigned *)&sum);
    } while (old != assumed);
}
