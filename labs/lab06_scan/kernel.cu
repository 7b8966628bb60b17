// lab06: prefix sums in one pass over memory. out[i] = in[0] + … + in[i], modulo 2^32.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab06 after it. README.md has the background.
// Blocks have whole warps, 1 to 32 of them. A block scans a tile of blockDim.x * ITEMS neighbouring elements, the last
// tile may have fewer; there are as many blocks as tiles. Arrays begin at multiples of 256 bytes.

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
    // TODO 1 (part A): __shfl_up_sync() gives the value of a lane further down. Distances 1, 2, 4, 8, 16; a
    // lane that has nobody so far down adds nothing.
    return value;
}

// The sum of the values of all threads before this one in the block; *total is that of all threads. All
// threads of the block call it.
__device__ unsigned block_before(unsigned value, unsigned *total)
{
    // TODO 2 (part A): scan within each warp; then each warp's sum through `__shared__ unsigned sums[32]`, and a
    // scan of those. Who must wait for whom?
    *total = 0;
    return 0;
}

// Loads this thread's ITEMS neighbouring elements of the tile, 0 beyond n, and makes v[k] the sum of the
// tile's elements up to that one. Returns the whole tile's sum, in all threads.
__device__ unsigned scan_tile(const unsigned *in, unsigned n, unsigned tile, unsigned v[ITEMS])
{
    size_t first = ((size_t)tile * blockDim.x + threadIdx.x) * ITEMS;
    unsigned total = 0;
    for (unsigned k = 0; k < ITEMS; k++)
        v[k] = first + k < n ? in[first + k] : 0;
    // TODO 3 (part A): add up v in this thread, find what comes before it in the block, and add that.
    return total;
}

// Stores this thread's elements, each with the sum of all earlier tiles added.
__device__ void store_tile(unsigned *out, unsigned n, unsigned tile, const unsigned v[ITEMS],
                           unsigned before)
{
    size_t first = ((size_t)tile * blockDim.x + threadIdx.x) * ITEMS;
    for (unsigned k = 0; k < ITEMS; k++)
        if (first + k < n)
            out[first + k] = v[k] + before;
}

// Part A: each tile by itself.
extern "C" __global__ void scan_tiles(const unsigned *in, unsigned n, unsigned *out)
{
    unsigned v[ITEMS];
    scan_tile(in, n, blockIdx.x, v);
    store_tile(out, n, blockIdx.x, v, 0);
}

// The tile that this block is to scan, the same for all of its threads.
__device__ unsigned next_tile(unsigned *ticket)
{
    // TODO 4 (part B): whoever waits for an earlier tile must be sure that its block runs. blockIdx.x promises
    // nothing of the kind. A ticket does: lab03's, by one thread, for all.
    return blockIdx.x;
}

// Part B: a tile waits for the one before it. prefix[t] is the sum of all elements up to the end of tile t, and ready[t]
// becomes 1 when it is there. Before the launch ready is 0. The first ticket is 0, or higher where the first
// tiles are somebody else's, who has filled in theirs.
extern "C" __global__ void chain(const unsigned *in, unsigned n, unsigned *ticket,
                                 unsigned *prefix, unsigned *ready, unsigned *out)
{
    unsigned v[ITEMS], before = 0;
    unsigned tile = next_tile(ticket);
    unsigned total = scan_tile(in, n, tile, v);
    // TODO 5 (part B): thread 0 waits for the flag of the tile before, reads that tile's prefix, writes its own and
    // raises its flag. What orders flag and prefix, there and here? And how do the other threads learn of `before`?
    store_tile(out, n, tile, v, before);
}

// Part C: comes before each scan; what is in the arrays then is anything. Any grid.
extern "C" __global__ void reset(unsigned *ticket, word *state, unsigned tiles)
{
    // TODO 6 (part C): *ticket and state[0] … state[tiles - 1], as scan wants to find them.
}

// Makes `what` and the sum that goes with it visible to all who look at the tile's word.
__device__ void publish(word *state, unsigned tile, unsigned what, unsigned sum)
{
    // TODO 7 (part C): in one store, that nobody sees half of. Which order does it need?
}

// The sum of all tiles before this one, in lane 0. Called by a whole warp.
__device__ unsigned look_back(word *state, unsigned tile)
{
    // TODO 8 (part C): by lane 0 alone. From tile - 1 downwards: wait until its word says something; an aggregate is
    // added and the next one looked at, a prefix is added and ends it.
    // TODO 10 (part D): by the whole warp, 32 tiles at a time.
    return 0;
}

// Part C: what chain does, but nobody waits for a prefix where aggregates will do.
extern "C" __global__ void scan(const unsigned *in, unsigned n, unsigned *ticket, word *state,
                                unsigned *out)
{
    unsigned v[ITEMS], before = 0;
    unsigned tile = next_tile(ticket);
    unsigned total = scan_tile(in, n, tile, v);
    // TODO 9 (part C): first the aggregate for all who come after; then look back; then the prefix.
    store_tile(out, n, tile, v, before);
}

// Parts C and D: out[b] is what look_back() finds for tile b. Blocks have one warp.
extern "C" __global__ void prefixes(word *state, unsigned *out)
{
    unsigned sum = look_back(state, blockIdx.x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
