// The lecture's example as on the slide.
__global__ void kernel(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}
int main()
{
    const int size = 4000;
    float *in, *out, *hostPtr;
    cudaStream_t stream[2];
    cudaStreamCreate(&stream[0]);
    cudaStreamCreate(&stream[1]);
    cudaMalloc(&in, 2 * size);
    cudaMalloc(&out, 2 * size);
    SNIPPET
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream[1]);
    cudaFree(in);
    cudaFree(out);
    return cudaFreeHost(hostPtr);
}
