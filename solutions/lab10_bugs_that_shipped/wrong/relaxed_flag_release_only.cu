// verdict: missing-acquire @1 @2 in relaxed_flag
// The store releases, the load does not acquire.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// places relaxed_flag: b e

#define RANKS 4

// Each rank adds up its share of all ranks' elements, and then takes everybody's sums.
__global__ void all_reduce(int *out, const int *in, int *sums, int *flags, int length)
{
    int rank = blockIdx.x, share = length / RANKS;
    for (int k = rank * share + threadIdx.x; k < (rank + 1) * share; k += THREADS) {
        int sum = 0;
        for (int r = 0; r < RANKS; r++)
            sum += in[r * length + k]; // (a)
        sums[k] = sum; // (b) @1
    }
    __syncthreads();
    if (threadIdx.x < RANKS) {
        int *mine = &flags[threadIdx.x * RANKS + rank], *other = &flags[rank * RANKS + threadIdx.x];
        __nv_atomic_store_n(mine, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE); // (c)
        while (__nv_atomic_load_n(other, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0) // (d)
            ;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < length; k += THREADS)
        out[rank * length + k] = sums[k]; // (e) @2
}

// A block for each rank, which has n / RANKS elements of in; each gets the sums over all ranks.
extern "C" void relaxed_flag(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, RANKS * RANKS * sizeof(int));
    all_reduce<<<RANKS, THREADS>>>(out, in, memory + RANKS * RANKS, memory, n / RANKS);
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
NOT_DONE(whose_word)
NOT_DONE(on_its_way)
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
