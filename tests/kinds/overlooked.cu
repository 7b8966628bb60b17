// A kernel without its second barrier, whose accesses meet a conflict at nearly each turn: after a million of them its later blocks are
// overlooked, and that is said. What other kernels do wrong is told as before, and a few blocks are looked at to their end.
//
// case flood expect=data-race incomplete=million.conflicts
// case trickle expect=data-race complete
// case flood_before expect=data-race incomplete=million.conflicts says=between.line
// case right expect=silent complete
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { THREADS = 256, TURNS = 64, MANY = 60 };

__global__ void sums(const int *in, int *out, bool waits)
{
    __shared__ int tile[THREADS];
    int sum = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        tile[threadIdx.x] = in[turn] + threadIdx.x; // flood trickle flood_before
        __syncthreads();
        for (int i = 0; i < 32; i += 4)
            sum += tile[(threadIdx.x + i) % THREADS]; // flood trickle flood_before
        if (waits)
            __syncthreads();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void neighbours(int *out)
{
    __shared__ int own[THREADS];
    own[threadIdx.x] = threadIdx.x; // flood_before
    out[threadIdx.x] = own[(threadIdx.x + 1) % THREADS]; // flood_before
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *in, *out, blocks = strcmp(name, "trickle") ? MANY : 2;
    CHECK(cudaMalloc(&in, TURNS * sizeof *in) == cudaSuccess);
    CHECK(cudaMalloc(&out, MANY * THREADS * sizeof *out) == cudaSuccess);
    CHECK(cudaMemset(in, 0, TURNS * sizeof *in) == cudaSuccess);
    sums<<<blocks, THREADS>>>(in, out, !strcmp(name, "right"));
    if (!strcmp(name, "flood_before"))
        neighbours<<<1, THREADS>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaFree(in) == cudaSuccess);
    CHECK(cudaFree(out) == cudaSuccess);
    return 0;
}
