// Loads by ld.global.nc of what their own thread has stored: ptxas takes them for loads of memory that nobody writes, and makes them before the loop.
//     nvcc -O2 -arch=sm_90 -o read_only tests/gpu/read_only.cu && ./read_only
// tests/gpu/read_only_h200.txt holds what an H200 gave.
#include <cstdio>

__device__ int read_only(const int *p)
{
    int v;
    asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

__global__ void by_asm(int *p, int *out)
{
    int t = threadIdx.x, sum = 0;
    for (int r = 1; r <= 10; r++) {
        p[t] = r;
        sum += read_only(p + t);
    }
    out[t] = sum;
}

__global__ void by_restrict(const int *__restrict__ c, int *p, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int r = 1; r <= n; r++) {
        p[t] = r;
        sum += c[t];
    }
    out[t] = sum;
}

int main()
{
    int *p, *out, sum;
    cudaMalloc(&p, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(p, 0, 4096);
    by_asm<<<1, 32>>>(p, out);
    cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
    printf("asm: %d for 55\n", sum);
    cudaMemset(p, 0, 4096);
    by_restrict<<<1, 32>>>(p, p, out, 10);
    cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
    printf("restrict: %d for 55\n", sum);
    return cudaGetLastError() != cudaSuccess;
}
