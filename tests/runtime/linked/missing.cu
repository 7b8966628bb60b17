// A kernel that calls what no file defines: nvcc does not mind where it leaves linking to the driver.
#include "../check.cuh"

__device__ int twice(int x);
__global__ void kernel(int *out) { *out = twice(1); }

int main()
{
    kernel<<<1, 1>>>(nullptr);
    return cudaDeviceSynchronize() == cudaSuccess;
}
