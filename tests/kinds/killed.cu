// A program that is killed after its first kernel: what was found by then must be in the file.
#include <csignal>
#include <cuda_runtime.h>

__global__ void race(int *p)
{
    p[0] += (int)blockIdx.x;
}

int main()
{
    int *p;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    race<<<2, 1>>>(p);
    cudaDeviceSynchronize();
    raise(SIGKILL);
}
