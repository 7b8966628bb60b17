// A block sorts 64 values by the network; 42 if they do not come out sorted.
// replace: partner = i ^ j; => { partner = i ^ j; compare_and_swap(a, i, partner, k); }
__device__ void compare_and_swap(int *a, int i, int partner, int k)
{
    if (partner > i && ((i & k) == 0) == (a[i] > a[partner])) {
        int other = a[i];
        a[i] = a[partner];
        a[partner] = other;
    }
    __syncthreads();
}
__global__ void sort(int *values, int n)
{
    __shared__ int a[64];
    int i = threadIdx.x, k, j, partner;
    a[i] = values[i];
    __syncthreads();
    SNIPPET
    values[i] = a[i];
}
int main()
{
    int *d, values[64], wrong = 0;
    for (int i = 0; i < 64; i++)
        values[i] = i * 37 % 64;
    cudaMalloc(&d, sizeof values);
    cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice);
    sort<<<1, 64>>>(d, 64);
    cudaMemcpy(values, d, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        wrong |= values[i] != i;
    cudaFree(d);
    return wrong ? 42 : 0;
}
