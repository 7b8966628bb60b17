// verdict: not-as-asked in last_block
// verdict: not-as-asked in semaphore
// verdict: not-as-asked in signed_off
// verdict: not-as-asked in next_tile
// verdict: not-as-asked in some_warps
// verdict: not-as-asked in last_time
// verdict: not-as-asked in relaxed_flag
// verdict: not-as-asked in another_way
// Taken down, not mended: an atomic in place of a last block, a launch in place of a flag, loads and stores in place of
// shared memory and of a bulk copy.

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

// ---- Exhibit A: the last block ----

// places last_block: a d

__global__ void add_up(int *out, const int *in, int n)
{
    int sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

extern "C" void last_block(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(out, 0, sizeof(int));
    add_up<<<8, THREADS>>>(out, in, n);
}

// ---- Exhibit B: the semaphore ----

// places semaphore: b d

#define SLICES 4

__global__ void add_slice(int *out, const int *in, int slice, int length)
{
    int i = threadIdx.x, sum = slice == 0 ? 0 : out[i];
    for (int k = i; k < length; k += THREADS)
        sum += in[slice * length + k];
    out[i] = sum;
}

extern "C" void semaphore(int *out, const int *in, int *memory, int n)
{
    for (int slice = 0; slice < SLICES; slice++)
        add_slice<<<1, THREADS>>>(out, in, slice, n / SLICES);
}

// ---- Exhibit C: signed off ----

// places signed_off: a d

#define BINS 64

__global__ void count_bins(int *out, const int *in, int n)
{
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        atomicAdd(&out[in[i] & (BINS - 1)], 1);
}

extern "C" void signed_off(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(out, 0, BINS * sizeof(int));
    count_bins<<<8, THREADS>>>(out, in, n);
}

// ---- Exhibit D: one buffer, two reductions ----

// places one_buffer: a b

enum operation { MOST, SUM };

__device__ int both(enum operation o, int a, int b)
{
    return o == SUM ? a + b : a > b ? a : b;
}

// The result of the operation over the block's threads, in each of them.
__device__ int reduce(int value, enum operation o, int *buffer)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value = both(o, value, __shfl_xor_sync(ALL, value, distance));
    if (threadIdx.x % 32 == 0)
        buffer[threadIdx.x / 32] = value; // (a)
    __syncthreads();
    value = buffer[threadIdx.x % WARPS]; // (b)
    for (int distance = WARPS / 2; distance > 0; distance /= 2)
        value = both(o, value, __shfl_xor_sync(ALL, value, distance));
    return value;
}

__global__ void below_maximum(int *out, const int *in)
{
    __shared__ int buffer[WARPS];
    int i = grid_thread(), x = in[i]; // (c)
    int most = reduce(x, MOST, buffer);
    __syncthreads(); // all have read what the next reduction overwrites
    int sum = reduce(most - x, SUM, buffer);
    out[i] = sum; // (d)
}

// For each THREADS elements: how far they are below their maximum, added up; once for each of them.
extern "C" void one_buffer(int *out, const int *in, int *memory, int n)
{
    below_maximum<<<n / THREADS, THREADS>>>(out, in);
}

// ---- Exhibit E: the next tile ----

// places next_tile: a b

#define TILE 16

__global__ void turn_tiles(int *out, const int *in, int tiles)
{
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (int t = 0; t < tiles; t++) {
        int first = (blockIdx.x * tiles + t) * TILE * TILE;
        out[first + threadIdx.x] = in[first + x * TILE + y];
    }
}

extern "C" void next_tile(int *out, const int *in, int *memory, int n)
{
    turn_tiles<<<2, TILE * TILE>>>(out, in, n / (2 * TILE * TILE));
}

// ---- Exhibit F: they have all voted ----

// places all_voted: b c

// Each warp keeps the odd elements of its piece, and hands them to out in full rows of 32.
__global__ void keep_odd(int *out, int *counts, const int *in, int piece)
{
    __shared__ int rows[WARPS][64];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, number = blockIdx.x * WARPS + warp;
    int *row = rows[warp], found = 0, written = 0;
    for (int i = 0; i < piece; i += 32) {
        int x = in[number * piece + i + lane]; // (a)
        unsigned odd = __ballot_sync(ALL, x & 1), before = odd & ((1u << lane) - 1);
        if (x & 1)
            row[(found + __popc(before)) % 64] = x; // (b)
        found += __popc(odd);
        __syncwarp(); // a vote orders no memory: what was stored is there
        if (__any_sync(ALL, found - written >= 32)) {
            out[number * piece + written + lane] = row[(written + lane) % 64]; // (c)
            written += 32;
            __syncwarp(); // and has been read, before somebody stores there again
        }
    }
    if (written + lane < found)
        out[number * piece + written + lane] = row[(written + lane) % 64]; // (d)
    if (lane == 0)
        counts[number] = found; // (e)
}

// The odd elements of each of WARPS * 2 pieces of in, at the start of the same piece of out; memory[p] becomes
// their number.
extern "C" void all_voted(int *out, const int *in, int *memory, int n)
{
    keep_odd<<<2, THREADS>>>(out, memory, in, n / (2 * WARPS));
}

// ---- Exhibit G: some of the warps ----

// places some_warps: b c

#define ROWS 6

