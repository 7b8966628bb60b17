// Cooperative groups: what each thread sees of its groups, as sums that a run prints. The numbers are those of nvcc's headers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

#define THREADS 96

template <class Group> __device__ unsigned seen(const Group &g, unsigned v)
{
    int same;
    unsigned all = g.match_all(v % 2, same);
    unsigned h = g.thread_rank() + 100 * g.size() + 7 * g.meta_group_rank() + 11 * g.meta_group_size();
    h = h * 31 + g.shfl(v, 1 % g.size());
    h = h * 31 + g.shfl_up(v, 1);
    h = h * 31 + g.shfl_down(v, 2);
    h = h * 31 + g.ballot(v % 3 == 0);
    h = h * 31 + g.any(v == 5) + 2 * g.all(v < 90);
    h = h * 31 + g.match_any(v % 4);
    h = h * 31 + all + same;
    h = h * 31 + cg::reduce(g, v, cg::plus<unsigned>());
    h = h * 31 + cg::reduce(g, v, cg::greater<unsigned>());
    h = h * 31 + cg::inclusive_scan(g, v);
    h = h * 31 + cg::exclusive_scan(g, v);
    h = h * 31 + cg::inclusive_scan(g, v, cg::bit_xor<unsigned>());
    return h;
}

// The function of the Programming Guide's that takes any group.
__device__ int sum(cg::thread_group g, int *room, int v)
{
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        room[rank] = v;
        g.sync();
        if (rank < i)
            v += room[rank + i];
        g.sync();
    }
    return v;
}

__global__ void warps(unsigned *out)
{
    unsigned i = threadIdx.x, n = 0;
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    auto inner = cg::tiled_partition<4>(warp);
    out[n++ * THREADS + i] = seen(warp, i);
    out[n++ * THREADS + i] = seen(tile, 3 * i);
    out[n++ * THREADS + i] = seen(inner, i * i);
    out[n++ * THREADS + i] = warp.shfl_xor(i, 3) + cg::group_size(tile) + cg::thread_rank(inner);
    out[n++ * THREADS + i] = seen(cg::labeled_partition(warp, i % 5), i);
    out[n++ * THREADS + i] = seen(cg::binary_partition(warp, i % 7 < 3), i);
    out[n++ * THREADS + i] = seen(cg::binary_partition(warp, true), i);
    if (i % 3 == 1)
        out[n * THREADS + i] = seen(cg::coalesced_threads(), i + 1);
    n++;
    if (i % 2)
        out[n * THREADS + i] = cg::invoke_one_broadcast(cg::coalesced_threads(), [&] { return i; });
    n++;
}

__global__ void groups(unsigned *out, const int *in)
{
    __shared__ int room[THREADS], copy[4 * THREADS];
    unsigned i = threadIdx.x + blockDim.x * threadIdx.y, n = 0;
    auto block = cg::this_thread_block();
    cg::thread_group part = cg::tiled_partition(block, 16);
    out[n++ * THREADS + i] = sum(block, room, i);
    out[n++ * THREADS + i] = sum(part, room + i / 16 * 16, i) + part.size() + part.thread_rank();
    out[n++ * THREADS + i] = block.size() + block.thread_rank() + block.group_index().x + block.thread_index().y + block.dim_threads().x + block.group_dim().y;
    room[i] = i;
    auto token = block.barrier_arrive();
    block.barrier_wait(static_cast<decltype(token) &&>(token));
    out[n++ * THREADS + i] = room[THREADS - 1 - i];
    cg::memcpy_async(block, copy, in, sizeof copy);
    cg::wait(block);
    out[n++ * THREADS + i] = copy[i] + copy[4 * THREADS - 1 - i];
    cg::sync(block);
    cg::memcpy_async(block, (int4 *)copy, (const int4 *)in + 1, sizeof copy - 64);
    cg::memcpy_async(block, room, in + 7, sizeof room);
    cg::wait_prior<1>(block);
    out[n++ * THREADS + i] = copy[i];
    cg::wait(block);
    out[n++ * THREADS + i] = room[THREADS - 1 - i];
}

__global__ void whole_grid(unsigned *out)
{
    auto grid = cg::this_grid();
    out[grid.thread_rank()] = grid.size() + grid.num_blocks() + grid.dim_blocks().x + grid.block_index().x;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(static_cast<decltype(token) &&>(token));
    unsigned other = out[grid.size() - 1 - grid.thread_rank()];
    grid.sync();
    out[grid.thread_rank()] += other * grid.block_rank();
}

__global__ void cluster(unsigned *out)
{
    __shared__ unsigned mine[16];
    auto all = cg::this_cluster();
    mine[threadIdx.x] = 10 * all.thread_rank() + all.block_index().x + all.dim_blocks().x + all.num_blocks();
    all.sync();
    unsigned *next = all.map_shared_rank(mine, (all.block_rank() + 1) % all.num_blocks());
    out[blockIdx.x * blockDim.x + threadIdx.x] = next[threadIdx.x] + 1000 * all.query_shared_rank(next) + all.num_threads() + all.dim_threads().x + all.thread_index().x;
    auto token = all.barrier_arrive();
    all.barrier_wait(static_cast<decltype(token) &&>(token));
}

static unsigned *out;

static void told(const char *name, unsigned rows, unsigned columns)
{
    static unsigned host[16 * THREADS];
    cudaError_t error = cudaDeviceSynchronize();
    if (error)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    cudaMemcpy(host, out, rows * columns * sizeof *host, cudaMemcpyDeviceToHost);
    cudaMemset(out, 0, sizeof host);
    for (unsigned r = 0; r < rows; r++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < columns; i++)
            sum = sum * 33 + host[r * columns + i];
        printf("%s %u: %08x\n", name, r, sum);
    }
}

int main()
{
    int *in, host[4 * THREADS], four = 64;
    for (int i = 0; i < 4 * THREADS; i++)
        host[i] = i * i;
    cudaMalloc(&out, 16 * THREADS * sizeof *out);
    cudaMemset(out, 0, 16 * THREADS * sizeof *out);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    warps<<<1, THREADS>>>(out);
    told("warps", 9, THREADS);
    groups<<<1, dim3(48, 2)>>>(out, in);
    told("groups", 7, THREADS);
    void *arguments[] = {&out};
    cudaLaunchCooperativeKernel(whole_grid, dim3(4, 2), dim3(four), arguments);
    told("grid", 1, 8 * 64);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(8);
    config.blockDim = dim3(16);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, cluster, out);
    told("cluster", 1, 8 * 16);
    cudaFree(in);
    cudaFree(out);
}
