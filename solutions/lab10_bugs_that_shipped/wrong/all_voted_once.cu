// verdict: data-race @1 @2 in all_voted
// What was stored is there before it is read. But it is stored over again while others still read.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// places all_voted: b c

// Each warp keeps the odd elements of its piece, and hands them to out in full rows of 32.
__global__ void keep_odd(int *out, int *counts, const int *in, int piece)
{
    __shared__ int rows[WARPS][64];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, number = blockIdx.x * WARPS + warp;
    int *row = rows[warp], found = 0, written = 0;
    for (int i = 0; i < piece; i += 32) {
        int x = in[number * piece + i + lane]; // (a)
        unsigned odd = __ballot_sync(ALL, x & 1), before = odd & ((1u << lane) - 1);
        if (x & 1)
            row[(found + __popc(before)) % 64] = x; // (b) @1
        found += __popc(odd);
        __syncwarp();
        if (__any_sync(ALL, found - written >= 32)) { // all have voted, so all have stored
            out[number * piece + written + lane] = row[(written + lane) % 64]; // (c) @2
            written += 32;
        }
    }
    if (written + lane < found)
        out[number * piece + written + lane] = row[(written + lane) % 64]; // (d)
    if (lane == 0)
        counts[number] = found; // (e)
}

// The odd elements of each of WARPS * 2 pieces of in, at the start of the same piece of out; memory[p] becomes
// their number.
extern "C" void all_voted(int *out, const int *in, int *memory, int n)
{
    keep_odd<<<2, THREADS>>>(out, memory, in, n / (2 * WARPS));
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(one_buffer)
NOT_DONE(next_tile)
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
