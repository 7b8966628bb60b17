// Each block has a copy of its own of what the block declares: 42 if another block's value is there.
__global__ void look(int *out)
{
    SNIPPET
    shared[threadIdx.x] = blockIdx.x;
    __syncthreads();
    if (shared[threadIdx.x ^ 1023] != blockIdx.x)
        atomicAdd(out, 1);
}
int main()
{
    int *d, others;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    look<<<2, 1024>>>(d);
    cudaMemcpy(&others, d, sizeof others, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return others ? 42 : 0;
}
