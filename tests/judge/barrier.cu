// __syncthreads present and missing: reductions, scans, tiles, stencils, double buffers, sorting.
#include "judge.cuh"

// case: reduce_right grid=2 block=64 expect=silent
KERNEL(reduce_right)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    __syncthreads();
    for (unsigned h = 32; h > 0; h >>= 1) {
        if (TID < h)
            s[TID] += s[TID + h];
        __syncthreads();
    }
    if (TID == 0)
        y[BID] = s[0];
}

// case: reduce_no_barrier_in_loop grid=2 block=64 expect=data-race@1@1
KERNEL(reduce_no_barrier_in_loop)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    __syncthreads();
    for (unsigned h = 32; h > 0; h >>= 1) {
        if (TID < h)
            s[TID] += s[TID + h]; // @1
    }
    if (TID == 0)
        y[BID] = s[0];
}

// case: reduce_no_first_barrier grid=2 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(reduce_no_first_barrier)
{
    __shared__ int s[64];
    s[TID] = x[GID]; // @1
    for (unsigned h = 32; h > 0; h >>= 1) {
        if (TID < h)
            s[TID] += s[TID + h]; // @2
        __syncthreads();
    }
    if (TID == 0)
        y[BID] = s[0];
}

// All threads read the result, and nothing separates them from the last step.
// case: reduce_result_read_early grid=2 block=64 expect=data-race@1@2
KERNEL(reduce_result_read_early)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    for (unsigned h = 32; h > 0; h >>= 1) {
        __syncthreads();
        if (TID < h)
            s[TID] += s[TID + h]; // @1
    }
    y[GID] = s[0]; // @2
}

// case: reduce_result_read_late grid=2 block=64 expect=silent
KERNEL(reduce_result_read_late)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    for (unsigned h = 32; h > 0; h >>= 1) {
        __syncthreads();
        if (TID < h)
            s[TID] += s[TID + h];
    }
    __syncthreads();
    y[GID] = s[0];
}

// case: transpose_right grid=2 block=64 expect=silent
KERNEL(transpose_right)
{
    __shared__ int tile[8][9];
    unsigned row = TID / 8, column = TID % 8;
    tile[row][column] = x[GID];
    __syncthreads();
    y[GID] = tile[column][row];
}

// case: transpose_no_barrier grid=2 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(transpose_no_barrier)
{
    __shared__ int tile[8][9];
    unsigned row = TID / 8, column = TID % 8;
    tile[row][column] = x[GID]; // @1
    y[GID] = tile[column][row]; // @2
}

// case: tiles_right grid=1 block=64 expect=silent
KERNEL(tiles_right)
{
    __shared__ int s[64];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        s[TID] = x[k * 64 + TID];
        __syncthreads();
        sum += s[63 - TID];
        __syncthreads();
    }
    y[TID] = sum;
}

// The next tile overwrites what slower threads still read.
// case: tiles_no_second_barrier grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(tiles_no_second_barrier)
{
    __shared__ int s[64];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        s[TID] = x[k * 64 + TID]; // @1
        __syncthreads();
        sum += s[63 - TID]; // @2
    }
    y[TID] = sum;
}

// Two buffers need one barrier a step: the one of step k+1 separates step k's reads from step k+2.
// case: double_buffer_right grid=1 block=64 expect=silent
KERNEL(double_buffer_right)
{
    __shared__ int s[2][64];
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        s[k & 1][TID] = x[k * 64 + TID];
        __syncthreads();
        sum += s[k & 1][63 - TID];
    }
    y[TID] = sum;
}

// The buffers change places every other step only.
// case: double_buffer_wrong_toggle grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(double_buffer_wrong_toggle)
{
    __shared__ int s[2][64];
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        s[k >> 1 & 1][TID] = x[k * 64 + TID]; // @1
        __syncthreads();
        sum += s[k >> 1 & 1][63 - TID]; // @2
    }
    y[TID] = sum;
}

// case: double_buffer_no_barrier grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(double_buffer_no_barrier)
{
    __shared__ int s[2][64];
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        s[k & 1][TID] = x[k * 64 + TID]; // @1
        if (k & 1)
            __syncthreads();
        sum += s[k & 1][63 - TID]; // @2
    }
    y[TID] = sum;
}

// case: stencil_in_place_right grid=1 block=64 expect=silent
KERNEL(stencil_in_place_right)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int v = s[(TID + 1) % 64] + s[(TID + 63) % 64];
        __syncthreads();
        s[TID] = v;
        __syncthreads();
    }
    y[TID] = s[TID];
}

