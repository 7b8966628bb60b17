// A warp sorts 32 values in registers; 42 if they do not come out sorted.
__global__ void sort(int *values)
{
    int i = threadIdx.x, mine = values[i], other;
    unsigned mask = ~0u;
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            bool lower = (i & j) == 0, ascending = (i & k) == 0;
            SNIPPET
        }
    values[i] = mine;
}
int main()
{
    int *d, values[32], wrong = 0;
    for (int i = 0; i < 32; i++)
        values[i] = i * 13 % 32;
    cudaMalloc(&d, sizeof values);
    cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice);
    sort<<<1, 32>>>(d);
    cudaMemcpy(values, d, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong |= values[i] != i;
    cudaFree(d);
    return wrong ? 42 : 0;
}
