// verdict: data-race @1 @2 in some_warps
// The barrier that some did not reach is gone, and with it the order that it was there for.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// places some_warps: b c

// Turns each row's chunks of up to THREADS elements round: the last one of a row may be shorter.
__global__ void turn_chunks(int *out, const int *in, int rows, int length)
{
    __shared__ int chunk[THREADS];
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        for (int first = 0; first < length; first += THREADS) {
            int count = length - first < THREADS ? length - first : THREADS;
            int i = row * length + first + threadIdx.x;
            if (threadIdx.x < count) { // (a)
                chunk[threadIdx.x] = in[i]; // (b) @1
                out[i] = chunk[count - 1 - threadIdx.x]; // (c) @2
            }
            __syncthreads(); // and have been read
        }
}

#define ROWS 6

// n is a multiple of ROWS * 32.
extern "C" void some_warps(int *out, const int *in, int *memory, int n)
{
    turn_chunks<<<2, THREADS>>>(out, in, ROWS, n / ROWS);
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(one_buffer)
NOT_DONE(next_tile)
NOT_DONE(all_voted)
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
