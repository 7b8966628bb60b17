// verdict: data-race @1 @2 in one_buffer
// A fence between the two reductions, where a barrier is missing.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

__device__ int grid_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

// places one_buffer: a b

enum operation { MOST, SUM };

__device__ int both(enum operation o, int a, int b)
{
    return o == SUM ? a + b : a > b ? a : b;
}

// The result of the operation over the block's threads, in each of them.
__device__ int reduce(int value, enum operation o, int *buffer)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value = both(o, value, __shfl_xor_sync(ALL, value, distance));
    if (threadIdx.x % 32 == 0)
        buffer[threadIdx.x / 32] = value; // (a) @1
    __syncthreads();
    value = buffer[threadIdx.x % WARPS]; // (b) @2
    for (int distance = WARPS / 2; distance > 0; distance /= 2)
        value = both(o, value, __shfl_xor_sync(ALL, value, distance));
    return value;
}

__global__ void below_maximum(int *out, const int *in)
{
    __shared__ int buffer[WARPS];
    int i = grid_thread(), x = in[i]; // (c)
    int most = reduce(x, MOST, buffer);
    __threadfence_block();
    int sum = reduce(most - x, SUM, buffer);
    out[i] = sum; // (d)
}

// For each THREADS elements: how far they are below their maximum, added up; once for each of them.
extern "C" void one_buffer(int *out, const int *in, int *memory, int n)
{
    below_maximum<<<n / THREADS, THREADS>>>(out, in);
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(next_tile)
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
