// A warp of the first block polls a place for each of the others, which wait for its answer. Its turns are not looks at one place, and must not
// keep the others from theirs: two that never signal are a deadlock, seen within some million instructions.
//
// case two_missing expect=deadlock also=leak options=--step-limit=20000000
// case all_there expect=silent options=--step-limit=20000000
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { BLOCKS = 300, ROUNDS = 3 };

__global__ void gather(volatile unsigned *signal, bool missing)
{
    for (int round = 0; round < ROUNDS; round++) {
        __threadfence();
        if (blockIdx.x && !threadIdx.x) {
            if (!missing || blockIdx.x < BLOCKS - 2) {
                signal[blockIdx.x] = 1;
                while (signal[blockIdx.x] == 1) // two_missing
                    ;
            }
        } else if (!blockIdx.x) {
            for (unsigned b = threadIdx.x + 1; b < BLOCKS; b += blockDim.x)
                while (signal[b] == 0)
                    ;
            __syncthreads();
            for (unsigned b = threadIdx.x + 1; b < BLOCKS; b += blockDim.x)
                signal[b] = 0;
        }
        __threadfence();
    }
}

int main(int argc, char **argv)
{
    unsigned *signal;
    CHECK(argc == 2 && !cudaMalloc(&signal, BLOCKS * sizeof *signal) && !cudaMemset(signal, 0, BLOCKS * sizeof *signal));
    const bool missing = !strcmp(argv[1], "two_missing");
    gather<<<BLOCKS, 32>>>(signal, missing);
    CHECK(!cudaDeviceSynchronize() == !missing);
    CHECK(missing || !cudaFree(signal));
    return 0;
}
