// All prefix sums, of which the last is the sum: each step a thread adds what is 1, 2, 4, … before it, from one
// array into the other, so that one barrier a step is enough.

__device__ int tree_sum(int value)
{
    __shared__ int sums[2][1024];
    unsigned from = 0;
    sums[0][threadIdx.x] = value;
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2, from ^= 1) {
        int before = threadIdx.x >= distance ? sums[from][threadIdx.x - distance] : 0;
        sums[from ^ 1][threadIdx.x] = sums[from][threadIdx.x] + before;
        __syncthreads();
    }
    return sums[from][blockDim.x - 1];
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
