// A barrier under a condition that is the same for all.
__global__ void k(int *data) // <<<2, 64>>>
{
    int n = gridDim.x * 60;
    data[blockIdx.x * 64 + threadIdx.x] = 1;
    SNIPPET
    data[128 + blockIdx.x * 64 + threadIdx.x] = data[blockIdx.x * 64 + (threadIdx.x ^ 63)];
}
