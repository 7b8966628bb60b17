// nvcc: -std=c++17 -w -arch=compute_90
// Bulk copies as programs get them: <cuda/ptx>, cuda::device::memcpy_async_tx, and cuda::memcpy_async on aligned
// memory, which is a bulk copy from compute capability 9.0 on. Each kernel turns tiles of 128 numbers round.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "check.cuh"
namespace ptx = cuda::ptx;

enum { TILE = 128, TILES = 4, COUNT = TILE * TILES };

__global__ void by_ptx(const int *in, int *out)
{
    __shared__ alignas(128) int x[2][TILE];
    __shared__ alignas(128) int back[TILE];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        int stage = i & 1;
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{}); // `back` is free
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[stage], sizeof x[0]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, x[stage], in + i * TILE, sizeof x[0], &full[stage]);
        }
        __syncthreads();
        while (!ptx::mbarrier_try_wait_parity(&full[stage], i / 2 & 1))
            ;
        back[threadIdx.x] = x[stage][TILE - 1 - threadIdx.x];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * TILE, back, sizeof back);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x == 0)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

__global__ void by_tx(const int *in, int *out)
{
    __shared__ alignas(16) int x[TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        cuda::barrier<cuda::thread_scope_block>::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(x, in + i * TILE, cuda::aligned_size_t<16>(sizeof x), bar);
            token = cuda::device::barrier_arrive_tx(bar, 1, sizeof x);
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        out[i * TILE + threadIdx.x] = x[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void by_memcpy_async(const int *in, int *out)
{
    __shared__ alignas(16) int x[TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        cuda::memcpy_async(block, x, in + i * TILE, cuda::aligned_size_t<16>(sizeof x), bar);
        bar.arrive_and_wait();
        out[i * TILE + threadIdx.x] = x[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void by_pipeline(const int *in, int *out)
{
    __shared__ alignas(16) int x[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, x[0], in, cuda::aligned_size_t<16>(sizeof x[0]), pipe);
    pipe.producer_commit();
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, x[(i + 1) & 1], in + (i + 1) * TILE, cuda::aligned_size_t<16>(sizeof x[0]), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[i * TILE + threadIdx.x] = x[i & 1][TILE - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}

static void expect_reversed(void (*kernel)(const int *, int *))
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
    for (int i = 0; i < COUNT; i++)
        CHECK(host[i] == 3 * (i / TILE * TILE + TILE - 1 - i % TILE) + 1);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    expect_reversed(by_ptx);
    expect_reversed(by_tx);
    expect_reversed(by_memcpy_async);
    expect_reversed(by_pipeline);
    puts("async_bulk ok");
    return 0;
}
