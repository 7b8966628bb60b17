// Lane 0 has to get the sum of a warp's values, else 42.
__global__ void add(int *data)
{
    int value = threadIdx.x;
    SNIPPET
    if (threadIdx.x == 0)
        *data = value;
}
int main()
{
    int *d, sum;
    cudaMalloc(&d, sizeof *d);
    add<<<1, 32>>>(d);
    cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return sum == 496 ? 0 : 42;
}
