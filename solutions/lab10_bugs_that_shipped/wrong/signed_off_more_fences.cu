// verdict: data-race @1 @2 in signed_off
// More fences, and still nobody waits for anybody.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

__device__ int grid_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

// places signed_off: a d

#define BINS 64

__global__ void count_bins(int *out, const int *in, int *bins, int *ticket, int n)
{
    __shared__ bool last;
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        atomicAdd(&bins[in[i] & (BINS - 1)], 1); // (a) @1
    __threadfence();
    if (threadIdx.x == 0) {
        __threadfence_system();
        last = atomicAdd(ticket, 1) == gridDim.x - 1; // (b)
        __threadfence();
    }
    __syncthreads();
    if (!last) // (c)
        return;
    for (int b = threadIdx.x; b < BINS; b += THREADS) {
        out[b] = bins[b]; // (d) @2
        bins[b] = 0; // (e)
    }
    if (threadIdx.x == 0)
        *ticket = 0; // (f)
}

// out[b] becomes the number of elements whose last six bits are b.
extern "C" void signed_off(int *out, const int *in, int *memory, int n)
{
    count_bins<<<8, THREADS>>>(out, in, memory + 1, memory, n);
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(one_buffer)
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
