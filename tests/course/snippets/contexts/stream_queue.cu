// Copy, kernel, copy in one stream; 42 if the result is not there after waiting.
__global__ void kernel(int *d, int n) { d[threadIdx.x] += n; }
int main()
{
    const int blocks = 1, threads = 32, n = 32, bytes = 128;
    int *dev, *in, *out, wrong;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&dev, bytes);
    cudaMallocHost(&in, bytes);
    cudaMallocHost(&out, bytes);
    for (int i = 0; i < n; i++)
        in[i] = i + 2;
    SNIPPET
    cudaStreamSynchronize(s);
    wrong = out[5] != 7 + n;
    cudaStreamDestroy(s);
    cudaFree(dev);
    cudaFreeHost(in);
    cudaFreeHost(out);
    return wrong ? 42 : 0;
}
