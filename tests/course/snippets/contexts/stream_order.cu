// Two kernels that use the same memory, in two streams.
// replace: A<<<a>>> => increment<<<1, 32, 0, a>>>(d);
// replace: B<<<b>>> => increment<<<1, 32, 0, b>>>(d);
// replace: Record(e, a) => cudaEventRecord(e, a);
// replace: Wait(b, e) => cudaStreamWaitEvent(b, e);
// replace: Wait(a, e) => cudaStreamWaitEvent(a, e);
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
    SNIPPET
    cudaDeviceSynchronize();
    return cudaFree(d);
}
