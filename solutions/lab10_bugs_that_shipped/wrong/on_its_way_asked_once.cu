// verdict: stream-race @1 @2 in on_its_way
// Asks whether it is there, and goes on whatever the answer.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

__device__ int grid_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

// places on_its_way: c d

__global__ void square(int *out, const int *in, int n)
{
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        out[i] = in[i] * in[i]; // (a)
}

// out leads to memory of the HOST, of n + 1 ints: the squares, and behind them their sum.
extern "C" void on_its_way(int *out, const int *in, int *memory, int n)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    square<<<4, THREADS, 0, stream>>>(memory, in, n); // (b)
    cudaMemcpyAsync(out, memory, n * sizeof(int), cudaMemcpyDeviceToHost, stream); // (c) @1
    cudaStreamQuery(stream);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += out[i]; // (d) @2
    out[n] = sum; // (e)
    cudaStreamDestroy(stream);
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
NOT_DONE(handed_back)
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
