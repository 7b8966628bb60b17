// verdict: data-race @1 @1 in whose_word
// A fence does not make an atomic of the block one of the device.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

__device__ int grid_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

// places whose_word: b b

#define OFFSET 7

// Sets the bit of each element above 0. A word belongs to 32 elements, which are in one block.
__global__ void set_bits(int *out, const int *in, int n)
{
    int i = grid_thread();
    bool above = i < n && in[i] > 0; // (a)
    int bit = i + OFFSET;
    if (above)
    {
        __threadfence();
        atomicOr_block(&out[bit / 32], 1 << bit % 32); // (b) @1
        __threadfence();
    }
}

// A column's validity, OFFSET bits into its first word.
extern "C" void whose_word(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(out, 0, (n + OFFSET + 31) / 32 * sizeof(int)); // (c)
    set_bits<<<(n + THREADS - 1) / THREADS, THREADS>>>(out, in, n);
}

#define NOT_DONE(name) extern "C" void name(int *, const int *, int *, int) {}
NOT_DONE(last_block)
NOT_DONE(semaphore)
NOT_DONE(signed_off)
NOT_DONE(one_buffer)
NOT_DONE(next_tile)
NOT_DONE(all_voted)
NOT_DONE(some_warps)
NOT_DONE(looking_back)
NOT_DONE(all_lanes)
NOT_DONE(in_lockstep)
NOT_DONE(last_time)
NOT_DONE(relaxed_flag)
NOT_DONE(on_its_way)
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
