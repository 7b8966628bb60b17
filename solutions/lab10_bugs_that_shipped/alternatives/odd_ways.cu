// Odd ways, all right: pieces in place of strides, two buffers by turns, one count in place of flags, words that one
// warp has for itself, a proxy fence behind the barrier.

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

__global__ void add_up(int *out, const int *in, int *partial, int *ticket, int n)
{
    __shared__ bool last;
    int piece = (n + gridDim.x - 1) / gridDim.x, mine = 0; // each block has a piece of its own
    for (int i = blockIdx.x * piece + threadIdx.x; i < min((blockIdx.x + 1) * piece, n); i += THREADS)
        mine += in[i];
    int sum = block_sum(mine);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum; // (a)
        __threadfence();
        last = atomicInc((unsigned *)ticket, gridDim.x - 1) == gridDim.x - 1; // (b)
        __threadfence(); // acquire: having seen all tickets, see what was released with them
    }
    __syncthreads();
    if (!last) // (c)
        return;
    if (threadIdx.x == 0) {
        sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += partial[b]; // (d)
        *out = sum; // (e)
    }
}

// *out becomes the sum of in[0] … in[n-1].
extern "C" void last_block(int *out, const int *in, int *memory, int n)
{
    add_up<<<8, THREADS>>>(out, in, memory + 1, memory, n);
}

// ---- Exhibit B: the semaphore ----

// places semaphore: b d

#define SLICES 4

// Block x adds its slice of the sums to what the slices before it have left in out.
__global__ void add_slice(int *out, const int *in, volatile int *turn, int n)
{
    int slice = blockIdx.x, length = n / SLICES;
    if (threadIdx.x == THREADS - 1) {
        while (*turn != slice) // (a)
            ;
        __threadfence();
    }
    __syncthreads();
    for (int i = threadIdx.x; i < THREADS; i += blockDim.x) {
        int sum = 0;
        for (int k = i; k < length; k += THREADS)
            sum += in[slice * length + k]; // (c)
        if (slice > 0)
            sum += *(volatile int *)&out[i]; // (b)
        *(volatile int *)&out[i] = sum; // (d)
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((int *)turn, 1); // (e)
    }
}

// out[i] becomes the sum of in[i], in[i + THREADS], …; n is a multiple of SLICES * THREADS.
extern "C" void semaphore(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, sizeof(int));
    add_slice<<<SLICES, THREADS>>>(out, in, memory, n);
}

// ---- Exhibit C: signed off ----

// places signed_off: a d

#define BINS 64

__global__ void count_bins(int *out, const int *in, int *bins, int *ticket, int n)
{
    __shared__ bool last;
    int piece = (n + gridDim.x - 1) / gridDim.x;
    for (int i = blockIdx.x * piece + threadIdx.x; i < min((blockIdx.x + 1) * piece, n); i += THREADS)
        atomicAdd(&bins[in[i] & (BINS - 1)], 1); // (a)
    __syncthreads(); // a fence makes nobody wait: all have counted
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1; // (b)
        __threadfence();
    }
    __syncthreads();
    if (!last) // (c)
        return;
    for (int b = threadIdx.x; b < BINS; b += THREADS) {
        out[b] = bins[b]; // (d)
    }
    if (threadIdx.x == 0)
        *ticket = 0; // (f)
}

// out[b] becomes the number of elements whose last six bits are b.
extern "C" void signed_off(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory + 1, 0, BINS * sizeof(int));
    count_bins<<<8, THREADS>>>(out, in, memory + 1, memory, n);
}

// ---- Exhibit D:
// places one_buffer: a b

__global__ void below_maximum(int *out, const int *in)
{
    __shared__ int most, sum;
    int i = grid_thread(), x = in[i]; // (c)
    if (threadIdx.x == 0) {
        most = -2147483647;
        sum = 0;
    }
    __syncthreads();
    atomicMax(&most, x); // (a)
    __syncthreads();
    atomicAdd(&sum, most - x); // (b)
    __syncthreads();
    out[i] = sum; // (d)
}

extern "C" void one_buffer(int *out, const int *in, int *memory, int n)
{
    below_maximum<<<n / THREADS, THREADS>>>(out, in);
}

// ---- Exhibit E:
// places next_tile: a b

#define TILE 16

