// Tickets are drawn from the counter's other end: the number left is what the ticket says.

// One barrier a call: a value a warp goes through shared memory.
__device__ long long warp_sum(long long value, unsigned lanes)
{
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        long long other = __shfl_down_sync(~0u >> (32 - lanes), value, distance);
        value += threadIdx.x % 32 + distance < lanes ? other : 0;
    }
    return value;
}

__device__ long long block_sum(long long value)
{
    __shared__ long long shared[32];
    unsigned warps = (blockDim.x + 31) / 32, warp = threadIdx.x / 32;
    value = warp_sum(value, min(32u, blockDim.x - warp * 32));
    if (threadIdx.x % 32 == 0)
        shared[warp] = value;
    __syncthreads();
    long long total = 0;
    for (unsigned i = 0; threadIdx.x == 0 && i < warps; i++)
        total += shared[i];
    return total;
}

__device__ long long thread_sum(const int *in, unsigned n)
{
    long long sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    return sum;
}

extern "C" __global__ void block_sums(const int *in, unsigned n, long long *partial)
{
    long long sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__device__ bool last_block(unsigned *counter)
{
    bool last = false;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicSub(counter, 1) == 1 - gridDim.x;
        __threadfence();
    }
    return __syncthreads_or(last);
}

extern "C" __global__ void sum(const int *in, unsigned n, long long *partial, unsigned *counter,
                               long long *out)
{
    long long sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    if (!last_block(counter))
        return;
    long long total = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        total += partial[b];
    total = block_sum(total);
    if (threadIdx.x == 0) {
        *out = total;
        *counter = 0;
    }
}