__global__ void turn_chunks(int *out, const int *in, int length)
{
    const int *row = in + blockIdx.x * length;
    for (int i = threadIdx.x; i < length; i += THREADS) {
        int first = i / THREADS * THREADS, count = min(length - first, THREADS);
        out[blockIdx.x * length + i] = row[first + count - 1 - threadIdx.x];
    }
}

extern "C" void some_warps(int *out, const int *in, int *memory, int n)
{
    turn_chunks<<<ROWS, THREADS>>>(out, in, n / ROWS);
}

// ---- Exhibit H: looking back ----

// places looking_back: e f

struct tiles {
    int ticket, ready[62], prefix[62];
};

__global__ void scan(int *out, const int *in, struct tiles *tiles, int n)
{
    __shared__ int block, before, values[THREADS];
    if (threadIdx.x == 0)
        block = atomicAdd(&tiles->ticket, 1); // so that only earlier ones are waited for
    __syncthreads();
    int i = block * THREADS + threadIdx.x;
    values[threadIdx.x] = in[i]; // (a)
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        int left = threadIdx.x < distance ? 0 : values[threadIdx.x - distance]; // (b)
        __syncthreads();
        values[threadIdx.x] += left; // (c)
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        int sum = 0;
        if (block > 0) {
            while (atomicAdd(&tiles->ready[block - 1], 0) == 0) // (d)
                ;
            __threadfence(); // acquire
            sum = tiles->prefix[block - 1]; // (e)
        }
        before = sum;
        tiles->prefix[block] = sum + values[THREADS - 1]; // (f)
        __threadfence(); // release
        atomicExch(&tiles->ready[block], 1); // (g)
    }
    __syncthreads();
    out[i] = before + values[threadIdx.x]; // (h)
}

// out[i] becomes in[0] + … + in[i]; n is a multiple of THREADS, at most 62 times it.
extern "C" void looking_back(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, sizeof(struct tiles));
    scan<<<n / THREADS, THREADS>>>(out, in, (struct tiles *)memory, n);
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

// ---- Exhibit J: in lockstep ----

// places in_lockstep: a b

// Each warp adds up its 32 elements. Its lanes need not move in step.
__global__ void sum_warps(int *out, const int *in)
{
    __shared__ int shared[WARPS][32];
    int *sums = shared[threadIdx.x / 32], lane = threadIdx.x % 32;
    sums[lane] = in[grid_thread()]; // (a)
    for (int half = 16; half > 0; half /= 2) {
        __syncwarp(); // what the step before has stored is there, in every step
        if (lane < half) {
            int other = sums[lane + half]; // (b)
            sums[lane] += other; // (c)
        }
    }
    if (lane == 0)
        out[grid_thread() / 32] = sums[0]; // (d)
}

// n is a multiple of THREADS.
extern "C" void in_lockstep(int *out, const int *in, int *memory, int n)
{
    sum_warps<<<n / THREADS, THREADS>>>(out, in);
}

// ---- Exhibit K: the counter of last time ----

// places last_time: c e

__global__ void clear_most(int *out)
{
    out[threadIdx.x] = -2147483647;
}

__global__ void find_most(int *out, const int *in, int n)
{
    int most = -2147483647;
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        most = max(most, in[i]);
    for (int distance = 16; distance > 0; distance /= 2)
        most = max(most, __shfl_down_sync(ALL, most, distance));
    if (threadIdx.x % 32 == 0)
        atomicMax(out, most);
}

extern "C" void last_time(int *out, const int *in, int *memory, int n)
{
    clear_most<<<1, 3>>>(out);
    find_most<<<2, THREADS>>>(out, in, n / 4);
    find_most<<<4, THREADS>>>(out + 1, in, n / 2);
    find_most<<<8, THREADS>>>(out + 2, in, n);
}

// ---- Exhibit L: a relaxed flag ----

// places relaxed_flag: b e

#define RANKS 4

__global__ void reduce_shares(const int *in, int *sums, int length)
{
    int share = length / RANKS;
    for (int k = blockIdx.x * share + threadIdx.x; k < (blockIdx.x + 1) * share; k += THREADS) {
        int sum = 0;
        for (int r = 0; r < RANKS; r++)
            sum += in[r * length + k];
        sums[k] = sum;
    }
}

__global__ void gather(int *out, const int *sums, int length)
{
    for (int k = threadIdx.x; k < length; k += THREADS)
        out[blockIdx.x * length + k] = sums[k];
}

extern "C" void relaxed_flag(int *out, const int *in, int *memory, int n)
{
    reduce_shares<<<RANKS, THREADS>>>(in, memory, n / RANKS);
    gather<<<RANKS, THREADS>>>(out, memory, n / RANKS);
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

// ---- Exhibit R: another way ----

// places another_way: a c

// Turns each row of THREADS elements round, and copies it out in bulk.
__global__ void turn_rows(int *out, const int *in, int n)
{
    alignas(16) __shared__ int row[THREADS];
    for (int first = blockIdx.x * THREADS; first + THREADS <= n; first += gridDim.x * THREADS) {
        row[THREADS - 1 - threadIdx.x] = in[first + threadIdx.x]; // (a)
        __syncthreads(); // (b) the row is there
        out[first + threadIdx.x] = row[threadIdx.x];
        __syncthreads(); // (e)
    }
}

extern "C" void another_way(int *out, const int *in, int *memory, int n)
{
    turn_rows<<<4, THREADS>>>(out, in, n);
}
