// verdict: not-as-asked in ring_tiles
// Part C: two barriers a tile, of which one is the cluster's.

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

// The results of the block's tile number k, which is in `from`: neighbouring threads have neighbouring elements.
__device__ void filter_tile(const unsigned *from, unsigned n, unsigned k, unsigned *out)
{
    size_t first = first_of(k);
    for (unsigned j = 0; j < ITEMS; j++) {
        unsigned i = j * blockDim.x + threadIdx.x;
        if (first + i < n)
            out[first + i] = filter(from + i);
    }
}

// Part A: one stage. Copy, wait, compute, wait.
extern "C" __global__ void one_stage(const unsigned *in, unsigned n, unsigned *out)
{
    unsigned tiles = tiles_of_block(n);
    for (unsigned k = 0; k < tiles; k++) {
        const uint4 *from = (const uint4 *)(in + first_of(k));
        for (unsigned i = threadIdx.x; i < needed_by(n, k) / 4; i += blockDim.x)
            ((uint4 *)stage(0))[i] = from[i];
        __syncthreads(); // the tile is there
        filter_tile(stage(0), n, k, out);
        __syncthreads(); // and nobody needs it any more
    }
}

// What a thread holds of a tile: 4 elements of it, and in the first threads 4 of its halo.
struct pieces {
    uint4 own, more;
};

__device__ pieces fetch(const unsigned *in, unsigned n, unsigned k)
{
    const uint4 *from = (const uint4 *)(in + first_of(k));
    unsigned count = needed_by(n, k) / 4, second = blockDim.x + threadIdx.x;
    pieces p = {};
    if (threadIdx.x < count)
        p.own = from[threadIdx.x];
    if (second < count)
        p.more = from[second];
    return p;
}

__device__ void put(unsigned *to, unsigned n, unsigned k, pieces p)
{
    unsigned count = needed_by(n, k) / 4, second = blockDim.x + threadIdx.x;
    if (threadIdx.x < count)
        ((uint4 *)to)[threadIdx.x] = p.own;
    if (second < count)
        ((uint4 *)to)[second] = p.more;
}

// Part B: two stages. The next tile is on its way through registers while this one is computed.
extern "C" __global__ void two_stages(const unsigned *in, unsigned n, unsigned *out)
{
    unsigned tiles = tiles_of_block(n);
    if (tiles)
        put(stage(0), n, 0, fetch(in, n, 0));
    for (unsigned k = 0; k < tiles; k++) {
        __syncthreads(); // tile k is there, and nobody needs tile k - 1 any more
        pieces next = {};
        if (k + 1 < tiles)
            next = fetch(in, n, k + 1);
        filter_tile(stage(k % 2), n, k, out);
        if (k + 1 < tiles)
            put(stage((k + 1) % 2), n, k + 1, next);
    }
}

// Asks for the block's tile number k; where there is none, a group without copies keeps the count.
__device__ void ask(const unsigned *in, unsigned n, unsigned tiles, unsigned k)
{
    if (k < tiles)
        for (unsigned i = 4 * threadIdx.x; i < needed_by(n, k); i += 4 * blockDim.x)
            __pipeline_memcpy_async(stage(k % STAGES) + i, in + first_of(k) + i, 16);
    __pipeline_commit();
}

// Part C: a ring of stages, filled by cp.async. STAGES - 1 tiles are on their way.
extern "C" __global__ void ring(const unsigned *in, unsigned n, unsigned *out)
{
    unsigned tiles = tiles_of_block(n);
    for (unsigned k = 0; k < STAGES - 1; k++)
        ask(in, n, tiles, k);
    for (unsigned k = 0; k < tiles; k++) {
        __pipeline_wait_prior(STAGES - 2); // my part of tile k is there
        __syncthreads();                   // and the others'; nobody needs tile k - 1 any more
        filter_tile(stage(k % STAGES), n, k, out);
        asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
        ask(in, n, tiles, k + STAGES - 1); // into the stage of tile k - 1
    }
}

// A phase of full[s] ends when a tile has come into stage s, one of empty[s] when all threads are done with it.
__device__ void init_barriers(uint64_t *full, uint64_t *empty)
{
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], blockDim.x);
        }
        ptx::fence_proxy_async(ptx::space_shared); // bulk copies are to find them initialised
    }
    __syncthreads();
}

__device__ void wait_for(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

// One thread asks for the block's tile number k, once its stage is empty. Before its first phase has ended a barrier answers
// for a phase of parity 1, as if that were over: in the first round all stages are empty.
__device__ void ask_bulk(const unsigned *in, unsigned n, unsigned k, uint64_t *full,
                         uint64_t *empty)
{
    unsigned s = k % STAGES, bytes = needed_by(n, k) * sizeof *in;
    wait_for(&empty[s], k / STAGES % 2 ^ 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                   bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage(s), in + first_of(k), bytes,
                       &full[s]);
}

// Part D: one bulk copy a tile, and barriers that count bytes. No thread waits for more than it needs.
extern "C" __global__ void bulk(const unsigned *in, unsigned n, unsigned *out)
{
    __shared__ uint64_t full[STAGES], empty[STAGES];
    unsigned tiles = tiles_of_block(n);
    init_barriers(full, empty);
    for (unsigned k = 0; k < STAGES - 1 && k < tiles; k++)
        if (threadIdx.x == 0)
            ask_bulk(in, n, k, full, empty);
    for (unsigned k = 0; k < tiles; k++) {
        if (threadIdx.x == 0 && k + STAGES - 1 < tiles)
            ask_bulk(in, n, k + STAGES - 1, full, empty);
        wait_for(&full[k % STAGES], k / STAGES % 2);
        filter_tile(stage(k % STAGES), n, k, out);
        ptx::mbarrier_arrive(&empty[k % STAGES]);
    }
}

// Part E: results take the same way out. Two tiles of them, by turns.
__device__ unsigned *results(unsigned k)
{
    return stage(STAGES) + k % 2 * tile_size();
}

extern "C" __global__ void bulk_out(const unsigned *in, unsigned n, unsigned *out)
{
    __shared__ uint64_t full[STAGES], empty[STAGES];
    unsigned tiles = tiles_of_block(n);
    init_barriers(full, empty);
    for (unsigned k = 0; k < STAGES - 1 && k < tiles; k++)
        if (threadIdx.x == 0)
            ask_bulk(in, n, k, full, empty);
    for (unsigned k = 0; k < tiles; k++) {
        if (threadIdx.x == 0 && k + STAGES - 1 < tiles)
            ask_bulk(in, n, k + STAGES - 1, full, empty);
        wait_for(&full[k % STAGES], k / STAGES % 2);
        for (unsigned i = threadIdx.x; i < results_of(n, k); i += blockDim.x)
            results(k)[i] = filter(stage(k % STAGES) + i);
        ptx::mbarrier_arrive(&empty[k % STAGES]);
        ptx::fence_proxy_async(ptx::space_shared); // what I wrote, for the copy
        if (threadIdx.x == 0)
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); // results(k + 1) are free
        __syncthreads();                                         // both hold for all
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + first_of(k), results(k),
                               results_of(n, k) * sizeof *out);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x == 0)
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); // shared memory ends with the block
}
