// Each thread adds from its last element to its first; the last thread of a block adds to *out.

// With 5 values active, threads 0 and 1 add values 3 and 4, and value 2 stays.
__device__ int tree_sum(int value)
{
    __shared__ int shared[1024];
    shared[threadIdx.x] = value;
    __syncthreads(); // all values are there
    for (unsigned active = blockDim.x; active > 1;) {
        unsigned half = (active + 1) / 2;
        if (threadIdx.x + half < active)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads(); // all of this step's sums are there
        active = half;
    }
    return shared[0];
}

__device__ int thread_sum(const int *in, unsigned n)
{
    unsigned stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned count = first < n ? (n - first - 1) / stride + 1 : 0;
    int sum = 0;
    while (count-- > 0)
        sum += in[first + count * stride];
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
    if (threadIdx.x == blockDim.x - 1)
        atomicAdd(out, sum);
}

extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
