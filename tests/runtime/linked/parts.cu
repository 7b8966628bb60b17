// The other file: see main.cu.
#include "parts.h"

__device__ int other = 100;
static __device__ int mine = 1000;

static __device__ __noinline__ int own(int x) { return x + mine; }

__device__ __noinline__ int twice(int x) { return several_times<3>(x); }

__device__ __noinline__ int through_pointer(function_t *table, int i) { return table[0](i) + table[1](i); }

__device__ __noinline__ int reversed(int n)
{
    extern __shared__ int buffer[];
    return buffer[n - 1 - threadIdx.x];
}

__global__ void in_other_file(int *out) { *out = counter + own(scale) + shared_with_host + several_times<2>(1); }

void launch_in_other_file(int *out) { in_other_file<<<1, 1>>>(out); }
