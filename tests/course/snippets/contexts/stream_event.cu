// A kernel in stream a, then one in stream b that needs its result.
__global__ void increment(int *d) { d[threadIdx.x]++; }
int main()
{
    int *d;
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&e);
    increment<<<1, 32, 0, a>>>(d);
    SNIPPET
    increment<<<1, 32, 0, b>>>(d);
    cudaDeviceSynchronize();
    return cudaFree(d);
}
