// Each block takes one number; 42 if two have the same.
struct queue {
    unsigned current;
};
__global__ void take(queue *q, int *taken)
{
    unsigned i;
    SNIPPET
    taken[i]++;
}
int main()
{
    int *d, taken[8], wrong = 0;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    take<<<8, 1>>>((queue *)d, d + 1);
    cudaMemcpy(taken, d + 1, sizeof taken, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        wrong |= taken[i] != 1;
    cudaFree(d);
    return wrong ? 42 : 0;
}