// case: stencil_in_place_no_barrier grid=1 block=64 expect=data-race@1@2
KERNEL(stencil_in_place_no_barrier)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int v = s[(TID + 1) % 64] + s[(TID + 63) % 64]; // @1
        s[TID] = v; // @2
        __syncthreads();
    }
    y[TID] = s[TID];
}

// A global stencil in place: the neighbours at a block's edge belong to another block.
// case: stencil_global_in_place grid=4 block=32 expect=data-race@1@2
KERNEL(stencil_global_in_place)
{
    int v = x[GID] + x[(GID + 1) % n]; // @1
    __syncthreads();
    x[GID] = v; // @2
}

// case: stencil_global_ping_pong grid=4 block=32 twice expect=silent
KERNEL(stencil_global_ping_pong)
{
    y[GID] = x[GID] + x[(GID + 1) % n];
}

// case: scan_right grid=2 block=64 expect=silent
KERNEL(scan_right)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    __syncthreads();
    for (unsigned d = 1; d < 64; d <<= 1) {
        int v = TID >= d ? s[TID - d] : 0;
        __syncthreads();
        s[TID] += v;
        __syncthreads();
    }
    y[GID] = s[TID];
}

// case: scan_no_barrier_after_read grid=2 block=64 expect=data-race@1@2
KERNEL(scan_no_barrier_after_read)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    __syncthreads();
    for (unsigned d = 1; d < 64; d <<= 1) {
        int v = TID >= d ? s[TID - d] : 0; // @1
        s[TID] += v; // @2
        __syncthreads();
    }
    y[GID] = s[TID];
}

// case: scan_two_buffers grid=2 block=64 expect=silent
KERNEL(scan_two_buffers)
{
    __shared__ int s[2][64];
    int in = 0;
    s[0][TID] = x[GID];
    for (unsigned d = 1; d < 64; d <<= 1) {
        __syncthreads();
        s[1 - in][TID] = s[in][TID] + (TID >= d ? s[in][TID - d] : 0);
        in = 1 - in;
    }
    y[GID] = s[in][TID];
}

// case: sort_right grid=2 block=64 expect=silent
KERNEL(sort_right)
{
    __shared__ int s[64];
    s[TID] = (int)(GID * 2654435761u >> 8);
    for (unsigned k = 2; k <= 64; k <<= 1) {
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            unsigned other = TID ^ j;
            if (other > TID && (s[TID] > s[other]) == ((TID & k) == 0)) {
                int v = s[TID];
                s[TID] = s[other];
                s[other] = v;
            }
        }
    }
    __syncthreads();
    y[GID] = s[63 - TID];
}

// The barrier stands in the outer loop only.
// case: sort_barrier_outside grid=2 block=64 expect=data-race also=data-race
KERNEL(sort_barrier_outside)
{
    __shared__ int s[64];
    s[TID] = (int)(GID * 2654435761u >> 8);
    for (unsigned k = 2; k <= 64; k <<= 1) {
        __syncthreads();
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned other = TID ^ j;
            if (other > TID && (s[TID] > s[other]) == ((TID & k) == 0)) {
                int v = s[TID];
                s[TID] = s[other];
                s[other] = v;
            }
        }
    }
    __syncthreads();
    y[GID] = s[63 - TID];
}

// A block's barrier orders global memory too, within the block.
// case: global_in_block grid=2 block=64 expect=silent
KERNEL(global_in_block)
{
    x[GID] = TID;
    __syncthreads();
    y[GID] = x[BID * BLOCK + 63 - TID];
}

// It orders nothing between blocks.
// case: global_across_blocks grid=2 block=64 expect=data-race@1@2
KERNEL(global_across_blocks)
{
    x[GID] = TID; // @1
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// A vote of the block is a barrier.
// case: barrier_by_count grid=1 block=64 expect=silent
KERNEL(barrier_by_count)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    int odd = __syncthreads_count(TID & 1);
    y[TID] = s[63 - TID] + odd;
}

// A vote of the warp is not.
// case: barrier_by_warp_vote grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(barrier_by_warp_vote)
{
    __shared__ int s[64];
    s[TID] = x[TID]; // @1
    int odd = __popc(__ballot_sync(~0u, TID & 1));
    y[TID] = s[63 - TID] + odd; // @2
}

// A fence is no barrier: it orders one thread's accesses and waits for nobody.
// case: fence_is_no_barrier grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(fence_is_no_barrier)
{
    __shared__ int s[64];
    s[TID] = x[TID]; // @1
    __threadfence_block();
    y[TID] = s[63 - TID]; // @2
}

