/**
 * @file bench_lab01.cu
 * How fast lab01's reference is on a real GPU, beside the bitonic sort of NVIDIA's samples
 * (textbook_sort.h) and CUB's radix sort, in one run. A line a size; ratios are what counts.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab01 tests/gpu/bench_lab01.cu && ./bench_lab01
 * [N…]
 *
 * Each figure is the median of 15 calls, each on the same unsorted values. Every result is compared
 * with std::sort's. The launches are those of the lab's harness: sort_block for 1,024 values, part
 * D's kernels for more.
 */
#include "bench.h"
#include "textbook_sort.h"

#include <cub/device/device_radix_sort.cuh>

#include "../../solutions/lab01_bitonic_sort/kernel.cu"

__global__ void fill(int *values, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        values[i] = (int)scramble(i);
}

// As labs/lab01_bitonic_sort/harness.c does it.
static void reference_sort(int *values, unsigned n)
{
    if (n <= 1024 && (n & (n - 1)) == 0) {
        sort_block<<<1, n>>>(values);
        return;
    }
    unsigned tiles = (n + TILE - 1) / TILE;
    sort_tiles<<<tiles, THREADS>>>(values, n);
    for (unsigned k = 2 * TILE; k / 2 < n; k *= 2) {
        unsigned j = k / 2;
        for (; j >= TILE; j >>= 8)
            merge_far<<<(n + 2 * j - 1) / (2 * j) * (2 * j / TILE), THREADS>>>(values, n, j, k);
        merge_near<<<tiles, THREADS>>>(values, n, j);
    }
}

struct arrays {
    unsigned n;
    int *unsorted, *values, *payload, *sorted;
    std::vector<int> expected;
};

/** Times one way to sort, and checks what it left in `result`. */
template <typename Sort>
static float timed(const arrays &a, const char *who, const int *result, Sort sort)
{
    size_t bytes = a.n * sizeof(int);
    float ms = median_ms(
        15, [&] { CHECK(cudaMemcpy(a.values, a.unsorted, bytes, cudaMemcpyDeviceToDevice)); },
        sort);
    std::vector<int> got(a.n);
    CHECK(cudaMemcpy(got.data(), result, bytes, cudaMemcpyDeviceToHost));
    if (got != a.expected) {
        std::printf("n = %u: %s did not sort\n", a.n, who);
        std::exit(1);
    }
    return ms;
}

static void run(unsigned n)
{
    arrays a = {n,
                device_array<int>(n),
                device_array<int>(n),
                device_array<int>(n),
                device_array<int>(n),
                std::vector<int>(n)};
    fill<<<1024, 256>>>(a.unsorted, n);
    CHECK(cudaMemcpy(a.expected.data(), a.unsorted, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::sort(a.expected.begin(), a.expected.end());
    size_t bytes = 0;
    CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, a.values, a.sorted, (int)n));
    char *space = device_array<char>(bytes);

    float reference = timed(a, "reference", a.values, [&] { reference_sort(a.values, n); });
    float cub = timed(a, "cub", a.sorted, [&] {
        CHECK(cub::DeviceRadixSort::SortKeys(space, bytes, a.values, a.sorted, (int)n));
    });
    std::printf("n %9u  reference %8.4f ms  cub %8.4f ms  faster than cub %5.2f", n, reference, cub,
                cub / reference);
    if ((n & (n - 1)) == 0) {
        float keys = timed(a, "samples, keys", a.values, [&] {
            textbook_sort<false>({a.values, nullptr}, n);
        });
        float pairs = timed(a, "samples, pairs", a.values, [&] {
            textbook_sort<true>({a.values, a.payload}, n);
        });
        std::printf("  samples, keys %8.4f ms  pairs %8.4f ms  faster than samples, keys %5.2f  "
                    "pairs %5.2f",
                    keys, pairs, keys / reference, pairs / reference);
    }
    std::printf("\n");
    for (void *p :
         {(void *)a.unsorted, (void *)a.values, (void *)a.payload, (void *)a.sorted, (void *)space})
        CHECK(cudaFree(p));
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run((unsigned)std::strtoul(argv[i], nullptr, 0));
    if (argc == 1)
        for (unsigned n : {1u << 10, 1u << 20, 1u << 22, 1u << 24, 1u << 26, 3000001u})
            run(n);
}
