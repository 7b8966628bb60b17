// Each block adds an item; 42 if one of them is not there in the next launch.
struct queue {
    int total, items[8], sum;
};
__global__ void fill(queue *q)
{
    int item = blockIdx.x + 1;
    SNIPPET
}
__global__ void look(queue *q)
{
    for (int i = 0; i < q->total; i++)
        q->sum += q->items[i];
}
int main()
{
    queue *d, q;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    fill<<<8, 1>>>(d);
    look<<<1, 1>>>(d);
    cudaMemcpy(&q, d, sizeof q, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return q.sum == 36 ? 0 : 42;
}
