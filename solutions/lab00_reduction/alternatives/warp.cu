// At warp level: a warp's values are added by shuffles, one value a warp goes through shared
// memory, and the first warp adds those. One barrier a block.

// The sum over the threads of a warp, in its lane 0. `lanes` of the 32 exist.
__device__ int warp_sum(int value, unsigned lanes)
{
    unsigned lane = threadIdx.x % 32, mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        int other = __shfl_down_sync(mask, value, distance);
        if (lane + distance < lanes)
            value += other;
    }
    return value;
}

__device__ int tree_sum(int value)
{
    __shared__ int shared[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned warps = (blockDim.x + 31) / 32;
    value = warp_sum(value, min(32u, blockDim.x - warp * 32));
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    // Only a full first warp can have others beside it.
    if (warp == 0 && warps > 1)
        value = warp_sum(lane < warps ? shared[lane] : 0, 32);
    return value;
}

__device__ int thread_sum(const int *in, unsigned n)
{
    int sum = 0;
    unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
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
