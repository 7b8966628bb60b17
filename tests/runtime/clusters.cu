// nvcc: -std=c++17 -arch=compute_90
// Clusters as CUDA's guides use them: a histogram whose bins lie spread over the blocks' shared memory, a sum over a
// cluster, a ring of blocks that hand values on, blocks of a cluster in three dimensions, and graphs of such launches.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <vector>

#include "check.cuh"
namespace cg = cooperative_groups;

enum { BINS = 1024, CLUSTER = 4, THREADS = 128 };

/* Each block of the cluster holds a part of the bins; all threads add where a bin lies. */
__global__ void histogram(int *bins, int per_block, const int *in, size_t n)
{
    extern __shared__ int part[];
    auto cluster = cg::this_cluster();
    int first = (int)cluster.block_rank() * per_block;
    for (int i = (int)threadIdx.x; i < per_block; i += (int)blockDim.x)
        part[i] = 0;
    cluster.sync();
    for (size_t i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().num_threads()) {
        int bin = in[i];
        atomicAdd(cluster.map_shared_rank(part, bin / per_block) + bin % per_block, 1);
    }
    cluster.sync();
    for (int i = (int)threadIdx.x; i < per_block; i += (int)blockDim.x)
        atomicAdd(&bins[first + i], part[i]);
}

/* One sum a cluster: each block's in its own shared memory, the first block collects them. */
__global__ void __cluster_dims__(CLUSTER, 1, 1) sums(int *out, const int *in)
{
    __shared__ int warps[THREADS / 32], sum;
    auto cluster = cg::this_cluster();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = cg::reduce(warp, in[blockIdx.x * THREADS + threadIdx.x], cg::plus<int>());
    if (warp.thread_rank() == 0)
        warps[warp.meta_group_rank()] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w : warps)
            sum += w;
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32) {
        int all = threadIdx.x < cluster.num_blocks() ? *cluster.map_shared_rank(&sum, threadIdx.x) : 0;
        all = cg::reduce(warp, all, cg::plus<int>());
        if (threadIdx.x == 0)
            out[blockIdx.x / CLUSTER] = all;
    }
    cluster.sync();
}

/* Values go round: stores to the next block, with the barrier's halves around work of one's own. */
__global__ void __cluster_dims__(CLUSTER, 1, 1) ring(int *out)
{
    __shared__ int box[2][THREADS];
    auto cluster = cg::this_cluster();
    int v = 1000 * (int)blockIdx.x + (int)threadIdx.x, own = 0;
    int *next[2];
    for (int i = 0; i < 2; i++)
        next[i] = cluster.map_shared_rank(box[i], (cluster.block_rank() + 1) % CLUSTER);
    cluster.sync();
    for (int step = 0; step < CLUSTER; step++) {
        next[step & 1][threadIdx.x] = v;
        auto token = cluster.barrier_arrive();
        own += step;
        cluster.barrier_wait(std::move(token));
        v = box[step & 1][threadIdx.x];
    }
    cluster.sync();
    out[blockIdx.x * THREADS + threadIdx.x] = v + own;
}

/* A flag in another block's shared memory, at cluster scope of libcu++. */
__global__ void __cluster_dims__(2, 1, 1) message(int *out)
{
    __shared__ int data, flag;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        flag = 0;
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {
        *cluster.map_shared_rank(&data, 1) = 41 + (int)blockIdx.x;
        cuda::atomic_ref<int, cuda::thread_scope_device>(*cluster.map_shared_rank(&flag, 1)).store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 0 && cluster.block_rank() == 1) {
        cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
        while (!f.load(cuda::memory_order_acquire))
            ;
        out[blockIdx.x / 2] = data;
    }
    cluster.sync();
}

__global__ void corners(int *out)
{
    auto cluster = cg::this_cluster();
    __shared__ int rank;
    rank = (int)cluster.block_rank();
    cluster.sync();
    int sum = 0;
    for (unsigned i = 0; i < cluster.num_blocks(); i++)
        sum += *cluster.map_shared_rank(&rank, i);
    dim3 at = cluster.block_index(), size = cluster.dim_blocks();
    int block = (int)(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    out[block] = 1000 * sum + (int)(at.x + size.x * (at.y + size.y * at.z));
    cluster.sync();
}

template <typename... A>
static cudaError_t launch(void (*k)(A...), dim3 grid, dim3 block, dim3 cluster, size_t shared, cudaStream_t s, A... args)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim = {cluster.x, cluster.y, cluster.z};
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = shared;
    c.stream = s;
    c.attrs = &a;
    c.numAttrs = 1;
    return cudaLaunchKernelEx(&c, k, args...);
}

static void test_histogram()
{
    std::vector<int> in(20000), want(BINS), got(BINS);
    unsigned x = 1;
    for (int &v : in)
        v = (int)((x = x * 1664525 + 1013904223) >> 8) % BINS, want[v]++;
    int *d, *bins;
    OK(cudaMalloc(&d, in.size() * 4));
    OK(cudaMalloc(&bins, BINS * 4));
    OK(cudaMemcpy(d, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
    for (int size : {1, 2, 4, 8}) {
        OK(cudaMemset(bins, 0, BINS * 4));
        OK(launch(histogram, 16, THREADS, size, BINS / size * 4, 0, bins, BINS / size, (const int *)d, in.size()));
        OK(cudaMemcpy(got.data(), bins, BINS * 4, cudaMemcpyDeviceToHost));
        CHECK(got == want);
    }
    OK(cudaFree(d));
    OK(cudaFree(bins));
}

static void test_sums()
{
    const int blocks = 24;
    std::vector<int> in(blocks * THREADS), want(blocks / CLUSTER), got(blocks / CLUSTER), round(blocks * THREADS);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (int)(i * 7 % 1000), want[i / (THREADS * CLUSTER)] += in[i];
    int *d, *out;
    OK(cudaMalloc(&d, in.size() * 4));
    OK(cudaMalloc(&out, in.size() * 4));
    OK(cudaMemcpy(d, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
    sums<<<blocks, THREADS>>>(out, d);
    OK(cudaGetLastError());
    OK(cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(got == want);
    ring<<<blocks, THREADS>>>(out);
    OK(cudaMemcpy(round.data(), out, round.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks * THREADS; i++)
        CHECK(round[i] == 1000 * (i / THREADS) + i % THREADS + CLUSTER * (CLUSTER - 1) / 2);
    message<<<8, 32>>>(out);
    OK(cudaMemcpy(got.data(), out, 16, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        CHECK(got[i] == 41 + 2 * i);
    OK(cudaFree(d));
    OK(cudaFree(out));
}

static void test_corners()
{
    int *out, v[64];
    OK(cudaMalloc(&out, sizeof v));
    OK(launch(corners, dim3(4, 4, 4), 1, dim3(2, 1, 4), 0, 0, out));
    OK(cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost));
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                CHECK(v[x + 4 * (y + 4 * z)] == 28000 + x % 2 + 2 * (z % 4));

    /* The same from a graph, which keeps the attribute. */
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaMemset(out, 0, sizeof v));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(launch(corners, dim3(4, 4, 4), 1, dim3(4, 1, 1), 0, s, out));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        CHECK(v[i] == 6000 + i % 4);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(out));
}

int main()
{
    test_histogram();
    test_sums();
    test_corners();
    puts("clusters ok");
    return 0;
}