// case: broadcast_right grid=2 block=96 expect=silent
KERNEL(broadcast_right)
{
    __shared__ int base;
    if (TID == 40)
        base = BID * BLOCK;
    __syncthreads();
    y[base + TID] = x[base + TID];
}

// case: broadcast_no_barrier grid=2 block=96 expect=data-race@1@2 also=uninitialized-read
KERNEL(broadcast_no_barrier)
{
    __shared__ int base;
    if (TID == 40)
        base = BID * BLOCK; // @1
    y[GID] = base; // @2
}

// case: matmul_right grid=1 block=64 expect=silent
KERNEL(matmul_right)
{
    __shared__ int a[8][8], b[8][8];
    unsigned row = TID / 8, column = TID % 8;
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        a[row][column] = x[k * 64 + TID];
        b[row][column] = x[1024 + k * 64 + TID];
        __syncthreads();
        for (int i = 0; i < 8; i++)
            sum += a[row][i] * b[i][column];
        __syncthreads();
    }
    y[TID] = sum;
}

// The warp writes and reads its own rows of `a` in lockstep, it seems; `b` comes from both warps.
// case: matmul_no_first_barrier grid=1 block=64 expect=data-race@1@3 expect=data-race@2@3 also=uninitialized-read
KERNEL(matmul_no_first_barrier)
{
    __shared__ int a[8][8], b[8][8];
    unsigned row = TID / 8, column = TID % 8;
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        a[row][column] = x[k * 64 + TID]; // @1
        b[row][column] = x[1024 + k * 64 + TID]; // @2
        for (int i = 0; i < 8; i++)
            sum += a[row][i] * b[i][column]; // @3
        __syncthreads();
    }
    y[TID] = sum;
}

// A warp has arrived at a barrier with a count when all of its threads that have not exited have (PTX ISA 9.7.13.1), also where others of it
// leave the kernel after that, and where they come in parts.
// case: counted_by_one_lane_each grid=1 block=64 expect=silent
KERNEL(counted_by_one_lane_each)
{
    if (TID % 32 != 0)
        return;
    y[TID] = TID;
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    x[TID] = y[TID ^ 32];
}

// case: counted_in_parts grid=1 block=64 expect=silent
KERNEL(counted_in_parts)
{
    int lane = TID % 32;
    if (lane < 8) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    } else if (lane < 16) {
        VOL(y[TID]) = 1;
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    }
    VOL(x[TID]) = 2;
}

// Threads are not counted one by one: two halves of warps are no warp.
// case: counted_halves grid=1 block=64 expect=deadlock
KERNEL(counted_halves)
{
    if (TID % 2) {
        asm volatile("barrier.sync 1, 32;" ::: "memory");
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
    }
}

// The barrier lets go when as many warps have come, and of four halves that is two.
// case: counted_four_halves grid=1 block=128 expect=data-race@1@2
KERNEL(counted_four_halves)
{
    if (TID % 2) {
        y[TID] = 1; // @1
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        x[TID] = y[128 - TID]; // @2
    }
}

// case: counted_four_halves_of_128 grid=1 block=128 expect=silent
KERNEL(counted_four_halves_of_128)
{
    if (TID % 2) {
        y[TID] = 1;
        asm volatile("barrier.sync 1, 128;" ::: "memory");
        x[TID] = y[128 - TID];
    }
}

// A warp arrives as a whole also where nobody waits: half of it that arrives, and waits for the other half, never does.
// case: arrived_halves grid=1 block=64 expect=deadlock
KERNEL(arrived_halves)
{
    if (TID >= 32) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    } else if (TID % 2) {
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
    }
}

// case: arrived_in_parts grid=1 block=64 expect=silent
KERNEL(arrived_in_parts)
{
    if (TID >= 32) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        x[TID] = y[TID - 32];
    } else if (TID % 2) {
        y[TID] = 1;
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    } else {
        y[TID] = 2;
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    }
}

// Some wait and some only arrive: the warp never comes.
// case: arrive_and_wait_in_a_warp grid=1 block=64 expect=deadlock
KERNEL(arrive_and_wait_in_a_warp)
{
    if (TID < 32 && TID % 2)
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    else
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    x[TID] = 1;
}

// The others neither come nor leave: they wait for what comes behind the barrier.
// case: counted_without_the_others grid=1 block=64 expect=deadlock
KERNEL(counted_without_the_others)
{
    if (TID % 32 < 8) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
    }
}
