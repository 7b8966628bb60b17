// Threads whose atomics all return something that is kept: orders without end, each an outcome. test_incomplete.sh says what is told of them.
#include <cuda_runtime.h>

extern "C" __global__ void four_by_four(int *x, int *y)
{
    for (int i = 0; i < 4; i++)
        y[blockIdx.x * 4 + i] = atomicAdd(x, 1 + blockIdx.x);
}

extern "C" __global__ void two_by_four(int *x, int *y)
{
    for (int i = 0; i < 4; i++)
        y[blockIdx.x * 4 + i] = atomicAdd(x, 1 + blockIdx.x);
}

int main()
{
    int *x;
    cudaMalloc(&x, 17 * sizeof *x);
    cudaMemset(x, 0, 17 * sizeof *x);
    two_by_four<<<2, 1>>>(x, x + 1);
    cudaMemset(x, 0, 17 * sizeof *x);
    four_by_four<<<4, 1>>>(x, x + 1);
    cudaDeviceSynchronize();
    cudaFree(x);
}
