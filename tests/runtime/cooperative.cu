// Cooperative launches, and what fits: occupancy, attributes.
#include "check.cuh"
#include <cooperative_groups.h>
#include <vector>
namespace cg = cooperative_groups;

// Each round adds the neighbour's value of the round before.
__global__ void ring(int *a, int *b, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    for (int r = 0; r < rounds; r++) {
        b[i] = a[i] + a[(i + 1) % n];
        grid.sync();
        int *t = a;
        a = b;
        b = t;
    }
}

__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int v = block.thread_rank();
    for (int d = 4; d; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        out[block.thread_rank() / 8] = v;
}

__global__ void __launch_bounds__(128, 4) limited(float *x)
{
    __shared__ float s[1024];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[127 - threadIdx.x];
}

template <int N> __device__ void turned(float *x)
{
    float v[N];
    for (int i = 0; i < N; i++)
        v[i] = x[threadIdx.x + 32 * i];
    for (int i = 0; i < N; i++)
        x[threadIdx.x + 32 * i] = v[N - 1 - i] + v[(i + 7) % N];
}

__global__ void any_registers(float *x) { turned<40>(x); }

__global__ void __maxnreg__(26) few_registers(float *x) { turned<40>(x); }

int main()
{
    int can, sms, fit, blocks = 6, threads = 32, n = blocks * threads, rounds = 4;
    OK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(can == 1);
    int *a, *b;
    OK(cudaMalloc(&a, n * 4));
    OK(cudaMalloc(&b, n * 4));
    std::vector<int> h(n), t(n), got(n);
    for (int i = 0; i < n; i++)
        h[i] = i % 5;
    OK(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
    void *args[] = {&a, &b, &rounds};
    OK(cudaLaunchCooperativeKernel(ring, dim3(blocks), dim3(threads), args, 0, 0));
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++)
            t[i] = h[i] + h[(i + 1) % n];
        h.swap(t);
    }
    OK(cudaMemcpy(got.data(), a, n * 4, cudaMemcpyDeviceToHost));
    CHECK(got == h);

    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, ring, 1024, 0));
    CHECK(fit >= 1 && fit <= 2);
    GIVES(cudaLaunchCooperativeKernel(ring, dim3(fit * sms + 1), dim3(1024), args, 0, 0),
          cudaErrorCooperativeLaunchTooLarge);
    (void)cudaGetLastError();

    tiles<<<1, 64>>>(b);
    OK(cudaMemcpy(got.data(), b, 32, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        CHECK(got[i] == 64 * i + 28);

    cudaFuncAttributes f;
    OK(cudaFuncGetAttributes(&f, limited));
    CHECK(f.maxThreadsPerBlock == 128 && f.sharedSizeBytes == 4096 && f.numRegs > 0);
    CHECK(f.ptxVersion == 75);
    OK(cudaFuncGetAttributes(&f, any_registers));
    CHECK(f.numRegs > 26);
    OK(cudaFuncGetAttributes(&f, few_registers));
    CHECK(f.numRegs > 0 && f.numRegs <= 26);
    int block, grid;
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, limited, 0, 0));
    CHECK(block > 0 && block <= 128 && block % 32 == 0 && grid >= sms);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&fit, limited, 128, 40000, 0));
    CHECK(fit >= 1 && fit <= 5);
    size_t room;
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, limited, 2, 128));
    CHECK(room > 16 * 1024);
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    CHECK(p.multiProcessorCount == sms && p.warpSize == 32 && p.major >= 7 && p.name[0]);
    CHECK(!memchr(p.uuid.bytes, 0, sizeof p.uuid.bytes)); // CuPy takes it for text
    GIVES(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    GIVES(cudaSetDevice(1), cudaErrorInvalidDevice);
    puts("cooperative ok");
    return 0;
}
