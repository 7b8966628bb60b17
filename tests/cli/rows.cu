// Stores of 8 lanes to each row of a large array: the checks remember each word.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *a, int height, int width)
{
    for (int y = threadIdx.y; y < height; y += blockDim.y)
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            a[y * width + x] = 1;
}

int main(int count, char **words)
{
    int height = count > 1 ? atoi(words[1]) : 10, width = 1001, *a;
    cudaMalloc(&a, sizeof(int) * height * width);
    fill<<<1, dim3(8, 32)>>>(a, height, width);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(a);
}
