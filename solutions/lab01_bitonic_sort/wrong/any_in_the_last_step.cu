// verdict: not-as-asked in large
// All launches but the last do nothing; in that one a single thread sorts.

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

__device__ void sort_alone(int *values, unsigned n, unsigned gap)
{
    for (unsigned i = gap; i < n; i++) {
        int value = values[i];
        unsigned at = i;
        for (; at >= gap && values[at - gap] > value; at -= gap)
            values[at] = values[at - gap];
        values[at] = value;
    }
}


extern "C" __global__ void sort_any(int *values, unsigned n, unsigned j, unsigned k)
{
    if (blockIdx.x > 0 || threadIdx.x > 0 || j > 1 || k < n)
        return;
    for (unsigned gap = 1024; gap > 0; gap /= 2)
        sort_alone(values, n, gap > 1 ? gap - 1 : 1);
}

#define TILE 8192   // values that a block of part D works on
#define THREADS 512 // threads of such a block

// Which value is the l-th of this block's tile: 256 rows of 32 neighbours, the rows j/128 apart. Of
// a mirrored step the upper half lies mirrored, so that the tile has both values of each pair.
__device__ unsigned far_index(unsigned l, unsigned j, unsigned k)
{
    unsigned row = l / 32, apart = j / 128, tiles = apart / 32;
    unsigned lower = blockIdx.x % tiles * 32;
    unsigned upper = j == k / 2 ? apart - 32 - lower : lower;
    unsigned column = row < 128 ? lower : upper;
    return blockIdx.x / tiles * 2 * j + row * apart + column + l % 32;
}

// Part D without shared memory: a block's threads see each other's stores behind a barrier also in
// global memory. A pair whose upper value does not exist is left alone, as in part C.
__device__ void put_in_order(int *values, unsigned n, unsigned low, unsigned high)
{
    if (high < n && values[low] > values[high])
        swap(values[low], values[high]);
}

__device__ void near_step(int *values, unsigned n, unsigned j, bool mirrored)
{
    for (unsigned pair = threadIdx.x; pair < TILE / 2; pair += THREADS) {
        unsigned low = blockIdx.x * TILE + ((pair & ~(j - 1)) << 1 | (pair & (j - 1)));
        put_in_order(values, n, low, mirrored ? low ^ (2 * j - 1) : low | j);
    }
    __syncthreads();
}

extern "C" __global__ void sort_tiles(int *values, unsigned n)
{
    for (unsigned k = 2; k <= TILE; k <<= 1)
        for (unsigned j = k / 2; j > 0; j >>= 1)
            near_step(values, n, j, j == k / 2);
}

extern "C" __global__ void merge_near(int *values, unsigned n, unsigned j)
{
    for (; j > 0; j >>= 1)
        near_step(values, n, j, false);
}

extern "C" __global__ void merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
    for (unsigned distance = TILE / 2; distance >= 32; distance >>= 1) {
        bool mirrored = distance == TILE / 2 && j == k / 2;
        for (unsigned pair = threadIdx.x; pair < TILE / 2; pair += THREADS) {
            unsigned low = (pair & ~(distance - 1)) << 1 | (pair & (distance - 1));
            unsigned high = mirrored ? low ^ (TILE - 1) : low | distance;
            put_in_order(values, n, far_index(low, j, k), far_index(high, j, k));
        }
        __syncthreads();
    }
}
