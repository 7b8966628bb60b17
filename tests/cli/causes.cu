// One missing barrier and what comes of it, five findings; and another one, further down.
#include <cstdio>

__global__ void window(int *out)
{
    __shared__ int s[64], other[64];
    int t = threadIdx.x, sum;
    s[t] = t;
    sum = s[(t + 1) % 64];
    sum += s[(t + 2) % 64];
    sum += s[(t + 3) % 64];
    sum += s[(t + 33) % 64];
    sum += s[(t + 34) % 64];
    other[t] = sum;
    out[t] = other[(t + 33) % 64];
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof *out);
    window<<<1, 64>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
