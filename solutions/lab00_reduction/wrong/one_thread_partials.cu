// verdict: not-as-asked in two
// One thread adds up for all blocks.

// Adds up the block's values in shared memory by halves; any number of threads.
__device__ int tree_sum(int value)
{
    __shared__ int shared[1024];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned active = blockDim.x; active > 1;) {
        unsigned half = (active + 1) / 2;
        if (threadIdx.x + half < active)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
        active = half;
    }
    return shared[0];
}

__device__ int thread_sum(const int *in, unsigned n)
{
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    return sum;
}

extern "C" __global__ void block_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(threadIdx.x < n ? in[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *out = sum;
}

extern "C" __global__ void grid_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (unsigned b = 0; b < gridDim.x; b++)
        out[b] = 0;
    for (unsigned i = 0; i < n; i++)
        out[i / blockDim.x % gridDim.x] += in[i];
}
