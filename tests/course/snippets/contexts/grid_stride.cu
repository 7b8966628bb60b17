// Each thread's share of n elements; whatever the launch, the shares make up the sum.
__global__ void share(const int *in, int n, int *out)
{
    int sum = 0, first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    SNIPPET
    atomicAdd(out, sum);
}
int main()
{
    int *in, *out, sum, wrong = 0, ones[1000];
    for (int i = 0; i < 1000; i++)
        ones[i] = 1;
    cudaMalloc(&in, sizeof ones);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice);
    for (int n = 0; n <= 1000; n += 250)
        for (int blocks = 1; blocks <= 5; blocks += 4) {
            cudaMemset(out, 0, sizeof *out);
            share<<<blocks, 96>>>(in, n, out);
            cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
            wrong |= sum != n;
        }
    cudaFree(in);
    cudaFree(out);
    return wrong ? 42 : 0;
}
