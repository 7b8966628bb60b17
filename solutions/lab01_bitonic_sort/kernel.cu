// lab01, the reference. Part A keeps each thread's value in a register: steps within a warp go by
// shuffle, wider ones through shared memory with a barrier before and after the read. Part D keeps 16
// values a thread in registers and does four steps on them between two barriers.

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

#define TILE 8192       // values that a block of part D sorts or merges, in shared memory
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

// Where value l of a tile lies in shared memory. A gap after each 32 keeps values that are 16 or
// more apart in different banks. With no bit in common, slot(a + b) is slot(a) + slot(b).
__device__ unsigned slot(unsigned l)
{
    return l + l / 32;
}

// Four steps of a merge, at the distances 8, 4, 2 and 1 times 2^shift: a thread takes the 16 values
// that they connect, and puts them back where they were, so that only the end needs a barrier.
__device__ void pass(int *tile, unsigned shift, bool mirrored)
{
    unsigned last = (1u << shift) - 1, column = threadIdx.x & last;
    unsigned row = (threadIdx.x - column) * KEYS;
    int *lower = tile + slot(row + column);
    int *upper = tile + slot(row + (mirrored ? last - column : column));
    int key[KEYS];
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        key[i] = (i < KEYS / 2 ? lower : upper)[slot(i << shift)];
    merge_keys(key, KEYS / 2, mirrored);
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        (i < KEYS / 2 ? lower : upper)[slot(i << shift)] = key[i];
    __syncthreads(); // the next pass takes what others have put back
}

// All steps of a merge below 2^shift. Where fewer than four are left, the last pass repeats some that
// were done: they find all pairs in order.
__device__ void merge_below(int *tile, unsigned shift)
{
    while (shift > 0) {
        shift -= min(shift, STEPS);
        pass(tile, shift, false);
    }
}

__device__ void load_tile(int *tile, const int *values, unsigned n)
{
    unsigned first = blockIdx.x * TILE;
#pragma unroll 4
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned l = i * THREADS + threadIdx.x;
        tile[slot(l)] = first + l < n ? values[first + l] : LAST;
    }
    __syncthreads();
}

__device__ void store_tile(const int *tile, int *values, unsigned n)
{
    unsigned first = blockIdx.x * TILE;
#pragma unroll 4
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned l = i * THREADS + threadIdx.x;
        if (first + l < n)
            values[first + l] = tile[slot(l)];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 3) sort_tiles(int *values, unsigned n)
{
    __shared__ int tile[TILE + TILE / 32];
    load_tile(tile, values, n);
    int *mine = tile + slot(threadIdx.x * KEYS), key[KEYS];
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        key[i] = mine[i];
#pragma unroll
    for (int j = 1; j < KEYS; j *= 2)
        merge_keys(key, j, true);
#pragma unroll
    for (int i = 0; i < KEYS; i++)
        mine[i] = key[i];
    __syncthreads();
    for (unsigned shift = 1; KEYS << shift <= TILE; shift++) {
        pass(tile, shift, true);
        merge_below(tile, shift);
    }
    store_tile(tile, values, n);
}

extern "C" __global__ void __launch_bounds__(THREADS, 3)
    merge_near(int *values, unsigned n, unsigned j)
{
    __shared__ int tile[TILE + TILE / 32];
    load_tile(tile, values, n);
    merge_below(tile, 32 - __clz(j));
    store_tile(tile, values, n);
}

// Which value is the l-th of this block's tile: 256 rows of 32 neighbours, the rows j/128 apart. Of
// a mirrored step the upper half lies mirrored, so that the tile has both values of each pair.
__device__ unsigned far_index(unsigned l, unsigned j, unsigned k)
{
    unsigned row = l / 32, apart = j / 128, tiles = apart / 32;
    unsigned column = blockIdx.x % tiles * 32;
    if (j == k / 2 && row >= 128)
        column = apart - 32 - column;
    return blockIdx.x / tiles * 2 * j + row * apart + column + l % 32;
}

extern "C" __global__ void __launch_bounds__(THREADS, 3)
    merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
    __shared__ int tile[TILE + TILE / 32];
#pragma unroll 4
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned l = i * THREADS + threadIdx.x, from = far_index(l, j, k);
        tile[slot(l)] = from < n ? values[from] : LAST;
    }
    __syncthreads();
    pass(tile, 9, j == k / 2); // rows 128, 64, 32, 16 apart
    pass(tile, 5, false);      // and 8, 4, 2, 1
#pragma unroll 4
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned l = i * THREADS + threadIdx.x, to = far_index(l, j, k);
        if (to < n)
            values[to] = tile[slot(l)];
    }
}
