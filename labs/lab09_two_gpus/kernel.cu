// lab09: two devices, which tell each other what they have done.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab09 after it. README.md has the background.
// This lab is host code and device code: a program in C makes the inputs, calls your functions, launches your kernels in a
// stream of each device, and looks at what comes back. Every function returns cudaSuccess, or the first error there was.

#include <cstddef>

#define THREADS 128

// Leaves the function with the error of a CUDA call that failed.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return status_;                                                                        \
    } while (0)

// ---- given ----

// A step: each of cells 1 to n becomes a mean of itself and its neighbours, in `to`.
__global__ void step(int *to, const int *from, size_t n)
{
    for (size_t i = 1 + blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x)
        to[i] = (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
}

// The sum of what the block's threads bring, for thread 0.
__device__ int block_sum(int mine)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, mine);
    __syncthreads();
    return sum;
}

// ---- part A: copies and events ----

// a[d] and b[d] are rows of n[d] + 2 cells on device d: cell 0 and cell n[d] + 1 are the neighbours'. Device 0's row is left of device
// 1's, so a[0][n[0] + 1] has to become a[1][1], and a[1][0] has to become a[0][n[0]], before each step. Step s reads a and
// writes b if s is even, and the other way round if it is odd. All in the two streams, stream[d] of device d; returns at once.
extern "C" cudaError_t halo_by_copies(int *const a[2], int *const b[2], const size_t n[2],
                                      int steps, const cudaStream_t stream[2])
{
    // TODO 1 (part A): for each step: two copies (cudaMemcpyPeerAsync) and two launches of step(). What has to be over
    // before a copy, on the other device? And what before a row is written again?
    return cudaErrorNotYetImplemented;
}

// ---- part B: each kernel writes into the other's memory ----

// Lets kernels of each device use the other's memory. Is called more than once; the current device is the same afterwards.
extern "C" cudaError_t connect_devices(void)
{
    // TODO 2 (part B): access goes one way. And what if there is access already?
    return cudaErrorNotYetImplemented;
}

// The same steps by one block for each device: side 0 is the left one. `mine` and `theirs` are mailboxes of 4 zeroed words, in
// this device's memory and in the other's. What is in a row's neighbour cell is for you to bring.
extern "C" __global__ void halo_by_flags(int *a, int *b, size_t n, int steps, int side, int *mine,
                                         int *theirs)
{
    // TODO 3 (part B): a step: send your edge cell, wait for theirs, compute. How does the other one know that it has come? And
    // that the place may be written again? Which fence reaches the other device?
}

// ---- part C: the last of all blocks on both devices ----

// The sum of what both devices have, on both: *sum0 is device 0's, *sum1 device 1's. There are `all` blocks in the two launches;
// this launch's begin with number `first`. `partial` has room for `all` sums, `ticket` is 0 at first, and has to be in the end; both are device 0's.
extern "C" __global__ void all_reduce(const int *in, size_t n, int first, int all, int *partial,
                                      unsigned *ticket, int *sum0, int *sum1)
{
    // TODO 4 (part C): lab 03's last block, for blocks of two devices.
}

// ---- part D: the host in between ----

// Words of the desk, which is page-locked memory: each device's sum, then its flag; the answer, then its flag. All zeroed.
enum { SUM, SUM_FLAG = 2, ANSWER = 4, ANSWER_FLAG };

// One block for each device: leaves the sum of its numbers on the desk, waits for the host's answer and puts it into *out.
extern "C" __global__ void ask_the_host(const int *in, size_t n, int side, int *desk, int *out)
{
    // TODO 5 (part D): as in part B, with the host at the other end.
}

// Both kernels run when this is called: the answer is the sum of both and the bonus.
extern "C" cudaError_t referee(int *desk, int bonus)
{
    // TODO 6 (part D): wait for both flags, answer. No call of CUDA's is needed, nor would one help.
    return cudaErrorNotYetImplemented;
}
