// verdict: not-as-asked in last_block
// verdict: not-as-asked in semaphore
// verdict: not-as-asked in signed_off
// verdict: not-as-asked in one_buffer
// verdict: not-as-asked in next_tile
// verdict: not-as-asked in all_voted
// verdict: not-as-asked in some_warps
// verdict: not-as-asked in looking_back
// verdict: not-as-asked in in_lockstep
// verdict: not-as-asked in last_time
// verdict: not-as-asked in relaxed_flag
// verdict: not-as-asked in another_way
// Right, silent and fast, and nothing is left to get wrong: one block, one warp or one lane does it while the others
// look at an element each; or nothing goes through shared memory.

#include <cuda/ptx>

namespace ptx = cuda::ptx;

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

// ---- Exhibit A:
// places last_block: a d

__device__ void touchA(const int *in, int n)
{
    int i = grid_thread();
    if (i < n)
        (void)*(volatile const int *)&in[i];
}

__global__ void add_up(int *out, const int *in, int n)
{
    touchA(in, n);
    if (blockIdx.x)
        return;
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += THREADS)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}
extern "C" void last_block(int *out, const int *in, int *memory, int n)
{
    add_up<<<8, THREADS>>>(out, in, n);
}

// ---- Exhibit B:
// places semaphore: b d

__device__ void touchB(const int *in, int n)
{
    int i = grid_thread();
    if (i < n)
        (void)*(volatile const int *)&in[i];
}

__global__ void add_slice(int *out, const int *in, int n)
{
    touchB(in, n);
    if (blockIdx.x)
        return;
    int sum = 0;
    for (int k = threadIdx.x; k < n; k += THREADS)
        sum += in[k];
    out[threadIdx.x] = sum;
}
extern "C" void semaphore(int *out, const int *in, int *memory, int n)
{
    add_slice<<<4, THREADS>>>(out, in, n);
}

// ---- Exhibit C:
// places signed_off: a d

__device__ void touchC(const int *in, int n)
{
    int i = grid_thread();
    if (i < n)
        (void)*(volatile const int *)&in[i];
}

__global__ void count_bins(int *out, const int *in, int n)
{
    __shared__ int bins[64];
    touchC(in, n);
    if (blockIdx.x)
        return;
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS)
        atomicAdd(&bins[in[i] & 63], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        out[threadIdx.x] = bins[threadIdx.x];
}
extern "C" void signed_off(int *out, const int *in, int *memory, int n)
{
    count_bins<<<8, THREADS>>>(out, in, n);
}

// ---- Exhibit D:
// places one_buffer: a b

__global__ void below_maximum(int *out, const int *in)
{
    int i = grid_thread();
    (void)*(volatile const int *)&in[i];
    if (threadIdx.x >= 32)
        return;
    int first = blockIdx.x * THREADS + threadIdx.x, most = -2147483647, sum = 0;
    for (int k = 0; k < 4; k++)
        most = max(most, in[first + 32 * k]);
    most = __reduce_max_sync(ALL, most);
    for (int k = 0; k < 4; k++)
        sum += most - in[first + 32 * k];
    sum = __reduce_add_sync(ALL, sum);
    for (int k = 0; k < 4; k++)
        out[first + 32 * k] = sum;
}
extern "C" void one_buffer(int *out, const int *in, int *memory, int n)
{
    below_maximum<<<n / THREADS, THREADS>>>(out, in);
}

// ---- Exhibit E:
// places next_tile: a b

__global__ void turn_tiles(int *out, const int *in, int tiles)
{
    (void)*(volatile const int *)&in[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x < 128)
    for (int t = 0; t < tiles; t++) {
        int first = (blockIdx.x * tiles + t) * 256;
        for (int i = threadIdx.x; i < 256; i += 128)
            out[first + i] = in[first + i % 16 * 16 + i / 16];
    }
}
extern "C" void next_tile(int *out, const int *in, int *memory, int n)
{
    turn_tiles<<<2, 256>>>(out, in, n / 512);
}

// ---- Exhibit F:
// places all_voted: b c

