// A fetch, called by all threads of two blocks until there is none; 42 if an item was not worked on once.
struct queue {
    unsigned total, current;
    int items[6];
};
__device__ int none() { return -1; }
__device__ int fetch(queue *q)
{
    __shared__ int next;
    unsigned i = threadIdx.x == 0 ? atomicAdd(&q->current, 1) : 0;
    SNIPPET
}
__global__ void work(queue *q, int *times)
{
    for (int it = fetch(q); it >= 0; it = fetch(q))
        atomicAdd(&times[it], 1);
}
int main()
{
    queue filled = {6, 0, {5, 4, 3, 2, 1, 0}}, *q;
    int *times, counted[6], wrong = 0;
    cudaMalloc(&q, sizeof filled);
    cudaMalloc(&times, sizeof counted);
    cudaMemcpy(q, &filled, sizeof filled, cudaMemcpyHostToDevice);
    cudaMemset(times, 0, sizeof counted);
    work<<<2, 64>>>(q, times);
    cudaMemcpy(counted, times, sizeof counted, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++)
        wrong |= counted[i] != 64;
    cudaFree(q);
    cudaFree(times);
    return wrong ? 42 : 0;
}
