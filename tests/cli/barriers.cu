// Barriers of all kinds, for the counters barrier_phases and grid_barriers: barriers WAY ROUNDS [BLOCKS]. `way` is a letter.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
namespace cg = cooperative_groups;

__device__ unsigned own[2];

// As cooperative groups has it, in a word of one's own.
__device__ void own_sync(unsigned *word)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned was = atomicAdd(word, blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1);
        while (((*(volatile unsigned *)word ^ was) & 0x80000000u) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void turns(char way, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < rounds; r++)
        if (way == 'g')
            grid.sync();
        else if (way == 'a')
            grid.barrier_wait(grid.barrier_arrive());
        else if (way == 'o')
            own_sync(own);
}

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void phases(char way, int rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier b, empty; // of `empty` no phase ends
    if (threadIdx.x == 0)
        init(&b, blockDim.x), init(&empty, blockDim.x);
    __syncthreads();
    for (int r = 0; r < rounds; r++)
        if (way == 'b')
            __syncthreads();
        else if (way == 'c')
            cg::this_cluster().sync();
        else if (way == 'm')
            b.arrive_and_wait();
        else if (way == 'n') { // another object in its place each time
            b.arrive_and_wait();
            __syncthreads();
            if (threadIdx.x == 0) {
                b.~barrier();
                init(&b, blockDim.x);
            }
            __syncthreads();
        } else if (way == 'e' && threadIdx.x > 0)
            (void)empty.arrive(), way = 'x';
}

int main(int argc, char **argv)
{
    char way = argv[1][0];
    int rounds = atoi(argv[2]), blocks = argc > 3 ? atoi(argv[3]) : 3;
    void *args[] = {&way, &rounds};
    bool grid = way == 'g' || way == 'a' || way == 'o';
    if (grid)
        cudaLaunchCooperativeKernel((void *)turns, blocks, 40, args, 0, 0);
    else
        phases<<<blocks, 40>>>(way, rounds);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return cudaGetLastError() != cudaSuccess;
}
