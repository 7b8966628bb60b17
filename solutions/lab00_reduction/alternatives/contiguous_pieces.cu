// Each thread adds up a piece of neighbours, not every stride-th element; atomics from each warp.
// (partial_sums deals out as it must: its results are looked at one by one.)

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
    unsigned threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
    size_t first = (size_t)n * me / threads, last = (size_t)n * (me + 1) / threads;
    int sum = 0;
    for (size_t i = first; i < last; i++)
        sum += in[i];
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0 && total != 0)
        atomicAdd(out, total);
}

extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
