// All blocks write, wait, and read what another one wrote: a cooperative launch.
#include <cooperative_groups.h>
__global__ void k(int *data)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = (int)i;
    SNIPPET
    data[200 + i] = data[(i + 55) % 120];
}
int main()
{
    int *data;
    cudaMalloc(&data, 4096);
    cudaMemset(data, 0, 4096);
    void *args[] = {&data};
    cudaLaunchCooperativeKernel(k, dim3(3), dim3(40), args, 0, 0);
    cudaDeviceSynchronize();
    return cudaFree(data);
}
