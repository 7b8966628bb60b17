/**
 * @file bench_lab03.cu
 * How fast lab03's reference is on a real GPU, beside CUB's DeviceReduce::Sum and the published
 * launch, in one run. Prints one line a size; ratios are what counts.
 *
 *     nvcc -O3 -arch=native -o bench_lab03 tests/gpu/bench_lab03.cu && ./bench_lab03 [MILLIONS…]
 *
 * Before each timed call 256 MiB are written, so that the input does not come from the L2 cache.
 * The three take turns; each figure is the median of 21 calls. Every sum is checked.
 */
#include "bench.h"

#include <cub/device/device_reduce.cuh>

#include "../../solutions/lab03_last_block/kernel.cu"

// Values with range, in the order of a hash, so that no two blocks have the same sum.
__global__ void fill(int *in, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        in[i] = (int)((i * 2654435761u >> 7) % 201) - 100;
}

// As published, with 24 blocks of 1024 and one element at a time, but for the faults.
__global__ void published(const int *in, unsigned n, long long *partial, unsigned *counter,
                          long long *out)
{
    long long sum = block_sum(strided_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    if (!last_block(counter))
        return;
    sum = block_sum(threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) {
        *out = sum;
        *counter = 0;
    }
}

struct bench {
    int *in;
    unsigned n, blocks, threads;
    long long *partial, *out;
    unsigned *counter;
    int *cub_out;
    void *cub_space, *flush;
    size_t cub_bytes;
};

enum contender { REFERENCE, CUB, PUBLISHED, CONTENDERS };

static void call(const bench &b, int who)
{
    switch (who) {
    case REFERENCE:
        sum<<<b.blocks, b.threads>>>(b.in, b.n, b.partial, b.counter, b.out);
        break;
    case CUB: {
        size_t bytes = b.cub_bytes;
        CHECK(cub::DeviceReduce::Sum(b.cub_space, bytes, b.in, b.cub_out, (int)b.n));
        break;
    }
    default:
        published<<<24, 1024>>>(b.in, b.n, b.partial, b.counter, b.out);
    }
    CHECK(cudaGetLastError());
}

static float milliseconds(const bench &b, int who, cudaEvent_t start, cudaEvent_t stop)
{
    CHECK(cudaMemset(b.flush, 1, 256u << 20));
    CHECK(cudaEventRecord(start));
    call(b, who);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

static long long result(const bench &b, int who)
{
    long long wide = 0;
    int narrow = 0;
    CHECK(cudaMemcpy(&wide, b.out, sizeof wide, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&narrow, b.cub_out, sizeof narrow, cudaMemcpyDeviceToHost));
    return who == CUB ? narrow : wide;
}

static void run(unsigned n)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    bench b = {};
    b.n = n;
    b.threads = 512;
    b.blocks = device.multiProcessorCount * 4;
    CHECK(cudaMalloc(&b.in, (size_t)n * sizeof(int)));
    CHECK(cudaMalloc(&b.partial, 4096 * sizeof(long long)));
    CHECK(cudaMalloc(&b.out, sizeof(long long)));
    CHECK(cudaMalloc(&b.counter, sizeof(unsigned)));
    CHECK(cudaMalloc(&b.cub_out, sizeof(int)));
    CHECK(cudaMalloc(&b.flush, 256u << 20));
    CHECK(cudaMemset(b.counter, 0, sizeof(unsigned)));
    CHECK(cub::DeviceReduce::Sum(nullptr, b.cub_bytes, b.in, b.cub_out, (int)n));
    CHECK(cudaMalloc(&b.cub_space, b.cub_bytes));
    fill<<<1024, 256>>>(b.in, n);

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> times[CONTENDERS];
    long long sums[CONTENDERS];
    for (int round = 0; round < 22; round++)
        for (int who = 0; who < CONTENDERS; who++) {
            float ms = milliseconds(b, who, start, stop);
            sums[who] = result(b, who);
            if (round > 0) // the first is a warm-up
                times[who].push_back(ms);
        }
    float median[CONTENDERS];
    for (int who = 0; who < CONTENDERS; who++) {
        std::sort(times[who].begin(), times[who].end());
        median[who] = times[who][times[who].size() / 2];
    }
    bool same = sums[REFERENCE] == sums[CUB] && sums[CUB] == sums[PUBLISHED];
    std::printf("%s  n %10u  reference %8.4f ms  %7.1f GB/s  cub %8.4f ms  published %8.4f ms  "
                "faster than cub %.2f  than published %.2f  sums %s\n",
                device.name, n, median[REFERENCE], n * 4e-6 / median[REFERENCE], median[CUB],
                median[PUBLISHED], median[CUB] / median[REFERENCE],
                median[PUBLISHED] / median[REFERENCE], same ? "equal" : "DIFFER");
    for (void *p : {(void *)b.in, (void *)b.partial, (void *)b.out, (void *)b.counter,
                    (void *)b.cub_out, b.flush, b.cub_space})
        CHECK(cudaFree(p));
    if (!same)
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
