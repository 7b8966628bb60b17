// verdict: wrong-result in very_many
// One partial sum a thread, for blocks of up to 1024 threads: the rest is lost.

// The halving tree, for any number of threads: with 5 active, 0 and 1 add 3 and 4, and 2 stays.
__device__ long long block_sum(long long value)
{
    __shared__ long long shared[1024];
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
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence(); // release: my partial sum is out before my ticket
        last = atomicAdd(counter, 1) == gridDim.x - 1;
        __threadfence(); // acquire: I saw all tickets, so I see what was out before them
    }
    __syncthreads(); // and so does my block
    return last;
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
    for (unsigned b = threadIdx.x; b < min(gridDim.x, 1024u); b += blockDim.x)
        total += partial[b];
    total = block_sum(total);
    if (threadIdx.x == 0) {
        *out = total;
        *counter = 0;
    }
}
