// verdict: data-race @1 @2 in next_tile
// Two buffers, but the barrier only every other time.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// places next_tile: a b

#define TILE 16

// A block turns `tiles` tiles of TILE * TILE elements over, one after the other.
__global__ void turn_tiles(int *out, const int *in, int tiles)
{
    __shared__ int both[2][TILE][TILE + 1];
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (int t = 0; t < tiles; t++) {
        int (*tile)[TILE + 1] = both[t % 2];
        int first = (blockIdx.x * tiles + t) * TILE * TILE;
        tile[y][x] = in[first + threadIdx.x]; // (a) @1
        if (t % 2 == 0)
            __syncthreads();
        out[first + threadIdx.x] = tile[x][y]; // (b) @2
    }
}

// Each tile of out is the transposed of that of in; n is a multiple of 2 * 4 * TILE * TILE.
extern "C" void next_tile(int *out, const int *in, int *memory, int n)
{
    turn_tiles<<<2, TILE * TILE>>>(out, in, n / (2 * TILE * TILE));
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(one_buffer)
NOT_DONE(all_voted)
NOT_DONE(some_warps)
NOT_DONE(looking_back)
NOT_DONE(all_lanes)
NOT_DONE(in_lockstep)
NOT_DONE(last_time)
NOT_DONE(relaxed_flag)
NOT_DONE(whose_word)
NOT_DONE(on_its_way)
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
