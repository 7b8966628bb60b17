// verdict: wrong-result in host
// The referee answers as soon as one of the two has asked.

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

// Brings the neighbour's edge into d's row: in d's stream, behind what the neighbour has been given so far.
static cudaError_t bring_edge(int *const row[2], const size_t n[2], int d,
                              const cudaStream_t stream[2], cudaEvent_t ready)
{
    int *to = d ? &row[1][0] : &row[0][n[0] + 1];
    const int *from = d ? &row[0][n[0]] : &row[1][1];
    TRY(cudaStreamWaitEvent(stream[d], ready));
    return cudaMemcpyPeerAsync(to, d, from, 1 - d, sizeof *to, stream[d]);
}

static cudaError_t issue_steps(int *const a[2], int *const b[2], const size_t n[2], int steps,
                               const cudaStream_t stream[2], const cudaEvent_t ready[2])
{
    for (int s = 0; s < steps; s++) {
        int *const *from = s % 2 ? b : a, *const *to = s % 2 ? a : b;
        for (int d = 0; d < 2; d++) // before this step nobody reads or writes the rows any more
            TRY(cudaEventRecord(ready[d], stream[d]));
        for (int d = 0; d < 2; d++)
            TRY(bring_edge(from, n, d, stream, ready[1 - d]));
        for (int d = 0; d < 2; d++) {
            TRY(cudaSetDevice(d));
            step<<<(unsigned)(n[d] / THREADS + 1), THREADS, 0, stream[d]>>>(to[d], from[d], n[d]);
            TRY(cudaGetLastError());
        }
    }
    return cudaSuccess;
}

extern "C" cudaError_t halo_by_copies(int *const a[2], int *const b[2], const size_t n[2],
                                      int steps, const cudaStream_t stream[2])
{
    cudaEvent_t ready[2];
    for (int d = 0; d < 2; d++) { // an event is of the device that is current
        TRY(cudaSetDevice(d));
        TRY(cudaEventCreateWithFlags(&ready[d], cudaEventDisableTiming));
    }
    cudaError_t status = issue_steps(a, b, n, steps, stream, ready);
    for (int d = 0; d < 2; d++)
        cudaEventDestroy(ready[d]);
    return status;
}

// ---- part B: each kernel writes into the other's memory ----

extern "C" cudaError_t connect_devices(void)
{
    int was;
    TRY(cudaGetDevice(&was));
    for (int d = 0; d < 2; d++) {
        int can;
        TRY(cudaDeviceCanAccessPeer(&can, d, 1 - d));
        if (!can)
            return cudaErrorPeerAccessUnsupported;
        TRY(cudaSetDevice(d));
        cudaError_t status = cudaDeviceEnablePeerAccess(1 - d, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled)
            (void)cudaGetLastError(); // somebody has been here before
        else
            TRY(status);
    }
    return cudaSetDevice(was);
}

// Words of a mailbox: an edge for even steps, one for odd ones, and how many have come.
enum { EDGE, COUNT = 2 };

// A message: the edge before the count. There are two places, and the other one has read the place of two steps ago before
// it sent what we have received since.
__device__ void send(int *box, int s, int edge)
{
    box[EDGE + s % 2] = edge;
    __threadfence_system();
    *(volatile int *)&box[COUNT] = s + 1;
}

__device__ int receive(int *box, int s)
{
    while (*(volatile int *)&box[COUNT] <= s) {
    }
    __threadfence_system();
    return box[EDGE + s % 2];
}

extern "C" __global__ void halo_by_flags(int *a, int *b, size_t n, int steps, int side, int *mine,
                                         int *theirs)
{
    for (int s = 0; s < steps; s++) {
        int *from = s % 2 ? b : a, *to = s % 2 ? a : b;
        if (threadIdx.x == 0) {
            send(theirs, s, side ? from[1] : from[n]);
            from[side ? 0 : n + 1] = receive(mine, s);
        }
        __syncthreads();
        for (size_t i = 1 + threadIdx.x; i <= n; i += blockDim.x)
            to[i] = (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
        __syncthreads();
    }
}

// ---- part C: the last of all blocks on both devices ----

extern "C" __global__ void all_reduce(const int *in, size_t n, int first, int all, int *partial,
                                      unsigned *ticket, int *sum0, int *sum1)
{
    __shared__ bool last;
    int mine = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        partial[first + blockIdx.x] = mine;
        __threadfence_system();
        last = atomicAdd_system(ticket, 1u) == (unsigned)all - 1;
        __threadfence_system();
    }
    __syncthreads();
    if (!last)
        return;
    int sum = 0;
    for (int i = threadIdx.x; i < all; i += blockDim.x)
        sum += partial[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        *sum0 = *sum1 = sum;
        *ticket = 0; // for the next launch
    }
}

// ---- part D: the host in between ----

// Words of the desk: each device's sum, then its flag; the answer, then its flag.
enum { SUM, SUM_FLAG = 2, ANSWER = 4, ANSWER_FLAG };

extern "C" __global__ void ask_the_host(const int *in, size_t n, int side, int *desk, int *out)
{
    int mine = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        mine += in[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        desk[SUM + side] = mine;
        __threadfence_system();
        *(volatile int *)&desk[SUM_FLAG + side] = 1;
        while (*(volatile int *)&desk[ANSWER_FLAG] == 0) {
        }
        __threadfence_system();
        *out = desk[ANSWER];
    }
}

extern "C" cudaError_t referee(int *desk, int bonus)
{
    volatile int *words = desk;
    while (words[SUM_FLAG] == 0 && words[SUM_FLAG + 1] == 0) {
    }
    words[ANSWER] = words[SUM] + words[SUM + 1] + bonus;
    words[ANSWER_FLAG] = 1;
    return cudaSuccess;
}
