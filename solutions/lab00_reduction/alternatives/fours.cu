// A tree of fours: each step a quarter of the threads adds three other values. Half as many barriers.

__device__ int tree_sum(int value)
{
    __shared__ int shared[1024];
    shared[threadIdx.x] = value;
    for (unsigned active = blockDim.x; active > 1;) {
        unsigned quarter = (active + 3) / 4;
        __syncthreads();
        if (threadIdx.x < quarter)
            for (unsigned i = threadIdx.x + quarter; i < active; i += quarter)
                shared[threadIdx.x] += shared[i];
        active = quarter;
    }
    return shared[threadIdx.x];
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
