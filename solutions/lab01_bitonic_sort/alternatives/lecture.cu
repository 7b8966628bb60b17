// The lecture's kernel with its loops put right, and shared memory of the size of the launch.

__device__ inline void swap(int &a, int &b)
{
    int tmp = a;
    a = b;
    b = tmp;
}

extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[1024];
    const unsigned tid = threadIdx.x;
    values += blockIdx.x * blockDim.x;
    shared[tid] = values[tid];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k <<= 1) {
        for (unsigned j = k / 2; j > 0; j >>= 1) {
            unsigned ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (shared[tid] > shared[ixj])
                        swap(shared[tid], shared[ixj]);
                } else {
                    if (shared[tid] < shared[ixj])
                        swap(shared[tid], shared[ixj]);
                }
            }
            __syncthreads();
        }
    }
    values[tid] = shared[tid];
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
