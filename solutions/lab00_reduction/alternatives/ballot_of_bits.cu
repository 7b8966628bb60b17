// Adds 32 values bit by bit: a vote counts how many lanes have a bit set. Odd, and right.

__device__ int warp_total(int value, unsigned mask)
{
    unsigned sum = 0;
    for (int bit = 0; bit < 32; bit++)
        sum += (unsigned)__popc(__ballot_sync(mask, (unsigned)value >> bit & 1)) << bit;
    return (int)sum;
}

__device__ int tree_sum(int value)
{
    __shared__ int shared[32];
    unsigned warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
    unsigned lanes = min(32u, blockDim.x - warp * 32);
    int sum = warp_total(value, ~0u >> (32 - lanes));
    if (threadIdx.x % 32 == 0)
        shared[warp] = sum;
    __syncthreads();
    sum = 0;
    for (unsigned i = 0; i < warps; i++)
        sum += shared[i];
    __syncthreads();
    return sum;
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
