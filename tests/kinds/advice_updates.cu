// What is advised where a line updates a place, a lock is taken by one side only, half of an order is there, or a barrier's number or count
// is wrong: the words.
//
// case least_in_loop expect=data-race says=let.only.one.thread.do.line.[0-9]+,.or.use.an.atomic
// case least_atomic_in_loop expect=silent
// case least_across expect=data-race says=an.atomic.on.line.[0-9]+.*another.block.may.come
// case least_atomic_across expect=silent
// case most_by_hand expect=data-race says=an.atomic.on.line.[0-9]+.*another.block.may.come
// case moved_on expect=data-race says=line.[0-9]+.reads.what.other.blocks.write.there nor=an.atomic
// case moved_on_apart expect=silent
// case halves_swapped expect=data-race says=__syncthreads...(after.line.[0-9]+.*|after.the.branch.*|right.)before.the.(loop.comes|threads.come|branch)
// case halves_swapped_in_turn expect=silent
// case scattered expect=data-race says=let.only.one.thread.write.on.line
// case scattered_apart expect=silent
// case looks_first expect=data-race says=line.[0-9]+.looks.by.a.plain.load.at.what.line.[0-9]+.updates
// case looks_by_atomic expect=silent
// case counted_then_read expect=data-race says=__syncthreads
// case counted_waits expect=silent
// case last_looked expect=ordering says=says.whose.count.it.was
// case last_taken expect=silent
// case line_of_two expect=data-race says=between.the.store.and.the.load.on.line
// case line_of_two_apart expect=silent
// case flag_taken expect=data-race says=a.signal.after.line|a.flag.with.a.fence.on.both.sides
// case flag_taken_late expect=silent
// case lock_by_one expect=data-race says=line.[0-9]+.does.without.the.lock.that.is.taken.on.line.[0-9]+:.take.it
// case lock_by_both expect=silent
// case lock_in_block_by_one expect=data-race says=line.[0-9]+.does.without.the.lock
// case lock_in_block expect=silent
// case lock_of_block expect=data-race says=device.scope.on.lines.[0-9]+.and.[0-9]+
// case lock_of_device expect=silent
// case released_only expect=ordering says=__threadfence...behind.the.loop
// case acquired_only expect=ordering says=__threadfence...right.before.the.signal.on.line
// case both_halves expect=silent
// case turns_of_blocks expect=data-race says=another.array,.and.this_grid...sync
// case turns_of_grid expect=silent
// case barrier_left_out expect=deadlock says=who.is.to.change nor=by.one.atomic
// case barrier_by_all expect=silent
// case arrivals_lost expect=deadlock also=ordering says=update.it.on.line.[0-9]+.by.one.atomic
// case count_too_large expect=deadlock says=waits.for.64.threads,.and.it.has.32
// case count_reached expect=silent
// case count_not_reached expect=deadlock says=64.threads.have.to.come
// case number_by_lane expect=barrier-divergence also=deadlock says=number.be.the.same.for.the.whole.warp
// case number_by_warp expect=silent
#include <cooperative_groups.h>
#include <cstring>
#include <cuda_runtime.h>

__global__ void least(int *out, const int *in, int n, bool right)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int key = in[i] % 5;
        if (right)
            atomicMin(&out[key], in[i] - 400);
        else
            out[key] = min(out[key], in[i] - 400); // least_in_loop least_across
    }
}

__global__ void most_by_hand(int *out, const int *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (out[i % 5] < in[i]) out[i % 5] = in[i]; // most_by_hand
}

// Each word goes to the next row, turn by turn, and then the next block has those rows: unrolled, one turn loads from where the next one stores.
__global__ void moved(int *out, int rows, int turns, bool right)
{
    int block = blockIdx.x;
    for (int turn = 0; turn < turns; turn++) {
        int row = (block * blockDim.x + threadIdx.x) / 16 * (rows + 1);
        for (int i = rows - 1; i >= 0; i--) {
            int to = (row + i + 1) * 16 + threadIdx.x % 16, from = (row + i) * 16 + threadIdx.x % 16;
            out[to] = out[from]; // moved_on
        }
        block = right ? block : (block + 1) % gridDim.x;
    }
}

