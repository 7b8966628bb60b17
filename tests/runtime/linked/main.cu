// A program of several files, built with -rdc=true (tests/runtime/test_linked.sh): what each of them sees of the others.
#include "../check.cuh"
#include "parts.h"

__device__ int counter = 5;
__constant__ int scale = 3;
__managed__ int shared_with_host = 11;
static __device__ int mine = 1;                       // each file has its own
static __device__ __noinline__ int own(int x) { return x + mine; }
__device__ function_t table[] = {twice, own};         // one of another file, one of this

__global__ void uses_others(int *out)
{
    int i = threadIdx.x;
    out[i] = twice(i) * 1000 + table[0](i) + table[1](i) + other + through_pointer(table, i);
}

__global__ void shared_array(int *out, int n)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = reversed(n);
}

int main()
{
    int *out, host[64];
    OK(cudaMalloc(&out, sizeof host));
    uses_others<<<1, 64>>>(out);
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
    for (int i = 0; i < 64; i++)
        CHECK(host[i] == 3 * i * 1000 + 3 * i + (i + 1) + 100 + 3 * i + (i + 1));
    shared_array<<<1, 64, sizeof host>>>(out, 64);
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
    for (int i = 0; i < 64; i++)
        CHECK(host[i] == 63 - i);
    int v = 77, w = 0;
    OK(cudaMemcpyToSymbol(counter, &v, sizeof v)); // main.cu's, which parts.cu reads
    OK(cudaMemcpyToSymbol(scale, &v, sizeof v));
    OK(cudaDeviceSynchronize());
    shared_with_host += 1;
    launch_in_other_file(out);
    OK(cudaMemcpy(&v, out, sizeof v, cudaMemcpyDefault));
    CHECK(v == 77 + 1000 + 77 + 12 + 2);
    OK(cudaMemcpyFromSymbol(&w, mine, sizeof w));
    CHECK(w == 1);
    OK(cudaFree(out));
    puts("linked ok");
    return 0;
}