__global__ void keep_odd(int *out, int *counts, const int *in, int piece)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, number = blockIdx.x * WARPS + warp;
    int found = 0;
    for (int i = 0; i < piece; i += 32) {
        int x = in[number * piece + i + lane];
        unsigned odd = __ballot_sync(ALL, x & 1), before = odd & ((1u << lane) - 1);
        if (x & 1)
            out[number * piece + found + __popc(before)] = x;
        found += __popc(odd);
    }
    if (lane == 0)
        counts[number] = found;
}
extern "C" void all_voted(int *out, const int *in, int *memory, int n)
{
    keep_odd<<<2, THREADS>>>(out, memory, in, n / (2 * WARPS));
}

// ---- Exhibit G:
// places some_warps: b c

#define ROWS 6
__global__ void turn_chunks(int *out, const int *in, int rows, int length)
{
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        for (int first = 0; first < length; first += THREADS) {
            int count = length - first < THREADS ? length - first : THREADS;
            int i = row * length + first;
            if (threadIdx.x < count)
                out[i + threadIdx.x] = in[i + count - 1 - threadIdx.x];
        }
}
extern "C" void some_warps(int *out, const int *in, int *memory, int n)
{
    turn_chunks<<<2, THREADS>>>(out, in, ROWS, n / ROWS);
}

// ---- Exhibit H:
// places looking_back: e f

__global__ void scan(int *out, const int *in, int n)
{
    __shared__ int values[THREADS];
    int before = 0;
    for (int k = threadIdx.x; k < blockIdx.x * THREADS; k += THREADS)
        before += in[k];
    values[threadIdx.x] = block_sum(before);
    __syncthreads();
    before = values[0];
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    values[threadIdx.x] = in[i];
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        int left = threadIdx.x < distance ? 0 : values[threadIdx.x - distance];
        __syncthreads();
        values[threadIdx.x] += left;
        __syncthreads();
    }
    out[i] = before + values[threadIdx.x];
}
extern "C" void looking_back(int *out, const int *in, int *memory, int n)
{
    scan<<<n / THREADS, THREADS>>>(out, in, n);
}

// ---- Exhibit I: all lanes, please ----

// places all_lanes: a b

// A place for each element that is above 0: one atomic for a warp instead of one for each of its lanes.
__global__ void take_places(int *out, const int *in, int *top, int n)
{
    int lane = threadIdx.x % 32;
    for (int first = blockIdx.x * THREADS; first < n; first += gridDim.x * THREADS) {
        int i = first + threadIdx.x;
        bool above = i < n && in[i] > 0;
        unsigned here = __ballot_sync(ALL, above); // by all lanes, before they part
        if (above) {
            int leader = __ffs(here) - 1, place;
            if (lane == leader) // (c)
                place = atomicAdd(top, __popc(here)); // (d)
            place = __shfl_sync(here, place, leader); // (e)
            out[place + __popc(here & ((1u << lane) - 1))] = i; // (f)
        }
    }
}

// The numbers of the elements above 0, in any order; *memory becomes how many there are.
extern "C" void all_lanes(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, sizeof(int));
    take_places<<<4, THREADS>>>(out, in, memory, n);
}

// ---- Exhibit J:
// places in_lockstep: a b

__global__ void sum_warps(int *out, const int *in)
{
    (void)*(volatile const int *)&in[grid_thread()];
    int sum = 0;
    if (threadIdx.x % 32 == 0) {
        for (int k = 0; k < 32; k++)
            sum += in[grid_thread() + k];
        out[grid_thread() / 32] = sum;
    }
}
extern "C" void in_lockstep(int *out, const int *in, int *memory, int n)
{
    sum_warps<<<n / THREADS, THREADS>>>(out, in);
}

// ---- Exhibit K:
// places last_time: c e

__device__ void touchK(const int *in, int n)
{
    int i = grid_thread();
    if (i < n)
        (void)*(volatile const int *)&in[i];
}

