// lab08: a filter over tiles in shared memory, whose copies go on while it computes.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab08 after it. README.md has the background.
// Blocks have a multiple of 32 threads. `in` has n + HALO elements, `out` n, and both have room for a multiple of 4.

#include <cuda/ptx>
#include <cuda_pipeline.h>

namespace ptx = cuda::ptx;

#define TAPS 9          // elements that a result is made of
#define HALO (TAPS - 1) // elements that a tile needs beyond its own
#define ITEMS 4         // results of a thread in each tile
#define STAGES 4

// STAGES stages, and two tiles of results in part E. The harness asks for as much.
extern __shared__ __align__(128) unsigned shared[];

__device__ unsigned tile_size()
{
    return blockDim.x * ITEMS;
}

// Stage s: a tile's elements with its halo.
__device__ unsigned *stage(unsigned s)
{
    return shared + s * (tile_size() + HALO);
}

// The number of tiles that this block has: tiles blockIdx.x, blockIdx.x + gridDim.x, …
__device__ unsigned tiles_of_block(unsigned n)
{
    unsigned tiles = (n + tile_size() - 1) / tile_size();
    return tiles > blockIdx.x ? (tiles - blockIdx.x - 1) / gridDim.x + 1 : 0;
}

// Where the block's tile number k begins.
__device__ size_t first_of(unsigned k)
{
    return ((size_t)k * gridDim.x + blockIdx.x) * tile_size();
}

// Its results, rounded up to a multiple of 4: the last tile may be short, and `in` and `out` have room for 4.
__device__ unsigned results_of(unsigned n, unsigned k)
{
    size_t left = n - first_of(k);
    return left < tile_size() ? (unsigned)(left + 3) / 4 * 4 : tile_size();
}

// The elements that it needs.
__device__ unsigned needed_by(unsigned n, unsigned k)
{
    return results_of(n, k) + HALO;
}

// One result, from its TAPS elements.
__device__ unsigned filter(const unsigned *at)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < TAPS; i++)
        sum += (3 * i * i + i + 1) * at[i];
    return sum;
}

// The results of the block's tile number k, which is in `from`.
__device__ void filter_tile(const unsigned *from, unsigned n, unsigned k, unsigned *out)
{
    // TODO 1 (part A): out[first_of(k) + i] is made of the elements from from[i] on, for each i of the tile. Which thread
    // takes which, so that a warp's loads from shared memory go to different banks? The last tile may be short.
}

// Part A: one stage.
extern "C" __global__ void one_stage(const unsigned *in, unsigned n, unsigned *out)
{
    unsigned tiles = tiles_of_block(n);
    for (unsigned k = 0; k < tiles; k++) {
        // TODO 2 (part A): all threads copy the tile into stage(0), 16 bytes at a time if you like; then filter_tile(). Who
        // has to wait for whom, and how often?
    }
}

// Part B: tile k is in stage k % 2, and tile k + 1 is loaded while tile k is computed.
extern "C" __global__ void two_stages(const unsigned *in, unsigned n, unsigned *out)
{
    // TODO 3 (part B): with one barrier a tile. A load whose value is not needed yet holds nobody up; a store to shared memory
    // needs the value. So: loads into registers, filter_tile(), stores into the other stage.
}

// Asks for the block's tile number k, by this thread's share of copies.
__device__ void ask(const unsigned *in, unsigned n, unsigned tiles, unsigned k)
{
    // TODO 4 (part C): __pipeline_memcpy_async() of 16 bytes at a time into stage(k % STAGES); then __pipeline_commit(). And if
    // there is no tile k?
}

// Part C: a ring of stages, filled by cp.async. STAGES - 1 tiles are on their way.
extern "C" __global__ void ring(const unsigned *in, unsigned n, unsigned *out)
{
    // TODO 5 (part C): with one barrier a tile. For how many groups may a thread leave its copies under way when it wants tile
    // k? And into which stage may the next tile go?
}

// A phase of full[s] ends when a tile has come into stage s, one of empty[s] when all threads are done with it.
__device__ void init_barriers(uint64_t *full, uint64_t *empty)
{
    // TODO 6 (part D): ptx::mbarrier_init(), by one thread. How many arrivals has a phase of each? Others must find them
    // initialised. So must the copies, which go another way to memory: NVIDIA's guide has a proxy fence here, which no case misses.
}

__device__ void wait_for(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

// One thread asks for the block's tile number k, once its stage is empty. Before its first phase has ended a barrier answers
// for a phase of parity 1, as if that were over.
__device__ void ask_bulk(const unsigned *in, unsigned n, unsigned k, uint64_t *full,
                         uint64_t *empty)
{
    // TODO 7 (part D): wait; then ptx::mbarrier_arrive_expect_tx() and ptx::cp_async_bulk(), with the same number of bytes.
}

// Part D: one bulk copy a tile, and barriers that count bytes. No thread waits for more than it needs.
extern "C" __global__ void bulk(const unsigned *in, unsigned n, unsigned *out)
{
    // TODO 8 (part D): the loop of part C, with a wait for full[] where it waits, and an arrival at empty[] when the thread is
    // done. No block barrier in the loop.
}

// Part E: two tiles of results, by turns.
__device__ unsigned *results(unsigned k)
{
    return stage(STAGES) + k % 2 * tile_size();
}

extern "C" __global__ void bulk_out(const unsigned *in, unsigned n, unsigned *out)
{
    // TODO 9 (part E): as bulk, but results go to results(k), and from there to `out` by one bulk copy a tile, of results_of(n, k)
    // results. What must happen between the stores and the copy, and before results(k) is written again?
}
