// verdict: wrong-result in handed_back_where
// Mended, but not what is stored in the memory later is meant: who hands it back.

#define THREADS 128
#define WARPS (THREADS / 32)
#define ALL 0xffffffffu // every lane of a warp

__device__ int grid_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

// places handed_back: a d

__global__ void fill(int *out, const int *in, int n, int add)
{
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        out[i] = in[i] + add; // (a)
}

// out leads to memory of the HOST, of 2 n ints, and gets in + 1 and in + 2: while one goes to the host in a
// stream of its own, the next is computed.
extern "C" void handed_back(int *out, const int *in, int *memory, int n)
{
    cudaStream_t work, side;
    cudaEvent_t done;
    int *step;
    size_t bytes = n * sizeof(int);
    cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    for (int s = 0; s < 2; s++) {
        cudaMallocAsync((void **)&step, bytes, work); // (b)
        fill<<<64, THREADS, 0, work>>>(step, in, n, s + 1); // (c)
        cudaEventRecord(done, work);
        cudaStreamWaitEvent(side, done);
        cudaMemcpyAsync(out + s * n, step, bytes, cudaMemcpyDeviceToHost, side); // (d)
        cudaFreeAsync(step, side); // in the stream of its last use (e)
    }
    cudaStreamSynchronize(work);
    cudaStreamSynchronize(side);
    cudaEventDestroy(done);
    cudaStreamDestroy(work);
    cudaStreamDestroy(side);
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
NOT_DONE(another_stream)
NOT_DONE(launched_early)
NOT_DONE(another_way)
