// Two levels: 32 threads add up 32 strided values each, and a warp's shuffles the rest.

__device__ int tree_sum(int value)
{
    __shared__ int shared[1024];
    __shared__ int total;
    shared[threadIdx.x] = value;
    __syncthreads();
    unsigned lanes = min(blockDim.x, 32u), mask = ~0u >> (32 - lanes);
    if (threadIdx.x < lanes) {
        int sum = 0;
        for (unsigned i = threadIdx.x; i < blockDim.x; i += lanes)
            sum += shared[i];
        for (unsigned distance = 16; distance > 0; distance /= 2) {
            int other = __shfl_down_sync(mask, sum, distance);
            sum += threadIdx.x + distance < lanes ? other : 0;
        }
        if (threadIdx.x == 0)
            total = sum;
    }
    __syncthreads();
    return total;
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
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
