// verdict: not-as-asked in grid
// Part B: no atomicAdd on *out: a ticket of its own makes the last block write the sum.

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

__device__ unsigned tickets;
__device__ int total;

extern "C" __global__ void grid_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0) {
        atomicAdd(&total, sum);
        __threadfence();
        if (atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            *out = atomicExch(&total, 0);
        }
    }
}

extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