// Pairs change places, turn by turn: each line loads what it stores, and nothing is an update.
__global__ void swapped(int *out, bool right)
{
    __shared__ int s[64];
    s[threadIdx.x] = 64 - threadIdx.x;
    __syncthreads();
#pragma unroll
    for (int d = 32; d > 0; d /= 2) {
        int to = threadIdx.x ^ d;
        if (to > (int)threadIdx.x && s[to] < s[threadIdx.x]) {
            int v = s[to]; s[to] = s[threadIdx.x]; s[threadIdx.x] = v; // halves_swapped
        }
        if (right)
            __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void scatter(int *out, int n, bool right)
{
    int own = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
#pragma unroll 4
    for (int i = own; i < n; i += all)
        out[right ? i : i % 7] = own; // scattered
}

__global__ void looks(int *most, const int *in, int n, bool right)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (right || in[i] > *most) // looks_first
            atomicMax(most, in[i]);
}

__global__ void counted(int *out, bool right)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (threadIdx.x % 3 == 0)
        atomicAdd(&count, 1);
    if (right)
        __syncthreads();
    out[threadIdx.x] = count; // counted_then_read
}

template <bool RIGHT> __global__ void of_two(int *out)
{
    __shared__ int s[64];
    // clang-format off
    s[threadIdx.x] = threadIdx.x; if (RIGHT) __syncthreads(); out[threadIdx.x] = s[63 - threadIdx.x]; // line_of_two
    // clang-format on
}

// Who sees the flag takes it back: no lock is held then.
__global__ void flagged(int *data, int *flag, int *out, bool right)
{
    if (blockIdx.x == 0) {
        int before = data[0];
        if (right)
            out[1] = before + data[1];
        __threadfence();
        atomicExch(flag, 1);
        if (!right)
            out[1] = before + data[1];
    } else {
        while (atomicExch(flag, 0) == 0)
            ;
        __threadfence();
        data[1] = 7; // flag_taken
    }
}

