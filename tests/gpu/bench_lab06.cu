/**
 * @file bench_lab06.cu
 * How fast lab06's reference is on a real GPU, beside CUB's DeviceScan::InclusiveSum and a copy of the same bytes, in
 * one run. Prints one line a size; ratios are what counts.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab06 tests/gpu/bench_lab06.cu && ./bench_lab06 [MILLIONS…]
 *
 * Before each timed call 256 MiB are written, so that the input does not come from the L2 cache. They take turns;
 * each figure is the median of 21 calls. Every sum is compared with CUB's. Part B's chain is timed, too.
 */
#include "bench.h"

#include <cub/device/device_scan.cuh>

#include "../../solutions/lab06_scan/kernel.cu"

__global__ void fill(unsigned *in, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        in[i] = scramble((unsigned)i);
}

__global__ void differences(const unsigned *a, const unsigned *b, size_t n, unsigned *count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(count, 1);
}

static void run(unsigned n)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    unsigned *in = device_array<unsigned>(n), *out = device_array<unsigned>(n);
    unsigned *expected = device_array<unsigned>(n), *ticket = device_array<unsigned>(2);
    word *state = device_array<word>(n / 512 + 1);
    char *flush = device_array<char>(256u << 20);
    size_t space_bytes = 0;
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, space_bytes, in, expected, n));
    char *space = device_array<char>(space_bytes);
    fill<<<1024, 256>>>(in, n);
    auto prepare = [&] { CHECK(cudaMemset(flush, 1, 256u << 20)); };

    float cub = median_ms(21, prepare, [&] {
        CHECK(cub::DeviceScan::InclusiveSum(space, space_bytes, in, expected, n));
    });
    float copy = median_ms(21, prepare, [&] {
        CHECK(cudaMemcpyAsync(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice));
    });
    std::printf("%s  n %10u  cub %8.4f ms  copy %8.4f ms", device.name, n, cub, copy);
    unsigned wrong = 0;
    for (unsigned threads : {128u, 256u, 512u}) {
        unsigned tiles = (n + threads * ITEMS - 1) / (threads * ITEMS);
        CHECK(cudaMemset(out, 0xff, n * sizeof *out));
        float ms = median_ms(21, prepare, [&] {
            reset<<<132, 256>>>(ticket, state, tiles);
            scan<<<tiles, threads>>>(in, n, ticket, state, out);
        });
        CHECK(cudaMemset(ticket + 1, 0, sizeof *ticket));
        differences<<<1024, 256>>>(out, expected, n, ticket + 1);
        CHECK(cudaMemcpy(&wrong, ticket + 1, sizeof wrong, cudaMemcpyDeviceToHost));
        std::printf("  reference, blocks of %u %8.4f ms  faster than cub %.2f%s", threads, ms, cub / ms,
                    wrong ? "  WRONG" : "");
    }
    unsigned tiles = (n + 256 * ITEMS - 1) / (256 * ITEMS);
    unsigned *prefix = device_array<unsigned>(tiles), *ready = device_array<unsigned>(tiles);
    float chained = median_ms(
        5,
        [&] {
            CHECK(cudaMemset(ready, 0, tiles * sizeof *ready));
            CHECK(cudaMemset(ticket, 0, sizeof *ticket));
            prepare();
        },
        [&] { chain<<<tiles, 256>>>(in, n, ticket, prefix, ready, out); });
    std::printf("  chain %8.4f ms\n", chained);
    CHECK(cudaFree(prefix));
    CHECK(cudaFree(ready));
    for (void *p : {(void *)in, (void *)out, (void *)expected, (void *)ticket, (void *)state, (void *)flush,
                    (void *)space})
        CHECK(cudaFree(p));
    if (wrong)
        std::exit(1);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run((unsigned)std::atoi(argv[i]) * 1000000u);
    if (argc == 1)
        for (unsigned millions : {10u, 100u, 1000u})
            run(millions * 1000000u);
}
