// The published stride of two constants, in a launch of another shape; 42 if the sum is wrong.
__global__ void share(const int *in, int n, int *out)
{
    int sum = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
    SNIPPET
    atomicAdd(out, sum);
}
#undef BLOCK_SIZE
#undef GRID_SIZE
int main()
{
    int *in, *out, sum;
    static int ones[20000];
    for (int i = 0; i < 20000; i++)
        ones[i] = 1;
    cudaMalloc(&in, sizeof ones);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof *out);
    share<<<16, 256>>>(in, 20000, out);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return sum == 20000 ? 0 : 42;
}
