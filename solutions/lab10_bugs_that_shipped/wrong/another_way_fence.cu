// verdict: data-race @1 @2 in another_way
// A fence orders what goes one way; the copy goes the other.

#include <cuda/ptx>

namespace ptx = cuda::ptx;

#define THREADS 128

// ---- Exhibit R: another way ----

// places another_way: a c

// Turns each row of THREADS elements round, and copies it out in bulk.
__global__ void turn_rows(int *out, const int *in, int n)
{
    alignas(16) __shared__ int row[THREADS];
    for (int first = blockIdx.x * THREADS; first + THREADS <= n; first += gridDim.x * THREADS) {
        row[THREADS - 1 - threadIdx.x] = in[first + threadIdx.x]; // (a) @1
        __syncthreads(); // (b) the row is there
        if (threadIdx.x == 0) {
            __threadfence();
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, &out[first], row, sizeof row); // (c) @2
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); // (d) it has been read
        }
        __syncthreads(); // (e)
    }
}

extern "C" void another_way(int *out, const int *in, int *memory, int n)
{
    turn_rows<<<4, THREADS>>>(out, in, n);
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
NOT_DONE(launched_early)
