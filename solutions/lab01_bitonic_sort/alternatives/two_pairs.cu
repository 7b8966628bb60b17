// A thread of part B does two pairs, and half of the blocks none.

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
    unsigned mask = ~0u >> (32 - min(blockDim.x, 32u)); // lanes that are there
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
    unsigned p = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    for (unsigned q = p; q < p + 2 && q < gridDim.x * blockDim.x / 2; q++) {
        unsigned i = q / j * 2 * j + q % j, partner = i + j;
        int a = values[i], b = values[partner];
        if ((a > b) == ((i & k) == 0)) {
            values[i] = b;
            values[partner] = a;
        }
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

#define TILE 8192       // values that a block of part D sorts or merges, in shared memory
#define TILE_STEPS 13   // steps of a merge of so many
#define THREADS 512     // threads of such a block
#define KEYS 16         // TILE / THREADS: a thread has so many in registers, for
#define STEPS 4         // steps in a row
#define LAST 0x7fffffff // stands where there is no value any more: it comes after all others

__device__ void order(int &a, int &b)
{
    int low = min(a, b);
    b = max(a, b);
    a = low;
}

// Steps of a merge in registers: the keys j, j/2, … 1 apart. Where a merge begins its first step is
// mirrored: the pairs are 0 and 2j - 1, 1 and 2j - 2, …
__device__ void merge_keys(int (&key)[KEYS], int j, bool mirrored)
{
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        if ((i & j) == 0 && mirrored)
            order(key[i], key[i ^ (2 * j - 1)]);
        else if ((i & j) == 0)
            order(key[i], key[i | j]);
#pragma unroll
    for (j /= 2; j > 0; j /= 2)
#pragma unroll
        for (int i = 0; i < KEYS; i++)
            if ((i & j) == 0)
                order(key[i], key[i | j]);
}

// Four steps of a merge, at the distances 8, 4, 2 and 1 times 2^shift, are a pass: a thread takes
// the 16 values that they connect. This is where in the tile its i-th value is.
__device__ unsigned place(unsigned i, unsigned shift, bool mirrored)
{
    unsigned last = (1u << shift) - 1, column = threadIdx.x & last;
    unsigned row = (threadIdx.x - column) * KEYS;
    return row + (i << shift) + (mirrored && i >= KEYS / 2 ? last - column : column);
}

// Where value l of a tile lies in shared memory. A gap after each 32 keeps values that are 16 or
// more apart in different banks.
__device__ unsigned slot(unsigned l)
{
    return l + l / 32;
}

__device__ void take(int (&key)[KEYS], const int *tile, unsigned shift, bool mirrored)
{
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        key[i] = tile[slot(place(i, shift, mirrored))];
}

__device__ void put(const int (&key)[KEYS], int *tile, unsigned shift, bool mirrored)
{
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        tile[slot(place(i, shift, mirrored))] = key[i];
    __syncthreads(); // the next pass takes what others have put
}

// All steps of a merge below 2^shift. Where fewer than four are left, the last pass repeats some that
// were done: they find all pairs in order.
__device__ void merge_below(int *tile, unsigned shift)
{
    int key[KEYS];
    while (shift > 0) {
        shift -= min(shift, STEPS);
        take(key, tile, shift, false);
        merge_keys(key, KEYS / 2, false);
        put(key, tile, shift, false);
    }
}

// The block's tile begins at blockIdx.x * TILE.
__device__ void load_tile(int *tile, const int *values, unsigned n)
{
#pragma unroll 4
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned l = i * THREADS + threadIdx.x, from = blockIdx.x * TILE + l;
        tile[slot(l)] = from < n ? values[from] : LAST;
    }
    __syncthreads();
}

__device__ void store_tile(const int *tile, int *values, unsigned n)
{
#pragma unroll 4
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned l = i * THREADS + threadIdx.x, to = blockIdx.x * TILE + l;
        if (to < n)
            values[to] = tile[slot(l)];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 3) sort_tiles(int *values, unsigned n)
{
    __shared__ int tile[TILE + TILE / 32];
    int key[KEYS];
    load_tile(tile, values, n);
    take(key, tile, 0, false);
#pragma unroll
    for (int j = 1; j < KEYS; j *= 2)
        merge_keys(key, j, true);
    put(key, tile, 0, false);
    for (unsigned shift = 1; shift <= TILE_STEPS - STEPS; shift++) {
        take(key, tile, shift, true);
        merge_keys(key, KEYS / 2, true);
        put(key, tile, shift, true);
        merge_below(tile, shift);
    }
    store_tile(tile, values, n);
}

extern "C" __global__ void __launch_bounds__(THREADS, 3)
    merge_near(int *values, unsigned n, unsigned j)
{
    __shared__ int tile[TILE + TILE / 32];
    int key[KEYS];
    unsigned shift = 32 - __clz(j); // so many steps
    shift -= min(shift, STEPS);
#pragma unroll
    for (int i = 0; i < KEYS; i++) { // the first pass takes its values from memory directly
        unsigned from = blockIdx.x * TILE + place(i, shift, false);
        key[i] = from < n ? values[from] : LAST;
    }
    merge_keys(key, KEYS / 2, false);
    put(key, tile, shift, false);
    merge_below(tile, shift);
    store_tile(tile, values, n);
}

// A tile of 256 rows of 32 neighbours, the rows j/128 apart. A thread first takes every 16th row, then
// 16 rows that follow each other. Of a mirrored step the upper half lies mirrored, so that the tile
// has both values of each pair.
extern "C" __global__ void __launch_bounds__(THREADS, 3)
    merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
    __shared__ int tile[TILE + TILE / 32];
    int key[KEYS];
    bool mirrored = j == k / 2;
    unsigned apart = j / 128, tiles = apart / 32; // in 2j values
    unsigned base = blockIdx.x / tiles * 2 * j, column = blockIdx.x % tiles * 32;
    unsigned row = threadIdx.x / 32, lane = threadIdx.x % 32;

    unsigned lower = row * apart + column + lane, upper = mirrored ? 16 * apart - 1 - lower : lower;
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        unsigned from = base + i * 16 * apart + (i < KEYS / 2 ? lower : upper);
        key[i] = from < n ? values[from] : LAST;
    }
    merge_keys(key, KEYS / 2, mirrored); // rows 128, 64, 32, 16 apart
    put(key, tile, 9, mirrored);
    take(key, tile, 5, false);
    merge_keys(key, KEYS / 2, false); // and 8, 4, 2, 1
    column = mirrored && row >= 8 ? apart - 32 - column : column;
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        unsigned to = base + (row * 16 + i) * apart + column + lane;
        if (to < n)
            values[to] = key[i];
    }
}