template <bool SAME_BLOCK, bool RIGHT> __global__ void locked(int *data, int *lock)
{
    bool first = SAME_BLOCK ? threadIdx.x == 0 : blockIdx.x == 0, second = SAME_BLOCK ? threadIdx.x == 32 : blockIdx.x == 1;
    if (first) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        data[0] += 1;
        __threadfence();
        atomicExch(lock, 0);
    } else if (second) {
        if (RIGHT) {
            while (atomicCAS(lock, 0, 1) != 0)
                ;
            __threadfence();
        }
        data[0] += 2; // lock_by_one lock_in_block_by_one
        if (RIGHT) {
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}

template <bool RIGHT> __global__ void scoped(int *data, int *lock)
{
    if (RIGHT)
        while (atomicCAS(lock, 0, 1) != 0)
            ;
    else
        while (atomicCAS_block(lock, 0, 1) != 0)
            ;
    __threadfence();
    data[0] += blockIdx.x;
    __threadfence();
    if (RIGHT)
        atomicExch(lock, 0);
    else
        atomicExch_block(lock, 0);
}

__global__ void message(volatile int *data, int *flag, int *out, bool released, bool acquired)
{
    if (blockIdx.x == 0) {
        data[0] = 5;
        if (released)
            __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        if (acquired)
            __threadfence();
        out[0] = data[0]; // released_only acquired_only
    }
}

__global__ void numbered(int *out, int number, int count, int first)
{
    out[threadIdx.x] = 1;
    if ((int)threadIdx.x >= first)
        asm volatile("bar.sync %0, %1;" ::"r"(number < 0 ? threadIdx.x % 2 : number + threadIdx.x / 64), "r"(count) : "memory");
}

// Counts down, and looks whether it was the last: two find that, or goes by what the count returns.
template <bool taken> __global__ void last(int *count, int *found)
{
    int left = atomicSub(count, 1) - 1;
    if (!taken)
        left = atomicAdd(count, 0);
    if (left == -(int)(gridDim.x * blockDim.x))
        atomicAdd(found, 1);
}

/** A barrier by hand, whose generation the last to arrive raises, by a load and a store; and one at which all count so. */
__global__ void by_hand(volatile int *words, int left_out)
{
    if ((int)blockIdx.x == left_out)
        return;
    int generation = words[1];
    __threadfence();
    if (atomicAdd((int *)words, 1) == (int)gridDim.x - 1) {
        atomicExch((int *)words, 0);
        __threadfence();
        words[1] = generation + 1;
    } else {
        while (words[1] == generation) {
        }
    }
}

__global__ void all_count(volatile int *words)
{
    words[0] = words[0] + 1;
    while (words[0] < (int)gridDim.x) {
    }
}

/** In turns from one array to the other: each block reads what its neighbour has written in the last one. */
template <bool SYNCS>
__global__ void in_turns(int *from, int *to)
{
    for (int turn = 0; turn < 3; turn++) {
        to[blockIdx.x] = from[(blockIdx.x + 1) % gridDim.x] + 1;
        if (SYNCS)
            cooperative_groups::this_grid().sync();
        else
            __syncthreads();
        int *other = from;
        from = to;
        to = other;
    }
}

int main(int argc, char **argv)
{
    int *a, *b, *flag, values[512];
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *one) { return !strcmp(name, one); };
    cudaMalloc(&a, sizeof values);
    cudaMalloc(&b, sizeof values);
    cudaMalloc(&flag, sizeof *flag);
    for (int i = 0; i < 512; i++)
        values[i] = i * 7919 % 331;
    cudaMemset(a, 0, sizeof values);
    cudaMemset(flag, 0, sizeof *flag);
    cudaMemcpy(b, values, sizeof values, cudaMemcpyHostToDevice);
    if (is("least_in_loop") || is("least_atomic_in_loop"))
        least<<<1, 64>>>(a, b, 512, is("least_atomic_in_loop"));
    else if (is("least_across") || is("least_atomic_across"))
        least<<<4, 1>>>(a, b, 64, is("least_atomic_across"));
    else if (is("most_by_hand"))
        most_by_hand<<<4, 1>>>(a, b, 64);
    else if (is("moved_on") || is("moved_on_apart"))
        moved<<<4, 32>>>(b, 2, 2, is("moved_on_apart"));
    else if (is("halves_swapped") || is("halves_swapped_in_turn"))
        swapped<<<1, 64>>>(a, is("halves_swapped_in_turn"));
    else if (is("scattered") || is("scattered_apart"))
        scatter<<<3, 1>>>(a, 60, is("scattered_apart"));
    else if (is("looks_first") || is("looks_by_atomic"))
        looks<<<1, 64>>>(a, b, 512, is("looks_by_atomic"));
    else if (is("counted_then_read") || is("counted_waits"))
        counted<<<1, 64>>>(a, is("counted_waits"));
    else if (is("last_looked"))
        last<false><<<4, 64>>>(a, b);
    else if (is("last_taken"))
        last<true><<<4, 64>>>(a, b);
    else if (is("line_of_two"))
        of_two<false><<<1, 64>>>(a);
    else if (is("line_of_two_apart"))
        of_two<true><<<1, 64>>>(a);
    else if (is("flag_taken") || is("flag_taken_late"))
        flagged<<<2, 1>>>(b, flag, a, is("flag_taken_late"));
    else if (is("lock_by_one"))
        locked<false, false><<<2, 1>>>(a, flag);
    else if (is("lock_by_both"))
        locked<false, true><<<2, 1>>>(a, flag);
    else if (is("lock_in_block_by_one"))
        locked<true, false><<<1, 64>>>(a, flag);
    else if (is("lock_in_block"))
        locked<true, true><<<1, 64>>>(a, flag);
    else if (is("lock_of_block"))
        scoped<false><<<2, 1>>>(a, flag);
    else if (is("lock_of_device"))
        scoped<true><<<2, 1>>>(a, flag);
    else if (is("turns_of_blocks") || is("turns_of_grid")) {
        void *arguments[] = {&a, &b};
        cudaLaunchCooperativeKernel(is("turns_of_grid") ? (void *)in_turns<true> : (void *)in_turns<false>, 3, 1, arguments, 0, 0);
    } else if (is("barrier_left_out") || is("barrier_by_all"))
        by_hand<<<3, 1>>>(a, is("barrier_left_out") ? 1 : -1);
    else if (is("arrivals_lost"))
        all_count<<<3, 1>>>(a);
    else if (is("count_too_large"))
        numbered<<<1, 32>>>(a, 1, 64, 0);
    else if (is("count_reached"))
        numbered<<<1, 64>>>(a, 1, 64, 0);
    else if (is("count_not_reached"))
        numbered<<<1, 64>>>(a, 1, 64, 32);
    else if (is("number_by_lane"))
        numbered<<<1, 32>>>(a, -1, 32, 0);
    else if (is("number_by_warp"))
        numbered<<<1, 128>>>(a, 1, 64, 0);
    else
        message<<<2, 1>>>(b, flag, a, !is("acquired_only"), !is("released_only"));
    cudaMemcpy(values, a, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(flag);
    return 0;
}
