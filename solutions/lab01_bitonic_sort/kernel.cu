// lab01, the reference: each thread keeps its value in a register. Steps within a warp go by
// shuffle, wider ones through shared memory with a barrier before and after the read.

// The value of this thread after the step (k, j), its own and its partner's being known.
__device__ int keep(int mine, int other, unsigned tid, unsigned j, unsigned k)
{
    bool lower = (tid & j) == 0, ascending = (tid & k) == 0;
    return lower == ascending ? min(mine, other) : max(mine, other);
}

extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[1024];
    int *block = values + blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    unsigned mask = blockDim.x >= 32 ? ~0u : (1u << blockDim.x) - 1;
    int mine = block[tid];
    for (unsigned k = 2; k <= blockDim.x; k *= 2) {
        unsigned j = k / 2;
        for (; j >= 32; j /= 2) {
            shared[tid] = mine;
            __syncthreads(); // the partner's value is there
            int other = shared[tid ^ j];
            __syncthreads(); // the partner has read mine
            mine = keep(mine, other, tid, j, k);
        }
        for (; j > 0; j /= 2)
            mine = keep(mine, __shfl_xor_sync(mask, mine, j), tid, j, k);
    }
    block[tid] = mine;
}

extern "C" __global__ void sort_step(int *values, unsigned j, unsigned k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ j;
    if (partner < i)
        return;
    int a = values[i], b = values[partner];
    if ((a > b) == ((i & k) == 0)) {
        values[i] = b;
        values[partner] = a;
    }
}

extern "C" __global__ void sort_any(int *values, unsigned n, unsigned j, unsigned k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned partner = j == k / 2 ? i ^ (k - 1) : i ^ j;
    if (partner < i || partner >= n)
        return;
    int a = values[i], b = values[partner];
    if (a > b) {
        values[i] = b;
        values[partner] = a;
    }
}
