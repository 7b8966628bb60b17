// A sum around the guard as it was published.
SNIPPET
__global__ void k(int *data) // <<<4, 32>>>
{
    int *partial = data + 1, *counter = data;
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    if (lastBlock(counter) && threadIdx.x == 0)
        for (int b = 0; b < gridDim.x; b++)
            data[100] += partial[b];
}
