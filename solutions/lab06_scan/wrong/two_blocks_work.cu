// verdict: not-as-asked in scan_many
// Part C: two blocks work; one of them does a single tile.

#include <cuda/atomic>

#define ITEMS 16 // values of a thread

// What a tile's word says: nothing yet; the sum of the tile alone; the sum of all up to its end.
#define NOTHING 0u
#define AGGREGATE 1u
#define PREFIX 2u

typedef unsigned long long word; // state in the upper half, sum in the lower one

// The sum of the values of this lane and those below.
__device__ unsigned warp_scan(unsigned value)
{
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        unsigned other = __shfl_up_sync(~0u, value, distance);
        if (threadIdx.x % 32 >= distance)
            value += other;
    }
    return value;
}

// The sum of the values of all threads before this one in the block; *total is that of all threads.
__device__ unsigned block_before(unsigned value, unsigned *total)
{
    __shared__ unsigned sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned sum = warp_scan(value), before = 0;
    if (lane == 31)
        sums[warp] = sum;
    __syncthreads();
    *total = 0;
    for (unsigned w = 0; w < warps; w++) {
        if (w == warp)
            before = *total;
        *total += sums[w];
    }
    return before + sum - value;
}

// This thread's ITEMS neighbouring elements, each with what comes before it in the tile. Returns the tile's sum.
__device__ unsigned scan_tile(const unsigned *in, unsigned n, unsigned tile, unsigned v[ITEMS])
{
    size_t first = ((size_t)tile * blockDim.x + threadIdx.x) * ITEMS;
    unsigned total;
    for (unsigned k = 0; k < ITEMS; k++)
        v[k] = first + k < n ? in[first + k] : 0;
    for (unsigned k = 1; k < ITEMS; k++)
        v[k] += v[k - 1];
    unsigned before = block_before(v[ITEMS - 1], &total);
    for (unsigned k = 0; k < ITEMS; k++)
        v[k] += before;
    return total;
}

__device__ void store_tile(unsigned *out, unsigned n, unsigned tile, const unsigned v[ITEMS],
                           unsigned before)
{
    size_t first = ((size_t)tile * blockDim.x + threadIdx.x) * ITEMS;
    for (unsigned k = 0; k < ITEMS; k++)
        if (first + k < n)
            out[first + k] = v[k] + before;
}

extern "C" __global__ void scan_tiles(const unsigned *in, unsigned n, unsigned *out)
{
    unsigned v[ITEMS];
    scan_tile(in, n, blockIdx.x, v);
    store_tile(out, n, blockIdx.x, v, 0);
}

__device__ unsigned next_tile(unsigned *ticket)
{
    __shared__ unsigned tile;
    __syncthreads(); // all have read the last one
    if (threadIdx.x == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();
    return tile;
}

extern "C" __global__ void chain(const unsigned *in, unsigned n, unsigned *ticket,
                                 unsigned *prefix, unsigned *ready, unsigned *out)
{
    __shared__ unsigned before;
    unsigned v[ITEMS];
    unsigned tile = next_tile(ticket);
    unsigned total = scan_tile(in, n, tile, v);
    if (threadIdx.x == 0) {
        before = 0;
        if (tile > 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_device> its(ready[tile - 1]);
            while (its.load(cuda::memory_order_acquire) == 0) {
            }
            before = prefix[tile - 1];
        }
        prefix[tile] = before + total;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> mine(ready[tile]);
        mine.store(1, cuda::memory_order_release);
    }
    __syncthreads();
    store_tile(out, n, tile, v, before);
}

extern "C" __global__ void reset(unsigned *ticket, word *state, unsigned tiles)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
    if (first == 0)
        *ticket = 0;
    for (unsigned t = first; t < tiles; t += gridDim.x * blockDim.x)
        state[t] = 0;
}

__device__ void publish(word *state, unsigned tile, unsigned what, unsigned sum)
{
    cuda::atomic_ref<word, cuda::thread_scope_device> mine(state[tile]);
    mine.store((word)what << 32 | sum, cuda::memory_order_relaxed);
}

__device__ word look(word *state, unsigned tile)
{
    cuda::atomic_ref<word, cuda::thread_scope_device> its(state[tile]);
    return its.load(cuda::memory_order_relaxed);
}

// The sum of all tiles before this one, in lane 0: a whole warp looks at 32 tiles at a time.
__device__ unsigned look_back(word *state, unsigned tile)
{
    unsigned lane = threadIdx.x % 32, sum = 0;
    for (unsigned end = tile; end > 0; end = end < 32 ? 0 : end - 32) {
        word its = (word)PREFIX << 32; // before the first tile: 0
        if (lane < end)
            do
                its = look(state, end - 1 - lane);
            while (its >> 32 == NOTHING);
        unsigned prefixes = __ballot_sync(~0u, its >> 32 == PREFIX);
        bool counts = prefixes == 0 || lane <= __ffs(prefixes) - 1;
        unsigned value = counts ? (unsigned)its : 0;
        for (unsigned distance = 16; distance > 0; distance /= 2)
            value += __shfl_down_sync(~0u, value, distance);
        sum += value;
        if (prefixes)
            break;
    }
    return sum;
}

extern "C" __global__ void scan(const unsigned *in, unsigned n, unsigned *ticket, word *state,
                                unsigned *out)
{
    __shared__ unsigned before;
    unsigned v[ITEMS];
    unsigned size = blockDim.x * ITEMS, tiles = n / size + (n % size != 0);
    if (blockIdx.x > 1)
        return;
    for (unsigned tile = next_tile(ticket); tile < tiles; tile = next_tile(ticket)) {
        unsigned total = scan_tile(in, n, tile, v);
        if (threadIdx.x == 0 && tile > 0)
            publish(state, tile, AGGREGATE, total);
        if (threadIdx.x < 32) {
            unsigned sum = look_back(state, tile);
            if (threadIdx.x == 0) {
                publish(state, tile, PREFIX, sum + total);
                before = sum;
            }
        }
        __syncthreads();
        store_tile(out, n, tile, v, before);
        if (blockIdx.x == 1)
            return;
    }
}

extern "C" __global__ void prefixes(word *state, unsigned *out)
{
    unsigned sum = look_back(state, blockIdx.x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
