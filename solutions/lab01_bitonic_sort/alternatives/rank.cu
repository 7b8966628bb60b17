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

// How many of the `count` ascending values are below `value`, or below or equal.
__device__ unsigned below(const int *values, unsigned count, int value, bool or_equal)
{
    unsigned first = 0;
    while (count > 0) {
        unsigned half = count / 2;
        int middle = values[first + half];
        bool right = middle < value || (or_equal && middle == value);
        first = right ? first + half + 1 : first;
        count = right ? count - half - 1 : half;
    }
    return first;
}

// Sorts the tile by merging: a value's place in two sorted runs is its place in its own plus the
// number of values in the other that come before it.
__device__ void sort_tile(int *tile)
{
    for (unsigned run = 1; run < TILE; run *= 2) {
        int value[TILE / THREADS];
        unsigned place[TILE / THREADS];
        for (unsigned i = 0; i < TILE / THREADS; i++) {
            unsigned l = i * THREADS + threadIdx.x, other = l / run ^ 1;
            value[i] = tile[l];
            place[i] = l / (2 * run) * 2 * run + l % run +
                       below(tile + other * run, run, value[i], other % 2 == 0);
        }
        __syncthreads(); // all have looked
        for (unsigned i = 0; i < TILE / THREADS; i++)
            tile[place[i]] = value[i];
        __syncthreads(); // all are in place
    }
}

extern "C" __global__ void sort_tiles(int *values, unsigned n)
{
    __shared__ int tile[TILE];
    load_tile(tile, values, n);
    sort_tile(tile);
    store_tile(tile, values, n);
}

// Each thread computes what its own 16 values become, from both of each pair; so all must have
// read before anybody writes.
extern "C" __global__ void merge_near(int *values, unsigned n, unsigned j)
{
    __shared__ int tile[TILE];
    load_tile(tile, values, n);
    for (; j > 0; j /= 2) {
        int value[TILE / THREADS];
        for (unsigned i = 0, l = threadIdx.x; l < TILE; i++, l += THREADS)
            value[i] = l & j ? max(tile[l], tile[l ^ j]) : min(tile[l], tile[l ^ j]);
        __syncthreads(); // all have looked
        for (unsigned i = 0, l = threadIdx.x; l < TILE; i++, l += THREADS)
            tile[l] = value[i];
        __syncthreads(); // all are in place
    }
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

// A thread has the 16 rows of one column that four steps connect, and no other thread has them; the
// first four steps and the last four are separated by a barrier.
__device__ void four_steps(int *values, unsigned n, unsigned j, unsigned k, unsigned distance)
{
    unsigned column = threadIdx.x % distance, first = (threadIdx.x - column) * 16;
    bool mirrored = j == k / 2 && distance == TILE / 16;
    for (unsigned d = 8; d > 0; d /= 2)
        for (unsigned i = 0; i < 16; i++) {
            unsigned mine = mirrored && i >= 8 ? distance - 1 - column : column;
            unsigned low = first + i * distance + mine;
            unsigned high = mirrored && d == 8 ? low ^ (TILE - 1) : low + d * distance;
            unsigned a = far_index(low, j, k), b = far_index(high, j, k);
            if ((i & d) == 0 && b < n && values[a] > values[b]) {
                int value = values[a];
                values[a] = values[b];
                values[b] = value;
            }
        }
    __syncthreads();
}

extern "C" __global__ void merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
    four_steps(values, n, j, k, 512);
    four_steps(values, n, j, k, 32);
}
