/**
 * @file bench_lab05.cu
 * lab05's pipeline on a real GPU: the time of the whole call beside its bound, the longest of copying
 * in, the kernel and copying out, each alone.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab05 tests/gpu/bench_lab05.cu
 *     ./bench_lab05 [N]     page-locks 8 N bytes
 *
 * pipeline() is the reference's: it takes and frees its device memory and makes its streams within the
 * time that is measured, by the host's clock, as a caller would see it. Figures are medians of 9 calls;
 * one element in 997 is checked after the last one of each shape.
 */
#include <chrono>

#include "bench.h"

#include "../../solutions/lab05_streams/kernel.cu"

template <typename Call> static double median_wall_ms(int rounds, Call call)
{
    std::vector<double> times;
    for (int round = 0; round <= rounds; round++) {
        CHECK(cudaDeviceSynchronize());
        auto start = std::chrono::steady_clock::now();
        call();
        CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
        if (round > 0)
            times.push_back(ms.count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static int transformed(int value, int rounds)
{
    unsigned x = value;
    for (int r = 1; r <= rounds; r++) {
        x = (x ^ x >> 16) * 0x7feb352du;
        x = (x ^ x >> 15) * 0x846ca68bu + r;
    }
    return (int)x;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoull(argv[1], nullptr, 0) : (size_t)1 << 28;
    const int rounds = 20, repeats = 9;
    int *in = (int *)host_alloc(n * sizeof *in), *out = (int *)host_alloc(n * sizeof *out);
    if (!in || !out)
        return 1;
    for (size_t i = 0; i < n; i++)
        in[i] = (int)scramble((unsigned)i);
    int *a = device_array<int>(n), *b = device_array<int>(n);
    double copy_in = median_wall_ms(repeats, [&] {
        CHECK(cudaMemcpyAsync(a, in, n * sizeof *a, cudaMemcpyHostToDevice));
    });
    double kernel = median_wall_ms(repeats, [&] { transform<<<BLOCKS, THREADS>>>(b, a, n, rounds); });
    double copy_out = median_wall_ms(repeats, [&] {
        CHECK(cudaMemcpyAsync(out, b, n * sizeof *b, cudaMemcpyDeviceToHost));
    });
    /* The link carries both directions at once, but not each at its full speed. */
    cudaStream_t up, down;
    CHECK(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking));
    double both = median_wall_ms(repeats, [&] {
        CHECK(cudaMemcpyAsync(a, in, n * sizeof *a, cudaMemcpyHostToDevice, up));
        CHECK(cudaMemcpyAsync(out, b, n * sizeof *b, cudaMemcpyDeviceToHost, down));
    });
    CHECK(cudaStreamDestroy(up));
    CHECK(cudaStreamDestroy(down));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    double bound = std::max(copy_in, std::max(kernel, copy_out));
    printf("  both copies at once %.2f ms, %.3f of the bound\n", both, both / bound);
    printf("  %zu ints: copy in %.2f ms, kernel %.2f ms, copy out %.2f ms; bound %.2f ms\n", n, copy_in,
           kernel, copy_out, bound);
    const int shapes[][2] = {{1, 1}, {2, 2}, {4, 4}, {16, 4}, {16, 16}, {32, 4}, {64, 4}, {64, 8}, {128, 4}};
    double best = 0;
    for (auto shape : shapes) {
        size_t chunk = (n + shape[0] - 1) / shape[0];
        double ms = median_wall_ms(repeats, [&] { CHECK(pipeline(out, in, n, rounds, chunk, shape[1])); });
        for (size_t i = 0; i < n; i += 997)
            if (out[i] != transformed(in[i], rounds)) {
                printf("element %zu is wrong\n", i);
                return 1;
            }
        printf("  %3d chunks, %2d streams: %8.2f ms, %.3f of the bound\n", shape[0], shape[1], ms, ms / bound);
        best = best == 0 || ms < best ? ms : best;
    }
    printf("  the best order takes %.3f of the bound, %.3f of both copies at once\n", best / bound,
           best / both);
    host_free(in);
    host_free(out);
    return 0;
}
