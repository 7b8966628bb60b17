// st.bulk: zeros in shared memory, as plain stores of the thread that says it; two threads that put them at one place store the same value. Each mistake
// beside its right twin.
//
// nvcc: -std=c++17 -w
// arch compute_100
//
// case zeros expect=silent options=--device=b200
// case zeros_no_barrier expect=data-race options=--device=b200
// case zeros_twice expect=silent options=--device=b200
// case zeros_meet expect=data-race level=warning options=--device=b200
// case zeros_define expect=silent options=--device=b200
// case zeros_of_half expect=uninitialized-read options=--device=b200
// case zeros_odd expect=misaligned options=--device=b200
// case zeros_past_end expect=out-of-bounds options=--device=b200
// case zeros_elsewhere expect=out-of-bounds says=block.s.shared.memory options=--device=b200
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64 };

__device__ void zero(void *p, unsigned long long bytes)
{
    asm volatile("st.bulk.weak [%0], %1, 0;" ::"l"(p), "l"(bytes) : "memory"); // zeros_no_barrier zeros_meet zeros_odd zeros_past_end zeros_elsewhere
}

__global__ void clear(int *out, bool waits)
{
    __shared__ alignas(16) int s[N];
    if (threadIdx.x == 0)
        zero(s, sizeof s);
    if (waits)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}

/** Two threads, two halves or one and the same. */
__global__ void halves(int *out, int step)
{
    __shared__ alignas(16) int s[N];
    if (threadIdx.x % 32 == 0)
        zero(s + threadIdx.x / 32 * step, sizeof s / 2);
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < N / 2 + step ? s[threadIdx.x] : 0;
}

__global__ void define(int *out, unsigned long long bytes)
{
    __shared__ alignas(16) int s[N];
    if (threadIdx.x == 0)
        zero(s, bytes);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void wrong(int *out, unsigned long long bytes, bool elsewhere)
{
    __shared__ alignas(16) int s[N];
    zero(elsewhere ? out : s, bytes);
    out[threadIdx.x] = s[0];
}

int main(int argc, char **argv)
{
    int *out, host[N];
    auto is = [&](const char *n) { return strcmp(argv[1], n) == 0; };
    cudaMalloc(&out, sizeof host);
    if (is("zeros") || is("zeros_no_barrier"))
        clear<<<1, N>>>(out, is("zeros"));
    else if (is("zeros_twice") || is("zeros_meet"))
        halves<<<1, N>>>(out, is("zeros_twice") ? N / 2 : N / 4);
    else if (is("zeros_define") || is("zeros_of_half"))
        define<<<1, N>>>(out, is("zeros_define") ? sizeof host : sizeof host / 2);
    else
        wrong<<<1, 1>>>(out, is("zeros_odd") ? 12 : is("zeros_past_end") ? 2 * sizeof host : 8, is("zeros_elsewhere"));
    cudaError_t e = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= host[i] == 0;
    cudaFree(out);
    return (is("zeros") || is("zeros_twice") || is("zeros_define")) && (e || !right);
}
