// A race in the library's own exchange, in shared memory that belongs to the system: no barrier of the program helps.
// arch compute_80
// case reserved_reduce expect=data-race also=missing-acquire says=tiles.of.at.most.32
// case reserved_reduce_by_hand expect=silent
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

__global__ void reduce_wide(int *out)
{
    __shared__ cg::block_tile_memory<256> own;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(own));
    out[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>()); // reserved_reduce
}

// As the advice has it.
__global__ void reduce_by_hand(int *out)
{
    __shared__ int sums[8];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    if (tile.thread_rank() == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    out[threadIdx.x] = sums[threadIdx.x / 64 * 2] + sums[threadIdx.x / 64 * 2 + 1];
}

int main(int, char **argv)
{
    int *out, got[256];
    cudaMalloc(&out, sizeof got);
    if (!strcmp(argv[1], "reserved_reduce"))
        reduce_wide<<<1, 256>>>(out);
    else
        reduce_by_hand<<<1, 256>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got[9]);
    cudaFree(out);
    return 0;
}