// Each of 64 of the threads brings four elements at once; all take one out.
__global__ void turn_tiles(int *out, const int *in, int tiles)
{
    alignas(16) __shared__ int tile[2][TILE * TILE];
    for (int t = 0; t < tiles; t++) {
        int first = (blockIdx.x * tiles + t) * TILE * TILE;
        if (threadIdx.x % 4 == 0)
            *(int4 *)&tile[t % 2][threadIdx.x] = *(const int4 *)&in[first + threadIdx.x]; // (a)
        __syncthreads();
        out[first + threadIdx.x] = tile[t % 2][threadIdx.x % TILE * TILE + threadIdx.x / TILE]; // (b)
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
        __syncwarp();
        if (found - written >= 32) { // the same in all lanes
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

// ---- Exhibit G:
// places some_warps: b c

// A row's chunk in one of two places by turns: one barrier for each.
__global__ void turn_chunks(int *out, const int *in, int rows, int length)
{
    __shared__ int chunks[2][THREADS];
    int turn = 0;
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        for (int first = 0; first < length; first += THREADS, turn = !turn) {
            int count = length - first < THREADS ? length - first : THREADS;
            int i = row * length + first + threadIdx.x;
            if (threadIdx.x < count) // (a)
                chunks[turn][count - 1 - threadIdx.x] = in[i]; // (b)
            __syncthreads();
            if (threadIdx.x < count)
                out[i] = chunks[turn][threadIdx.x]; // (c)
        }
}

#define ROWS 6

extern "C" void some_warps(int *out, const int *in, int *memory, int n)
{
    turn_chunks<<<2, THREADS>>>(out, in, ROWS, n / ROWS);
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
            while (*(volatile int *)&tiles->ready[block - 1] == 0) // (d)
                ;
            __threadfence(); // acquire
            sum = tiles->prefix[block - 1]; // (e)
        }
        before = sum;
        tiles->prefix[block] = sum + values[THREADS - 1]; // (f)
        __threadfence(); // release
        *(volatile int *)&tiles->ready[block] = 1; // (g)
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
            int leader = 31 - __clz(here), place;
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

// All lanes add in each step, each its partner's: there and back again.
__global__ void sum_warps(int *out, const int *in)
{
    __shared__ int shared[2][WARPS][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, turn = 0, sum = in[grid_thread()];
    for (int distance = 16; distance > 0; distance /= 2, turn = !turn) {
        shared[turn][warp][lane] = sum; // (a)
        __syncwarp();
        sum += shared[turn][warp][lane ^ distance]; // (b)
    }
    if (lane == 31)
        out[grid_thread() / 32] = sum; // (d)
}

extern "C" void in_lockstep(int *out, const int *in, int *memory, int n)
{
    sum_warps<<<n / THREADS, THREADS>>>(out, in);
}

// ---- Exhibit K: the counter of last time ----

// places last_time: c e

__global__ void find_most(int *out, const int *in, int *partial, int *ticket, int n)
{
    __shared__ int most, order;
    if (threadIdx.x == 0)
        most = -2147483647; // (a)
    __syncthreads();
    int mine = -2147483647;
    for (int i = grid_thread(); i < n; i += gridDim.x * THREADS)
        mine = max(mine, in[i]);
    mine = __reduce_max_sync(ALL, mine);
    if (threadIdx.x % 32 == 0)
        atomicMax(&most, mine); // (b)
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = most; // (c)
        __threadfence();
        order = atomicAdd(ticket, 1); // (d)
        __threadfence();
        if (order == gridDim.x - 1) {
            for (int b = 0; b < gridDim.x; b++)
                most = max(most, partial[b]); // (e)
            *out = most; // (f)
            *ticket = 0; // as the next launch wants to find it
        }
    }
}

// out[r] becomes the largest of the first n / 4, n / 2 and n elements (r = 0, 1, 2).
extern "C" void last_time(int *out, const int *in, int *memory, int n)
{
    find_most<<<2, THREADS>>>(out, in, memory + 1, memory, n / 4);
    find_most<<<4, THREADS>>>(out + 1, in, memory + 1, memory, n / 2);
    find_most<<<8, THREADS>>>(out + 2, in, memory + 1, memory, n);
}

// ---- Exhibit L: a relaxed flag ----

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
        sums[k] = sum; // (b)
    }
    __syncthreads();
    if (threadIdx.x == 0) { // one for all: one count in place of flags
        __threadfence();
        atomicAdd(&flags[0], 1); // (c)
        while (*(volatile int *)&flags[0] < RANKS) // (d)
            ;
        __threadfence();
    }
    __syncthreads();
    for (int k = threadIdx.x; k < length; k += THREADS)
        out[rank * length + k] = sums[k]; // (e)
}

// A block for each rank, which has n / RANKS elements of in; each gets the sums over all ranks.
extern "C" void relaxed_flag(int *out, const int *in, int *memory, int n)
{
    cudaMemsetAsync(memory, 0, RANKS * RANKS * sizeof(int));
    all_reduce<<<RANKS, THREADS>>>(out, in, memory + RANKS * RANKS, memory, n / RANKS);
}

// ---- Exhibit M:
// places whose_word: b b

#define OFFSET 7

// A word belongs to one warp: the threads are counted from the first word's first bit.
__global__ void set_bits(int *out, const int *in, int n)
{
    int bit = grid_thread(), i = bit - OFFSET;
    bool above = i >= 0 && i < n && in[i] > 0; // (a)
    unsigned word = __ballot_sync(ALL, above);
    if (threadIdx.x % 32 == 0 && i < n)
        out[bit / 32] = word; // (b)
}

extern "C" void whose_word(int *out, const int *in, int *memory, int n)
{
    set_bits<<<(n + OFFSET + THREADS - 1) / THREADS, THREADS>>>(out, in, n);
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
    cudaEvent_t there;
    cudaEventCreate(&there);
    cudaEventRecord(there, stream);
    cudaEventSynchronize(there);
    cudaEventDestroy(there);
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
        cudaFreeAsync(step, side); // (e)
    }
    cudaDeviceSynchronize();
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
    cudaStreamSynchronize(stream);
    cudaMemcpy(out, memory, sizeof(int), cudaMemcpyDeviceToHost); // (d)
    cudaStreamDestroy(stream);
}

// ---- Exhibit Q: launched early ----

// places launched_early: c d

#define PIECES 8

__global__ void sum_pieces(int *sums, const int *in, int n)
{
    int sum = block_sum(thread_sum(in, n)); // (a)
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum; // (c)
    cudaTriggerProgrammaticLaunchCompletion(); // (b) the next kernel may begin
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
        if (threadIdx.x == 0) {
            ptx::fence_proxy_async(ptx::space_shared); // behind the barrier: for what all have stored
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, &out[first], row, sizeof row); // (c)
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
