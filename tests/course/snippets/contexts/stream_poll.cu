// Polls two streams; 42 if one of them never says that it is done, or the answer is none of the three.
__global__ void increment(int *d) { d[threadIdx.x]++; }
int main()
{
    int *d, done = 0, asked = 0;
    cudaError_t status;
    cudaStream_t stream[2];
    cudaMalloc(&d, 256);
    cudaMemset(d, 0, 256);
    for (int i = 0; i < 2; i++) {
        cudaStreamCreate(&stream[i]);
        increment<<<1, 32, 0, stream[i]>>>(d + 32 * i);
    }
    for (int i = 0; done != 3 && asked++ < 1000000; i = !i) {
        SNIPPET
        if (status == cudaSuccess)
            done |= 1 << i;
        else if (status != cudaErrorNotReady)
            break;
    }
    cudaFree(d);
    return done == 3 ? 0 : 42;
}
