// A pair a thread: the lower half of the threads does all the work, none of it in vain.

extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[1024];
    int *mine = values + blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    shared[tid] = mine[tid];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            if (tid < blockDim.x / 2) {
                // Insert a 0 into tid at the place of bit j.
                unsigned low = (tid & ~(j - 1)) * 2 | (tid & (j - 1)), high = low | j;
                int a = shared[low], b = shared[high];
                bool ascending = (low & k) == 0;
                shared[low] = ascending ? min(a, b) : max(a, b);
                shared[high] = ascending ? max(a, b) : min(a, b);
            }
            __syncthreads();
        }
    }
    mine[tid] = shared[tid];
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
