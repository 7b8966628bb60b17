// An edge that device 0's stream computes goes to device 1, whose stream uses it.
__global__ void step(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x] + 1; }

int main()
{
    int *row0, *row1;
    cudaStream_t stream[2];
    cudaEvent_t ready;
    cudaSetDevice(1);
    cudaMalloc(&row1, 256);
    cudaMemset(row1, 0, 256);
    cudaStreamCreate(&stream[1]);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaMalloc(&row0, 256);
    cudaMemset(row0, 0, 256);
    cudaStreamCreate(&stream[0]);
    cudaEventCreate(&ready);
    cudaDeviceSynchronize();
    step<<<1, 32, 0, stream[0]>>>(row0, row0 + 32);
    SNIPPET
    cudaSetDevice(1);
    step<<<1, 32, 0, stream[1]>>>(row1 + 32, row1);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaEventDestroy(ready);
    cudaStreamDestroy(stream[0]);
    cudaStreamDestroy(stream[1]);
    cudaFree(row0);
    cudaFree(row1);
    return 0;
}
