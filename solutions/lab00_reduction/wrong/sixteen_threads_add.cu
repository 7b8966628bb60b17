// verdict: not-as-asked in full_block
// Half a warp adds for all threads of the block: there is no tree.

// With 5 values active, threads 0 and 1 add values 3 and 4, and value 2 stays.
__device__ int tree_sum(int value)
{
    __shared__ int shared[1024];
    shared[threadIdx.x] = value;
    __syncthreads(); // all values are there
    unsigned adders = min(blockDim.x, 16u);
    int sum = 0;
    for (unsigned i = threadIdx.x; threadIdx.x < adders && i < blockDim.x; i += adders)
        sum += shared[i];
    __syncthreads();
    if (threadIdx.x < adders)
        shared[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (unsigned i = 0; threadIdx.x == 0 && i < adders; i++)
        sum += shared[i];
    if (threadIdx.x == 0)
        shared[0] = sum;
    __syncthreads();
    return shared[0];
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
