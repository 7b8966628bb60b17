// Four blocks add to one word.
__global__ void add(int *out)
{
    int sum = blockIdx.x + 1;
    SNIPPET
}
int main()
{
    int *out, sum;
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    add<<<4, 1>>>(out);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return sum == 10 ? 0 : 42;
}
