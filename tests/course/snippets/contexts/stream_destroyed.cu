// The caller reads what a function brings whose end is the block.
static int *bring(int *out, int *d)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(out, d, 128, cudaMemcpyDeviceToHost, stream);
    SNIPPET
}
int main()
{
    int *d, *h, sum = 0;
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    cudaMallocHost(&h, 128);
    cudaDeviceSynchronize();
    sum = bring(h, d)[3];
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
    return sum == 12345;
}
