// verdict: wrong-result
// merge_far pairs rows as if no merge began in it: the two runs ascend both, and are not bitonic.

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

#define TILE 8192       // values that a block of part D works on
#define THREADS 512     // threads of such a block
#define LAST 0x7fffffff // stands where there is no value any more

__device__ void load_tile(int *tile, const int *values, unsigned n)
{
    for (unsigned l = threadIdx.x, i = blockIdx.x * TILE + l; l < TILE; l += THREADS, i += THREADS)
        tile[l] = i < n ? values[i] : LAST;
    __syncthreads();
}

__device__ void store_tile(const int *tile, int *values, unsigned n)
{
    for (unsigned l = threadIdx.x, i = blockIdx.x * TILE + l; l < TILE; l += THREADS, i += THREADS)
        if (i < n)
            values[i] = tile[l];
}

// One step on the tile, eight pairs a thread.
__device__ void tile_step(int *tile, unsigned j, bool mirrored)
{
    for (unsigned pair = threadIdx.x; pair < TILE / 2; pair += THREADS) {
        // Insert a 0 into the pair's number at the place of bit j.
        unsigned low = (pair & ~(j - 1)) * 2 | (pair & (j - 1));
        unsigned high = mirrored ? low ^ (2 * j - 1) : low | j;
        int a = tile[low], b = tile[high];
        tile[low] = min(a, b);
        tile[high] = max(a, b);
    }
    __syncthreads();
}

extern "C" __global__ void sort_tiles(int *values, unsigned n)
{
    __shared__ int tile[TILE];
    load_tile(tile, values, n);
    for (unsigned k = 2; k <= TILE; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2)
            tile_step(tile, j, j == k / 2);
    store_tile(tile, values, n);
}

extern "C" __global__ void merge_near(int *values, unsigned n, unsigned j)
{
    __shared__ int tile[TILE];
    load_tile(tile, values, n);
    for (; j > 0; j /= 2)
        tile_step(tile, j, false);
    store_tile(tile, values, n);
}

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

extern "C" __global__ void merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
    __shared__ int tile[TILE];
    for (unsigned l = threadIdx.x; l < TILE; l += THREADS) {
        unsigned i = far_index(l, j, k);
        tile[l] = i < n ? values[i] : LAST;
    }
    __syncthreads();
    for (unsigned distance = TILE / 2; distance >= 32; distance /= 2)
        tile_step(tile, distance, false);
    for (unsigned l = threadIdx.x; l < TILE; l += THREADS) {
        unsigned i = far_index(l, j, k);
        if (i < n)
            values[i] = tile[l];
    }
}
