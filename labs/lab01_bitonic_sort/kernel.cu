// lab01: bitonic sort, first within a block, then across blocks, for any n, and with few launches.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab01 after it. README.md has the network drawn.

#define MAX_THREADS 1024

// Part A: each block sorts its own blockDim.x values, ascending. blockDim.x is a power of two.
extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[MAX_THREADS];
    int *mine = values + blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    shared[tid] = mine[tid];
    __syncthreads();

    // TODO 1 (part A): the merges, k = 2, 4, 8, …, blockDim.x. Which way does k have to move?
    // TODO 2 (part A): in each merge the steps, j = k/2, k/4, …, 1. The partner of tid is tid ^ j;
    //   the lower of the two compares, and swaps so that the pair ascends where (tid & k) == 0 and
    //   descends elsewhere.
    // TODO 3 (part A): who must wait for whom between two steps?

    mine[tid] = shared[tid];
}

// Part B: one step (k, j) of the network over gridDim.x * blockDim.x values, a power of two. The
// harness launches it for each step.
extern "C" __global__ void sort_step(int *values, unsigned j, unsigned k)
{
    // TODO 4 (part B): as in part A, with the thread's number in the grid. Why is no barrier needed?
}

// Part C: the same for any n. Think of the values from n on as being larger than all others: they
// have to stay where they are, so no pair may descend. The first step of a merge (j == k/2) then
// pairs i with i ^ (k - 1), its mirror image, and all pairs ascend.
extern "C" __global__ void sort_any(int *values, unsigned n, unsigned j, unsigned k)
{
    // TODO 5 (part C).
}

// Part D: the network of part C in fewer launches. A block works on a tile of TILE values, in shared
// memory, and does all steps that stay inside the tile. Block b has values[b * TILE] and those that
// follow; in merge_far it has others, see there.
#define TILE 8192
#define THREADS 512     // threads of each block in part D
#define LAST 0x7fffffff // stands where there is no value any more: it comes after all others

// Part D: all merges up to k = TILE.
extern "C" __global__ void sort_tiles(int *values, unsigned n)
{
    // TODO 6 (part D): load the tile, with LAST where i >= n; do all merges; store what has i < n.
}

// Part D: the last steps of a merge, j, j/2, … 1, none of them its first. 2j is TILE at the most.
extern "C" __global__ void merge_near(int *values, unsigned n, unsigned j)
{
    // TODO 7 (part D).
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

// Part D: eight steps of merge k: j, j/2, … j/128, where j is 4096 or more. They pair rows of the tile
// that are 128, 64, … 1 apart; the first is mirrored if j == k/2.
extern "C" __global__ void merge_far(int *values, unsigned n, unsigned j, unsigned k)
{
    // TODO 8 (part D): value l of the tile is values[far_index(l, j, k)].
}
