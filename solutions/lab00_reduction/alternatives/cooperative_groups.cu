// The same with the words of cooperative groups.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int tree_sum(int value)
{
    __shared__ int shared[32];
    cg::thread_block block = cg::this_thread_block();
    if (block.size() % 32 != 0 || block.size() == 32) { // a part of a warp: no tile of 32
        __shared__ int all[1024];
        all[threadIdx.x] = value;
        for (unsigned active = block.size(); active > 1; active = (active + 1) / 2) {
            block.sync();
            if (threadIdx.x + (active + 1) / 2 < active)
                all[threadIdx.x] += all[threadIdx.x + (active + 1) / 2];
        }
        block.sync();
        return all[0];
    }
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int sum = cg::reduce(warp, value, cg::plus<int>());
    if (warp.thread_rank() == 0)
        shared[warp.meta_group_rank()] = sum;
    block.sync();
    sum = 0;
    for (unsigned i = 0; i < warp.meta_group_size(); i++)
        sum += shared[i];
    return sum;
}

__device__ int thread_sum(const int *in, unsigned n)
{
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    return sum;
}

extern "C" __global__ void block_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(threadIdx.x < n ? in[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *out = sum;
}

extern "C" __global__ void grid_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
