// The lecture's example as in the handout.
__global__ void DoKernel(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}
int main()
{
    const int size = 4000;
    float *inputDevPtr, *outputDevPtr, *hostPtr;
    cudaStream_t stream[2];
    cudaStreamCreate(&stream[0]);
    cudaStreamCreate(&stream[1]);
    cudaMalloc(&inputDevPtr, 2 * size);
    cudaMalloc(&outputDevPtr, 2 * size);
    cudaMallocHost(&hostPtr, 2 * size);
    SNIPPET
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream[0]);
    cudaStreamDestroy(stream[1]);
    cudaFree(inputDevPtr);
    cudaFree(outputDevPtr);
    return cudaFreeHost(hostPtr);
}
