/**
 * @file bench_lab00.cu
 * How fast lab00's reference is on a real GPU, beside CUB's DeviceReduce::Sum, in one run: its sum
 * by atomicAdd, and its sum in two launches. A line a size; ratios are what counts.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab00 tests/gpu/bench_lab00.cu && ./bench_lab00
 * [N…]
 *
 * Each figure is the median of 15 calls. Before each, 256 MiB are written, so that the input does
 * not come from the L2 cache. All sums must agree.
 */
#include "bench.h"

#include <cub/device/device_reduce.cuh>

#include "../../solutions/lab00_reduction/kernel.cu"

#define THREADS 512u
#define FLUSH (256u << 20)

__global__ void fill(int *in, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        in[i] = (int)(scramble(i) % 201) - 100;
}

struct bench {
    unsigned n, blocks;
    int *in, *partial, *out;
    char *flush;
};

template <typename Sum> static float timed(const bench &b, int *sum, Sum call)
{
    float ms = median_ms(
        15,
        [&] {
            CHECK(cudaMemset(b.flush, 1, FLUSH));
            CHECK(cudaMemset(b.out, 0, sizeof(int)));
        },
        call);
    CHECK(cudaMemcpy(sum, b.out, sizeof(int), cudaMemcpyDeviceToHost));
    return ms;
}

static void run(unsigned n)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    unsigned blocks = device.multiProcessorCount * 4;
    bench b = {n,
               blocks,
               device_array<int>(n),
               device_array<int>(blocks),
               device_array<int>(1),
               device_array<char>(FLUSH)};
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, b.in, b.out, (int)n));
    char *space = device_array<char>(bytes);
    fill<<<1024, 256>>>(b.in, n);

    int atomic_sum, two_sum, cub_sum;
    float atomic_ms = timed(b, &atomic_sum, [&] { grid_sum<<<blocks, THREADS>>>(b.in, n, b.out); });
    float two_ms = timed(b, &two_sum, [&] {
        partial_sums<<<blocks, THREADS>>>(b.in, n, b.partial);
        partial_sums<<<1, THREADS>>>(b.partial, blocks, b.out);
    });
    float cub_ms = timed(b, &cub_sum,
                         [&] { CHECK(cub::DeviceReduce::Sum(space, bytes, b.in, b.out, (int)n)); });
    bool same = atomic_sum == cub_sum && two_sum == cub_sum;
    std::printf("n %10u  grid_sum %8.4f ms  partial_sums %8.4f ms  cub %8.4f ms  faster than cub: "
                "grid_sum %.2f  partial_sums %.2f  sums %s\n",
                n, atomic_ms, two_ms, cub_ms, cub_ms / atomic_ms, cub_ms / two_ms,
                same ? "equal" : "DIFFER");
    for (void *p : {(void *)b.in, (void *)b.partial, (void *)b.out, (void *)b.flush, (void *)space})
        CHECK(cudaFree(p));
    if (!same)
        std::exit(1);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run((unsigned)std::strtoul(argv[i], nullptr, 0));
    if (argc == 1)
        for (unsigned n : {10000000u, 100000000u, 1000000000u})
            run(n);
}