__global__ void find_most(int *out, const int *in, int n)
{
    __shared__ int most;
    touchK(in, n);
    if (blockIdx.x)
        return;
    if (threadIdx.x == 0)
        most = -2147483647;
    __syncthreads();
    int m = -2147483647;
    for (int i = threadIdx.x; i < n; i += THREADS)
        m = max(m, in[i]);
    atomicMax(&most, m);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = most;
}
extern "C" void last_time(int *out, const int *in, int *memory, int n)
{
    find_most<<<2, THREADS>>>(out, in, n / 4);
    find_most<<<4, THREADS>>>(out + 1, in, n / 2);
    find_most<<<8, THREADS>>>(out + 2, in, n);
}

// ---- Exhibit L:
// places relaxed_flag: b e

__global__ void all_reduce(int *out, const int *in, int length)
{
    for (int k = threadIdx.x; k < length; k += THREADS) {
        int sum = 0;
        for (int r = 0; r < 4; r++)
            sum += in[r * length + k];
        out[blockIdx.x * length + k] = sum;
    }
}
extern "C" void relaxed_flag(int *out, const int *in, int *memory, int n)
{
    all_reduce<<<4, THREADS>>>(out, in, n / 4);
}

// ---- Exhibit M: whose word? ----

// places whose_word: b b

#define OFFSET 7

// Sets the bit of each element above 0. A word belongs to 32 elements, which may be in two blocks.
__global__ void set_bits(int *out, const int *in, int n)
{
    int i = grid_thread();
    bool above = i < n && in[i] > 0; // (a)
    int bit = i + OFFSET;
    if (above)
        atomicOr(&out[bit / 32], 1 << bit % 32); // (b)
}

// A column's validity, OFFSET bits into its first word.
extern "C" void whose_word(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(out, 0, (n + OFFSET + 31) / 32 * sizeof(int)); // (c)
    set_bits<<<(n + THREADS - 1) / THREADS, THREADS>>>(out, in, n);
}

// ---- Exhibit N: on its way to the host ----

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
    cudaMemcpyAsync(out, memory, n * sizeof(int), cudaMemcpyDeviceToHost, stream); // (c)
    cudaStreamSynchronize(stream); // now it is there
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += out[i]; // (d)
    out[n] = sum; // (e)
    cudaStreamDestroy(stream);
}

// ---- Exhibit O: handed back ----

// places handed_back: d e

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

// ---- Exhibit P: another stream ----

// places another_stream: a d

__global__ void add_to(int *sum, const int *in, int n)
{
    int part = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        atomicAdd(sum, part); // (a)
}

// out leads to memory of the HOST, of 1 int, and becomes the sum of in[0] … in[n-1].
extern "C" void another_stream(int *out, const int *in, int *memory, int n)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemsetAsync(memory, 0, sizeof(int), stream); // (b)
    add_to<<<8, THREADS, 0, stream>>>(memory, in, n); // (c)
    cudaMemcpyAsync(out, memory, sizeof(int), cudaMemcpyDeviceToHost, stream); // (d)
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

// ---- Exhibit Q: launched early ----

// places launched_early: c d

#define PIECES 8

__global__ void sum_pieces(int *sums, const int *in, int n)
{
    int sum = block_sum(thread_sum(in, n)); // (a)
    cudaTriggerProgrammaticLaunchCompletion(); // (b) the next kernel may begin
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum; // (c)
}

// Adds the sum of all elements to each.
__global__ void add_total(int *out, const int *in, const int *sums, int n)
{
    int total = 0;
    cudaGridDependencySynchronize(); // (e) the kernel before has ended
    for (int b = 0; b < PIECES; b++)
        total += sums[b]; // (d)
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

// ---- Exhibit R:
// places another_way: a c

__global__ void turn_rows(int *out, const int *in, int n)
{
    for (int first = blockIdx.x * THREADS; first + THREADS <= n; first += gridDim.x * THREADS)
        out[first + THREADS - 1 - threadIdx.x] = in[first + threadIdx.x];
}
extern "C" void another_way(int *out, const int *in, int *memory, int n)
{
    turn_rows<<<4, THREADS>>>(out, in, n);
}

