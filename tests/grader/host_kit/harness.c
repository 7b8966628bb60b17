/** @file harness.c The harness of a host-code lab for the grader's tests: page-locked in and out. */
#include "harness.h"

void twice(const int *in, int *out, int n);

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    size_t n = (size_t)harness_param(h, "n");
    int32_t *values = harness_input_i32(h, 1, n);
    int *in, *out;
    CUDA_CHECK(cudaMallocHost((void **)&in, n * sizeof *in));
    CUDA_CHECK(cudaMallocHost((void **)&out, n * sizeof *out));
    for (size_t i = 0; i < n; i++) {
        in[i] = values[i] / 2;
        out[i] = -1;
    }
    twice(in, out, (int)n);
    harness_result(h, "out", RESULT_I32, out, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFreeHost(in));
    CUDA_CHECK(cudaFreeHost(out));
    return harness_close(h);
}
