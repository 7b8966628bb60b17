// A launch that takes some slices of time: tests/cli/test_progress.sh watches it.
__global__ void busy(int *out, int rounds)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        x = x * 1664525u + 1013904223u;
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)x;
}
int main()
{
    int *p;
    if (cudaMalloc(&p, 32 * 64 * sizeof(int)))
        return 1;
    busy<<<32, 64>>>(p, 20000);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(p);
    return e;
}
