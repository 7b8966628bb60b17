// What the files of the program have in common.
#pragma once
typedef int (*function_t)(int);
__device__ int twice(int x);
__device__ int reversed(int n);
__device__ int through_pointer(function_t *table, int i);
extern __device__ int other, counter;
extern __constant__ int scale;
extern __managed__ int shared_with_host;
void launch_in_other_file(int *out);

template <int N> __device__ __noinline__ int several_times(int x) { return N * x; } // weak: both files have it
