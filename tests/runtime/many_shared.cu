// nvcc: -rdc=true
// Hundreds of kernels with static shared memory in one module, as separate compilation links whole programs: each pays for what it reaches alone, beside what
// it has in common with others through a device function.
#include <utility>

#include "check.cuh"

#define KERNELS 300
#define WORDS 256

/** Shared memory of one function that every third kernel calls. */
static __device__ __noinline__ int turned(int value)
{
    __shared__ int row[WORDS];
    __syncthreads();
    row[threadIdx.x] = value;
    __syncthreads();
    return row[WORDS - 1 - threadIdx.x];
}

template <int N> __global__ void kernel(int *out)
{
    __shared__ int own[WORDS + N];
    for (int i = threadIdx.x; i < WORDS + N; i += WORDS)
        own[i] = N + i;
    __syncthreads();
    int value = own[(threadIdx.x + N) % (WORDS + N)];
    if (N % 3 == 0)
        value = turned(value) + own[threadIdx.x];
    out[threadIdx.x] = value;
}

template <int... N> static void take(const void **list, std::integer_sequence<int, N...>)
{
    const void *kernels[] = {(const void *)kernel<N>...};
    for (int n = 0; n < KERNELS; n++)
        list[n] = kernels[n];
}

int main()
{
    const void *list[KERNELS];
    int *out, got[WORDS];
    take(list, std::make_integer_sequence<int, KERNELS>());
    OK(cudaMalloc(&out, sizeof got));
    for (int n = 0; n < KERNELS; n++) {
        cudaFuncAttributes a;
        OK(cudaFuncGetAttributes(&a, list[n]));
        size_t least = sizeof(int) * (WORDS + n + (n % 3 ? 0 : WORDS));
        CHECK(a.sharedSizeBytes >= least && a.sharedSizeBytes < least + 4096);
        void *arguments[] = {&out};
        OK(cudaLaunchKernel(list[n], dim3(1), dim3(WORDS), arguments, 0, 0));
        OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int t = 0; t < WORDS; t++) {
            int from = n % 3 ? t : WORDS - 1 - t, want = n + (from + n) % (WORDS + n);
            CHECK(got[t] == want + (n % 3 ? 0 : n + t));
        }
    }
    OK(cudaFree(out));
    return 0;
}
