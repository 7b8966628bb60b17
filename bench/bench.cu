/*
 * The CUDA side of `make bench`: bench.h says how it is called and what it prints.
 */
#include "bench.h"

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Each kernel stands in kernels.cl in the same words. */
__global__ void sum(const int *in, int n, int *out)
{
    __shared__ int s[1024];
    int tid = threadIdx.x, v = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    s[tid] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (tid < k)
            s[tid] += s[tid + k];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}

__global__ void bitonic(int *values)
{
    __shared__ int s[SORT_THREADS];
    unsigned tid = threadIdx.x;
    s[tid] = values[blockIdx.x * SORT_THREADS + tid];
    __syncthreads();
    for (unsigned k = 2; k <= SORT_THREADS; k <<= 1) {
        for (unsigned j = k / 2; j > 0; j >>= 1) {
            unsigned ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (s[tid] > s[ixj]) {
                        int t = s[tid];
                        s[tid] = s[ixj];
                        s[ixj] = t;
                    }
                } else {
                    if (s[tid] < s[ixj]) {
                        int t = s[tid];
                        s[tid] = s[ixj];
                        s[ixj] = t;
                    }
                }
            }
            __syncthreads();
        }
    }
    values[blockIdx.x * SORT_THREADS + tid] = s[tid];
}

int main(int argc, char **argv)
{
    struct task t = task_make(argc, argv);
    int *values, *sums = NULL;
    CHECK(cudaMalloc(&values, t.bytes));
    if (t.is_sum)
        CHECK(cudaMalloc(&sums, t.blocks * sizeof(int)));
    for (int i = 0; i < LAUNCHES; i++) {
        CHECK(cudaMemcpy(values, t.input, t.bytes, cudaMemcpyHostToDevice));
        CHECK(cudaDeviceSynchronize());
        task_start(&t, i);
        if (t.is_sum)
            sum<<<t.blocks, t.threads>>>(values, (int)t.count, sums);
        else
            bitonic<<<t.blocks, t.threads>>>(values);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        task_stop(&t, i);
    }
    size_t bytes = t.is_sum ? t.blocks * sizeof(int) : t.bytes;
    int *result = (int *)malloc(bytes);
    if (!result)
        abort();
    CHECK(cudaMemcpy(result, t.is_sum ? sums : values, bytes, cudaMemcpyDeviceToHost));
    int right = t.is_sum ? sum_is_right(&t, result) : sort_is_right(&t, result);
    CHECK(cudaFree(values));
    CHECK(cudaFree(sums));
    return task_report(&t, right);
}
