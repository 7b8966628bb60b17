// A block that adds up values in shared memory.
__global__ void k(int *data) // <<<1, 64>>>
{
    __shared__ int shared[1024];
    int t = threadIdx.x, half = 32, value = data[t], sum = 0;
    SNIPPET
    data[64 + t] = t < half ? shared[t] + sum : 0;
}
