// lab02: messages through memory, and the fences that make them arrive.
//
// The kernels are complete. What they lack is what raises a flag and what waits for one, at each
// scope. Do the TODOs in order, delete each when it is done, and run ./grade lab02 after it. README.md has the background.

// ---- Part A: between two warps of one block ----

// Raises *flag (0 until then) so that a thread of this block that sees it up also sees everything
// that the calling thread stored before.
__device__ void raise_in_block(int *flag)
{
    // TODO 1 (part A): a plain store may be kept back, moved or torn out of order. What must come
    // before it, and what kind of store must it be?
}

// Returns when *flag is up, and then everything that was stored before it was raised is visible.
__device__ void wait_in_block(int *flag)
{
    // TODO 2 (part A): what kind of load, and what must come after it?
}

// Thread 0 sends in[0] … in[n-1] to thread 32 by way of data.
extern "C" __global__ void pass_block(const int *in, unsigned n, int *data, int *flag, int *out)
{
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < n; i++)
            data[i] = in[i];
        raise_in_block(flag);
    } else if (threadIdx.x == 32) {
        wait_in_block(flag);
        for (unsigned i = 0; i < n; i++)
            out[i] = data[i];
    }
}

// ---- Part B: between two blocks ----

// The same towards threads of all blocks.
__device__ void raise_on_device(int *flag)
{
    // TODO 3 (part B)
}

__device__ void wait_on_device(int *flag)
{
    // TODO 4 (part B)
}

// Block 0 sends to block 1: all threads store, thread 0 raises; thread 0 waits, all threads load.
extern "C" __global__ void pass_device(const int *in, unsigned n, int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
            data[i] = in[i];
        __syncthreads();
        if (threadIdx.x == 0)
            raise_on_device(flag);
    } else {
        if (threadIdx.x == 0)
            wait_on_device(flag);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
            out[i] = data[i];
    }
}

// ---- Part C: from the device to the host ----

// The same towards the host, which polls *flag in page-locked memory while the kernel runs.
__device__ void raise_for_host(int *flag)
{
    // TODO 5 (part C)
}

extern "C" __global__ void pass_host(const int *in, unsigned n, int *data, int *flag)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = in[i];
    __syncthreads();
    if (threadIdx.x == 0)
        raise_for_host(flag);
}

// ---- Part D: store buffering ----

// Blocks 2p and 2p + 1 are a pair. Each stores its own token (never 0) and then looks once for the
// other's. It must not happen that both see 0: whoever comes second sees the first.
extern "C" __global__ void store_buffer(const int *tokens, int *flags, int *seen)
{
    unsigned me = blockIdx.x, other = blockIdx.x ^ 1;
    // TODO 6 (part D): both accesses must be strong. But each thread stores one word and loads
    // another: what keeps the load from being early?
    flags[me] = tokens[me];
    seen[me] = flags[other];
}

// ---- Part E: every block waits for all blocks ----

// Returns in all threads of the block when all `count` flags are up, and everything that was stored
// before they were raised is visible to all of them.
__device__ void wait_for_all(int *flags, unsigned count)
{
    // TODO 7 (part E): let the first warp poll, 32 flags at a time, and vote: __all_sync(~0u, up).
    // Then the other warps have to learn of it.
}

// Each block adds up what all blocks have put into data. All run at the same time here (there are few);
// blockDim.x is a multiple of 32. out is 0 before.
extern "C" __global__ void neighbours(const int *in, int *data, int *flags, int *out)
{
    int *mine = &out[blockIdx.x]; // 0 so far
    if (threadIdx.x == 0) {
        data[blockIdx.x] = in[blockIdx.x];
        raise_on_device(&flags[blockIdx.x]);
    }
    wait_for_all(flags, gridDim.x);
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        atomicAdd(mine, data[b]);
}

// ---- Part F: what can be? ----

// Litmus tests: x and y are 0 at first, `|` stands between threads, all accesses are volatile.
// `blocks`: each thread in a block of its own; `warps`: in one block; `lanes`: in one warp.
// `fence` is __threadfence(), `fence_block` is __threadfence_block(), `fence_acq_rel` the weaker
// fence.acq_rel.gpu of PTX, `syncwarp` is __syncwarp().
//
// TODO 8 (part F): for each outcome, in the order given, put y (it can be) or n (it cannot) in place
// of ?. ab = 10 means that a is 1 and b is 0 in the end. Decide before you grade: the grader has every
// execution enumerated that the memory model allows.
__constant__ const char predictions[][5] = {
    // Messages: a is what was seen of the flag y, b of the data x. ab = 00, 01, 10, 11
    "????", // mp              blocks  x = 1; y = 1 | a = y; b = x
    "????", // mp_release      blocks  x = 1; fence; y = 1 | a = y; b = x
    "????", // mp_acquire      blocks  x = 1; y = 1 | a = y; fence; b = x
    "????", // mp_fences       blocks  x = 1; fence; y = 1 | a = y; fence; b = x
    "????", // mp_block_fences blocks  x = 1; fence_block; y = 1 | a = y; fence_block; b = x
    "????", // mp_warps        warps   x = 1; fence_block; y = 1 | a = y; fence_block; b = x
    // Store buffering. ab = 00, 01, 10, 11
    "????", // sb              blocks  x = 1; a = y | y = 1; b = x
    "????", // sb_acq_rel      blocks  x = 1; fence_acq_rel; a = y | y = 1; fence_acq_rel; b = x
    "????", // sb_one_fence    blocks  x = 1; fence; a = y | y = 1; b = x
    "????", // sb_fences       blocks  x = 1; fence; a = y | y = 1; fence; b = x
    "????", // sb_lanes        lanes   x = 1; a = y | y = 1; b = x
    "????", // sb_syncwarp     lanes   x = 1; syncwarp; a = y | y = 1; syncwarp; b = x
    // One word, read twice. ab = 00, 01, 10, 11
    "????", // co_read         blocks  x = 1 | a = x; b = x
    // One word, two writers, two readers. abcd = 1122, 1212, 1221, 2121
    "????", // co_order        blocks  x = 1 | x = 2 | a = x; b = x | c = x; d = x
    // A message that is passed on. abc = 010, 011, 110, 111
    "????", // wrc             blocks  x = 1 | a = x; y = 1 | b = y; c = x
    "????", // wrc_fences      blocks  x = 1 | a = x; fence; y = 1 | b = y; fence; c = x
    // Two readers of two writers: do they agree on who came first? abcd = 0000, 1010, 1011, 1111
    "????", // iriw            blocks  x = 1 | y = 1 | a = x; b = y | c = y; d = x
    "????", // iriw_acq_rel    blocks  x = 1 | y = 1 | a = x; fence_acq_rel; b = y | c = y; fence_acq_rel; d = x
    "????", // iriw_fences     blocks  x = 1 | y = 1 | a = x; fence; b = y | c = y; fence; d = x
};

extern "C" __global__ void predict(unsigned row, int *possible)
{
    possible[threadIdx.x] = predictions[row][threadIdx.x];
}
