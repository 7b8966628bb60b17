// verdict: stream-race @1 @2 in launched_early
// One thread waits, and the others do not come after it.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

// ---- right, and used by several exhibits ----

__device__ int warp_sum(int value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(ALL, value, distance);
    return value;
}

// The sum over the block's threads, in thread 0. May be called again and again.
__device__ int block_sum(int value)
{
    __shared__ int sums[WARPS];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (int w = 0; w < WARPS && threadIdx.x == 0; w++)
        value += sums[w];
    __syncthreads();
    return value;
}

__device__ int grid_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

__device__ int thread_sum(const int *in, int n)
{
    int sum = 0;
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        sum += in[i];
    return sum;
}

// ---- Exhibit Q: launched early ----

// places launched_early: c d

#define PIECES 8

__global__ void sum_pieces(int *sums, const int *in, int n)
{
    int sum = block_sum(thread_sum(in, n)); // (a)
    cudaTriggerProgrammaticLaunchCompletion(); // (b) the next kernel may begin
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum; // (c) @1
}

// Adds the sum of all elements to each.
__global__ void add_total(int *out, const int *in, const int *sums, int n)
{
    int total = 0;
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize(); // (e) the kernel before has ended
    for (int b = 0; b < PIECES; b++)
        total += sums[b]; // (d) @2
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        out[i] = in[i] + total; // (f)
}

extern "C" void launched_early(int *out, const int *in, int *memory, int n)
{
    cudaLaunchAttribute early = {}; // add_total may begin when all blocks before it have said so, or ended
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = PIECES;
    config.blockDim = THREADS;
    config.attrs = &early;
    config.numAttrs = 1;
    sum_pieces<<<PIECES, THREADS>>>(memory, in, n); // (g)
    cudaLaunchKernelEx(&config, add_total, out, in, (const int *)memory, n); // (h)
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
NOT_DONE(whose_word)
NOT_DONE(on_its_way)
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(another_way)
