// nvcc: -std=c++17 -w -arch=compute_80
// libcu++'s barrier and pipeline and cooperative groups' memcpy_async as they are built for compute capability 8.0:
// with mbarrier and cp.async. Each kernel turns tiles of 128 numbers round.
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include "check.cuh"
namespace cg = cooperative_groups;
__global__ void bar(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int x[128];
    if (threadIdx.x == 0) init(&b, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&x[threadIdx.x], &in[threadIdx.x], sizeof(int), b);
    b.arrive_and_wait();
    out[threadIdx.x] = x[127 - threadIdx.x];
}
__global__ void pipe(const int *in, int *out) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
    __shared__ int x[2][128];
    auto block = cg::this_thread_block();
    auto p = cuda::make_pipeline(block, &st);
    for (int i = 0; i < 4; i++) {
        p.producer_acquire();
        cuda::memcpy_async(block, x[i & 1], in + 128 * i, sizeof(int) * 128, p);
        p.producer_commit();
        p.consumer_wait();
        out[128 * i + threadIdx.x] = x[i & 1][127 - threadIdx.x];
        p.consumer_release();
    }
}
__global__ void coop(const int *in, int *out) {
    __shared__ int x[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, x, in, cuda::aligned_size_t<16>(sizeof x));
    cg::wait(block);
    out[threadIdx.x] = x[127 - threadIdx.x];
}
__global__ void thr(const int *in, int *out) {
    __shared__ int x[128];
    auto p = cuda::make_pipeline();
    p.producer_acquire();
    cuda::memcpy_async(&x[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), p);
    p.producer_commit();
    p.consumer_wait();
    __syncthreads();
    out[threadIdx.x] = x[127 - threadIdx.x];
    p.consumer_release();
}

enum { TILE = 128, TILES = 4, COUNT = TILE * TILES };

static void expect_reversed(void (*kernel)(const int *, int *), int tiles)
{
    int host[COUNT], *in, *out;
    for (int i = 0; i < COUNT; i++)
        host[i] = 3 * i + 1;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMalloc(&out, sizeof host));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaMemset(out, 0, sizeof host));
    kernel<<<1, TILE>>>(in, out);
    OK(cudaGetLastError());
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < tiles * TILE; i++)
        CHECK(host[i] == 3 * (i / TILE * TILE + TILE - 1 - i % TILE) + 1);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    expect_reversed(bar, 1);
    expect_reversed(pipe, TILES);
    expect_reversed(coop, 1);
    expect_reversed(thr, 1);
    puts("async_libcu ok");
    return 0;
}
