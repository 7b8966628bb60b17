// Each lane looks at two tiles that are neighbours, so 64 tiles at once.

#include <cuda/atomic>

#define ITEMS 16 // values of a thread

// What a tile's word says: nothing yet; the sum of the tile alone; the sum of all up to its end.
#define NOTHING 0u
#define AGGREGATE 1u
#define PREFIX 2u

typedef unsigned long long word; // state in the upper half, sum in the lower one

// The sum of the values of this lane and those below. All lanes of the warp call it.
__device__ unsigned warp_scan(unsigned value)
{
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        unsigned other = __shfl_up_sync(~0u, value, distance);
        if (threadIdx.x % 32 >= distance)
            value += other;
    }
    return value;
}

// The sum of the values of all warps before this one; *total is that of all. `value` is the warp's.
__device__ unsigned warps_before(unsigned value, unsigned *total)
{
    __shared__ unsigned sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    unsigned own = lane < warps ? sums[lane] : 0;
    unsigned sum = warp_scan(own);
    *total = __shfl_sync(~0u, sum, 31);
    return __shfl_sync(~0u, sum - own, warp);
}

// Where this thread's q-th four elements lie.
__device__ size_t place(unsigned tile, unsigned q)
{
    size_t warp = (size_t)tile * blockDim.x + threadIdx.x / 32 * 32;
    return warp * ITEMS + q * 128 + threadIdx.x % 32 * 4;
}

// The last elements, fewer than four. Not inlined, since only the last tile comes here.
__device__ __noinline__ uint4 load_rest(const unsigned *in, unsigned n, size_t i)
{
    uint4 v = {0, 0, 0, 0};
    if (i < n)
        v.x = in[i];
    if (i + 1 < n)
        v.y = in[i + 1];
    if (i + 2 < n)
        v.z = in[i + 2];
    return v;
}

__device__ __noinline__ void store_rest(unsigned *out, unsigned n, size_t i, uint4 v)
{
    if (i < n)
        out[i] = v.x;
    if (i + 1 < n)
        out[i + 1] = v.y;
    if (i + 2 < n)
        out[i + 2] = v.z;
}

__device__ uint4 load(const unsigned *in, unsigned n, size_t i)
{
    return i + 4 <= n ? *(const uint4 *)(in + i) : load_rest(in, n, i);
}

__device__ void store(unsigned *out, unsigned n, size_t i, uint4 v)
{
    if (i + 4 <= n)
        *(uint4 *)(out + i) = v;
    else
        store_rest(out, n, i, v);
}

// Is every element of the tile there?
__device__ bool is_full(unsigned n, unsigned tile)
{
    return ((size_t)tile + 1) * blockDim.x * ITEMS <= n;
}

// A full tile is loaded and stored without a test a piece, and past the caches: nobody needs it again.
__device__ void load_tile(const unsigned *in, unsigned n, unsigned tile, uint4 v[ITEMS / 4])
{
    if (is_full(n, tile))
        for (unsigned q = 0; q < ITEMS / 4; q++)
            v[q] = __ldcs((const uint4 *)(in + place(tile, q)));
    else
        for (unsigned q = 0; q < ITEMS / 4; q++)
            v[q] = load(in, n, place(tile, q));
}

// Sums within the tile, up to and including each value. Returns the whole tile's, in all threads.
__device__ unsigned scan_tile(const unsigned *in, unsigned n, unsigned tile, uint4 v[ITEMS / 4])
{
    load_tile(in, n, tile, v);
    unsigned before[ITEMS / 4], carry = 0, total;
    for (unsigned q = 0; q < ITEMS / 4; q++) {
        unsigned mine = v[q].x + v[q].y + v[q].z + v[q].w;
        unsigned sum = warp_scan(mine);
        before[q] = carry + sum - mine;
        carry += __shfl_sync(~0u, sum, 31);
    }
    unsigned warps = warps_before(carry, &total);
    for (unsigned q = 0; q < ITEMS / 4; q++) {
        v[q].x += warps + before[q];
        v[q].y += v[q].x;
        v[q].z += v[q].y;
        v[q].w += v[q].z;
    }
    return total;
}

