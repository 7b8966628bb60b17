// Each block draws a ticket; 42 if not exactly one is the last.
__global__ void draw(unsigned *counter, int *lasts)
{
    unsigned ticket;
    bool last;
    SNIPPET
    if (last)
        atomicAdd(lasts, 1);
}
int main()
{
    int *d, lasts;
    cudaMalloc(&d, 2 * sizeof *d);
    cudaMemset(d, 0, 2 * sizeof *d);
    draw<<<9, 1>>>((unsigned *)d, d + 1);
    cudaMemcpy(&lasts, d + 1, sizeof lasts, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return lasts == 1 ? 0 : 42;
}
