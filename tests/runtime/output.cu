// printf in kernels, in order with the host's; and what is not there says so.
#include "check.cuh"

__global__ void hello(int n, double x, const char *)
{
    printf("thread %d of block %d: %d %5.2f %s %c %x %%\n", threadIdx.x, blockIdx.x, n, x, "text",
           'c', 255u);
}

int main()
{
    printf("before\n");
    hello<<<2, 2>>>(7, 2.5, nullptr);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    printf("after\n");
    for (int i = 0; i < 2; i++)
        GIVES(cudaDestroyExternalMemory(NULL), cudaErrorNotSupported);
    return 0;
}
