// A sum around a guard; 42 if it is not the sum.
__device__ bool last_block(unsigned *counter)
{
    SNIPPET
}
__global__ void sum(int *data)
{
    int *partial = data + 1;
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    if (last_block((unsigned *)data) && threadIdx.x == 31)
        for (int b = 0; b < gridDim.x; b++)
            data[100] += partial[b];
}
int main()
{
    int *d, sum_;
    cudaMalloc(&d, 4096);
    cudaMemset(d, 0, 4096);
    sum<<<4, 32>>>(d);
    cudaMemcpy(&sum_, d + 100, sizeof sum_, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return sum_ == 4 ? 0 : 42;
}
