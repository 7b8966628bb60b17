// The lecture's ticket in two launches, with the acquire that it lacks: 42 if the second has no last block.
__device__ unsigned int count;
__global__ void draw(int *lasts)
{
    int *result = lasts + 1, partialSum = 1;
    bool isLastBlockDone;
    SNIPPET
    __threadfence();
    if (isLastBlockDone)
        ++*lasts;
}
int main()
{
    int *d, lasts;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    draw<<<4, 1>>>(d);
    draw<<<4, 1>>>(d);
    cudaMemcpy(&lasts, d, sizeof lasts, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return lasts == 2 ? 0 : 42;
}
