// A step of the tree: the values are there, and 16 of a warp's threads add.
__global__ void k(int *data) // <<<1, 32>>>
{
    __shared__ int shared[1024];
    int t = threadIdx.x, half = 16;
    shared[t] = data[t];
    __syncthreads();
    SNIPPET
    __syncthreads();
    data[t] = shared[0];
}
