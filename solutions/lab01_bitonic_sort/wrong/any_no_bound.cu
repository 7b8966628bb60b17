// verdict: out-of-bounds @8
// For any n: a partner past the end is compared with.

extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[1024];
    int *mine = values + blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    shared[tid] = mine[tid];
    __syncthreads(); // all values are there
    for (unsigned k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned partner = tid ^ j;
            if (partner > tid) {
                int a = shared[tid], b = shared[partner];
                if ((a > b) == ((tid & k) == 0)) {
                    shared[tid] = b;
                    shared[partner] = a;
                }
            }
            __syncthreads(); // the step has ended
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
    if (partner < i || i >= n)
        return;
    int a = values[i], b = values[partner]; // @8
    if (a > b) {
        values[i] = b;
        values[partner] = a;
    }
}

// Part D is not reached.
extern "C" __global__ void sort_tiles(int *values, unsigned n)
{
}

extern "C" __global__ void merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
}

extern "C" __global__ void merge_near(int *values, unsigned n, unsigned j)
{
}
