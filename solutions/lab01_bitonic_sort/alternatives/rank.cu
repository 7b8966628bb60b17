// Another algorithm: a value's place is the number of values that come before it. Quadratic work,
// two barriers.

extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[1024];
    int *mine = values + blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x, place = 0;
    shared[tid] = mine[tid];
    __syncthreads();
    for (unsigned i = 0; i < blockDim.x; i++)
        place += shared[i] < shared[tid] || (shared[i] == shared[tid] && i < tid);
    mine[place] = shared[tid];
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
