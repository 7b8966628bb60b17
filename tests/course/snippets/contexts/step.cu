// One step of the network in shared memory, and the next one.
__device__ void compare_and_swap(int *a, int *b)
{
    if (*a > *b) {
        int other = *a;
        *a = *b;
        *b = other;
    }
}
__global__ void k(int *data) // <<<1, 64>>>
{
    __shared__ int values[64];
    int i = threadIdx.x;
    values[i] = -i;
    __syncthreads();
    for (int j = 32; j > 0; j /= 2) {
        int partner = i ^ j;
        SNIPPET
        __syncthreads();
    }
    data[i] = values[i];
}
