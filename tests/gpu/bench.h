/**
 * @file bench.h
 * What the programs that time references on a real GPU share: checked calls, medians, inputs.
 */
#ifndef TESTS_GPU_BENCH_H
#define TESTS_GPU_BENCH_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));            \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

/** Memory on the device; the caller frees it with cudaFree(). */
template <typename T> static T *device_array(size_t count)
{
    T *array = nullptr;
    CHECK(cudaMalloc(&array, count * sizeof(T)));
    return array;
}

/** Bits without a pattern, the same in each run. */
__device__ __host__ inline unsigned scramble(unsigned i)
{
    i *= 2654435761u;
    i = (i ^ i >> 15) * 2246822519u;
    return i ^ i >> 13;
}

/**
 * Milliseconds that `call` takes on the device, the median of `rounds` after one that does not
 * count. `prepare` comes before each and is not timed.
 */
template <typename Prepare, typename Call>
static float median_ms(int rounds, Prepare prepare, Call call)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int round = 0; round <= rounds; round++) {
        prepare();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(start));
        call();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        if (round > 0)
            times.push_back(ms);
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

#endif
