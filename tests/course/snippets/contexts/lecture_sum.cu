// The lecture's sum around its guard.
__device__ unsigned int count;
__global__ void k(int *data) // <<<4, 1>>>
{
    int *result = data + 1, partialSum = 1;
    bool isLastBlockDone;
    SNIPPET
    if (isLastBlockDone)
        for (int b = 0; b < gridDim.x; b++)
            data[100] += result[b];
}
