// A kernel that does little but load and store, launched until its text is there (SOFTGPU_DUMP_LLVM), or often enough: it prints whether it is.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#define MOST 20000

__global__ void raise(int *data, const int *by, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < times; k++)
        data[i] += *by;
}

int main()
{
    int *data, *by;
    const char *text = getenv("SOFTGPU_DUMP_LLVM");
    if (!text || cudaMalloc(&data, 256 * sizeof *data) || cudaMalloc(&by, sizeof *by))
        return 1;
    cudaMemset(data, 0, 256 * sizeof *data);
    cudaMemset(by, 1, sizeof *by);
    for (int i = 0; i < MOST && access(text, F_OK); i++) {
        raise<<<2, 128>>>(data, by, 5);
        cudaDeviceSynchronize();
    }
    puts(access(text, F_OK) ? "interpreted" : "compiled");
    cudaFree(data);
    cudaFree(by);
    return 0;
}