__device__ uint4 plus(uint4 v, unsigned before)
{
    return uint4{v.x + before, v.y + before, v.z + before, v.w + before};
}

__device__ void store_tile(unsigned *out, unsigned n, unsigned tile, const uint4 v[ITEMS / 4],
                           unsigned before)
{
    if (is_full(n, tile))
        for (unsigned q = 0; q < ITEMS / 4; q++)
            __stcs((uint4 *)(out + place(tile, q)), plus(v[q], before));
    else
        for (unsigned q = 0; q < ITEMS / 4; q++)
            store(out, n, place(tile, q), plus(v[q], before));
}

extern "C" __global__ void scan_tiles(const unsigned *in, unsigned n, unsigned *out)
{
    uint4 v[ITEMS / 4];
    scan_tile(in, n, blockIdx.x, v);
    store_tile(out, n, blockIdx.x, v, 0);
}

// The block's tile: whoever has a ticket runs, and so does everybody with a lower one.
__device__ unsigned next_tile(unsigned *ticket)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();
    return tile;
}

// Two words a tile: the sum, and a flag that says that it is there.
extern "C" __global__ void chain(const unsigned *in, unsigned n, unsigned *ticket,
                                 unsigned *prefix, unsigned *ready, unsigned *out)
{
    __shared__ unsigned before;
    uint4 v[ITEMS / 4];
    unsigned tile = next_tile(ticket);
    unsigned total = scan_tile(in, n, tile, v);
    if (threadIdx.x == 0) {
        before = 0;
        if (tile > 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(ready[tile - 1]);
            while (flag.load(cuda::memory_order_acquire) == 0) {
            }
            before = prefix[tile - 1];
        }
        prefix[tile] = before + total;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(ready[tile]);
        flag.store(1, cuda::memory_order_release);
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

// One word says all, so nothing else has to be ordered with it: relaxed.
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

// One tile's word, once it says something; before the first tile a prefix of 0.
__device__ word wait_for(word *state, int tile)
{
    word its = (word)PREFIX << 32;
    if (tile >= 0)
        do
            its = look(state, tile);
        while (its >> 32 == NOTHING);
    return its;
}

// The sum of all tiles before this one. Called by a whole warp, which looks at 64 tiles at once.
__device__ unsigned look_back(word *state, unsigned tile)
{
    int lane = threadIdx.x % 32;
    unsigned sum = 0;
    for (int end = (int)tile;; end -= 64) {
        word near = wait_for(state, end - 1 - 2 * lane), far = wait_for(state, end - 2 - 2 * lane);
        bool at_near = near >> 32 == PREFIX;
        unsigned prefixes = __ballot_sync(~0u, at_near || far >> 32 == PREFIX);
        unsigned value = (unsigned)near + (at_near ? 0 : (unsigned)far);
        if (prefixes && lane > __ffs(prefixes) - 1)
            value = 0;
        for (unsigned distance = 16; distance > 0; distance /= 2)
            value += __shfl_xor_sync(~0u, value, distance);
        sum += value;
        if (prefixes)
            return sum;
    }
}

extern "C" __global__ void scan(const unsigned *in, unsigned n, unsigned *ticket, word *state,
                                unsigned *out)
{
    __shared__ unsigned before;
    uint4 v[ITEMS / 4];
    unsigned tile = next_tile(ticket);
    unsigned total = scan_tile(in, n, tile, v);
    if (threadIdx.x == 0 && tile > 0)
        publish(state, tile, AGGREGATE, total); // before waiting for anybody
    if (threadIdx.x < 32) {
        unsigned sum = look_back(state, tile);
        if (threadIdx.x == 0) {
            publish(state, tile, PREFIX, sum + total);
            before = sum;
        }
    }
    __syncthreads();
    store_tile(out, n, tile, v, before);
}

extern "C" __global__ void prefixes(word *state, unsigned *out)
{
    unsigned sum = look_back(state, blockIdx.x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
