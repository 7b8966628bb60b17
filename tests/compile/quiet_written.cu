// Kernels that write through one argument into what another points to, which is then not quiet as it had seemed (execute/quiet_global.h): the launch runs again, from the memory
// that it began with. Some of them race.
#include <cstdio>
#include <cstdlib>

__global__ void own(const int *x, int *y, long long off, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i + off] = 3 * x[i] + 1;
}

__global__ void bad_through(const int *x, int *y, long long off, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i + off] = x[n - 1 - i] + 1;
}

__global__ void bad_add(const int *x, int *y, long long off, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
        atomicAdd(&y[off + i % 7], x[i]);
    }
}

static void show(int *host, const int *device, size_t bytes)
{
    unsigned long long sum = 0;
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < bytes / sizeof(int); i++)
        sum = sum * 31 + host[i];
    printf(" %llx", sum);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), kernels = argc > 2 ? 2 : 6; // with a second argument: those alone that do not race
    size_t bytes = n * sizeof(int);
    void (*const kernel[])(const int *, int *, long long, int) = {own, bad_through, bad_add};
    int *x, *y, *h = (int *)malloc(bytes);
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    for (int round = 0; round < kernels; round++) {
        for (int i = 0; i < n; i++)
            h[i] = i * 3 + round;
        cudaMemcpy(x, h, bytes, cudaMemcpyHostToDevice);
        cudaMemset(y, 0, bytes);
        kernel[round / 2]<<<(n + 127) / 128, 128>>>(x, y, round % 2 ? x - y : 0, n);
        cudaDeviceSynchronize();
        printf("%d:", round);
        show(h, x, bytes);
        show(h, y, bytes);
        printf(" %s\n", cudaGetErrorString(cudaGetLastError()));
    }
}
