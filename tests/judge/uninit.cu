// Shared memory that nothing has written: read and used, or only carried along.
#include "judge.cuh"

// case: branch_on_unwritten grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(branch_on_unwritten)
{
    __shared__ int s[64];
    if (TID < 32)
        s[TID] = 1;
    __syncthreads();
    if (s[TID] > 0) // @1
        y[TID] = 1;
}

// case: branch_on_written grid=1 block=64 expect=silent
KERNEL(branch_on_written)
{
    __shared__ int s[64];
    s[TID] = TID & 1;
    __syncthreads();
    if (s[63 - TID] > 0)
        y[TID] = 1;
}

// A sum that starts from nothing.
// case: sum_from_unwritten grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(sum_from_unwritten)
{
    __shared__ int sum;
    atomicAdd(&sum, 1); // @1
    __syncthreads();
    y[TID] = sum;
}

// case: sum_from_zero grid=1 block=64 expect=silent
KERNEL(sum_from_zero)
{
    __shared__ int sum;
    if (TID == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    __syncthreads();
    y[TID] = sum;
}

// An index from nothing.
// case: address_from_unwritten grid=1 block=32 expect=uninitialized-read:any@1 also=out-of-bounds|data-race|misaligned
KERNEL(address_from_unwritten)
{
    __shared__ int s[64];
    s[TID] = TID;
    __syncthreads();
    y[s[TID + 32] & 1023] = x[TID]; // @1
}

// case: address_from_written grid=1 block=32 expect=silent
KERNEL(address_from_written)
{
    __shared__ int s[64];
    s[TID] = TID;
    s[TID + 32] = 31 - TID;
    __syncthreads();
    y[s[TID + 32]] = x[TID];
}

// The halo of a tile is left out.
// case: halo_unwritten grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(halo_unwritten)
{
    __shared__ int s[66];
    s[TID + 1] = x[TID];
    __syncthreads();
    y[TID] = s[TID] + s[TID + 1] + s[TID + 2]; // @1
}

// case: halo_written grid=1 block=64 expect=silent
KERNEL(halo_written)
{
    __shared__ int s[66];
    s[TID + 1] = x[TID];
    if (TID < 2)
        s[TID * 65] = 0;
    __syncthreads();
    y[TID] = s[TID] + s[TID + 1] + s[TID + 2];
}

// Padding is copied with its struct and never looked at.
struct padded {
    char tag;
    int value;
};
// case: padding_copied grid=1 block=64 expect=silent
KERNEL(padding_copied)
{
    __shared__ __align__(8) padded s[64];
    s[TID].tag = 1;
    s[TID].value = TID;
    __syncthreads();
    long long whole = ((volatile long long *)s)[63 - TID];
    ((long long *)x)[TID] = whole;
    if ((int)(whole >> 32) > 5)
        y[TID] = (int)(whole >> 32);
}

// case: padding_looked_at grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(padding_looked_at)
{
    __shared__ __align__(8) padded s[64];
    s[TID].tag = 1;
    s[TID].value = TID;
    __syncthreads();
    if (((int *)s)[2 * (63 - TID)] == 1) // @1
        y[TID] = 1;
}

// The barrier is missing: warp 0 reads what warp 1 has yet to write. That is one cause, and one finding.
// case: too_early grid=1 block=64 expect=data-race
KERNEL(too_early)
{
    __shared__ int s[64];
    s[TID] = TID;
    y[TID] = s[63 - TID] + 1;
}

// case: never_written grid=1 block=64 expect=uninitialized-read
KERNEL(never_written)
{
    __shared__ int s[64];
    if (TID < 60)
        s[TID] = TID;
    __syncthreads();
    y[TID] = s[63 - TID] * 2;
}

// A warp adds up by shuffles what only some of its lanes have written: thread 0's sum has it.
// case: shuffled_sum_unwritten grid=1 block=32 expect=uninitialized-read:any@1
KERNEL(shuffled_sum_unwritten)
{
    __shared__ int s[32];
    if (TID < 24)
        s[TID] = TID;
    __syncwarp();
    int v = s[TID]; // @1
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (TID == 0)
        y[0] = v;
}

// case: shuffled_sum_written grid=1 block=32 expect=silent
KERNEL(shuffled_sum_written)
{
    __shared__ int s[32];
    s[TID] = TID;
    __syncwarp();
    int v = s[TID];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (TID == 0)
        y[0] = v;
}

// Only the written half is added up, though the other half takes part.
// case: shuffled_half grid=1 block=32 expect=silent
KERNEL(shuffled_half)
{
    __shared__ int s[32];
    if (TID < 16)
        s[TID] = TID;
    __syncwarp();
    int v = s[TID];
    for (int d = 8; d; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (TID == 0)
        y[0] = v;
}

// case: shuffled_flag_unwritten grid=1 block=32 expect=uninitialized-read:any@1
KERNEL(shuffled_flag_unwritten)
{
    __shared__ int s[32];
    if (TID < 31)
        s[TID] = 1;
    __syncwarp();
    int v = s[TID]; // @1
    if (__shfl_sync(0xffffffff, v, 31) == 1)
        y[TID] = 1;
}

// case: shuffled_flag_written grid=1 block=32 expect=silent
KERNEL(shuffled_flag_written)
{
    __shared__ int s[32];
    if (TID < 31)
        s[TID] = 1;
    __syncwarp();
    int v = TID < 31 ? s[TID] : 0;
    if (__shfl_sync(0xffffffff, v, 30) == 1)
        y[TID] = 1;
}

// A block of 20 threads: the lanes 20 to 31, from which thread 4 and others take values, do not exist.
// case: shuffle_absent_lanes grid=1 block=20 expect=uninitialized-read:any@1
KERNEL(shuffle_absent_lanes)
{
    int v = TID;
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d); // @1
    if (TID == 0)
        y[0] = v;
}

// case: shuffle_absent_left_out grid=1 block=20 expect=silent
KERNEL(shuffle_absent_left_out)
{
    int v = TID;
    for (int d = 16; d; d /= 2) {
        int other = __shfl_down_sync(0xfffff, v, d);
        if (TID + d < 20)
            v += other;
    }
    if (TID == 0)
        y[0] = v;
}

// case: shuffle_past_the_end grid=1 block=32 expect=silent
KERNEL(shuffle_past_the_end)
{
    y[TID] = __shfl_down_sync(0xffffffff, TID, 5) + __shfl_up_sync(0xffffffff, TID, 5);
}

// case: shuffle_not_named grid=1 block=32 expect=uninitialized-read:any@1
KERNEL(shuffle_not_named)
{
    if (TID < 16)
        y[TID] = __shfl_xor_sync(0xffff, TID, 16); // @1
}

// case: shuffle_named grid=1 block=32 expect=silent
KERNEL(shuffle_named)
{
    if (TID < 16)
        y[TID] = __shfl_xor_sync(0xffff, TID, 8);
}

// Values of 8 bytes go through a shuffle in halves.
// case: shuffled_halves grid=1 block=20 expect=silent
KERNEL(shuffled_halves)
{
    __shared__ long long s[1];
    long long v = TID;
    for (int d = 16; d; d /= 2) {
        long long other = __shfl_down_sync(0xfffff, v, d);
        if (TID + d < 20)
            v += other;
    }
    if (TID == 0)
        s[0] = v;
    __syncwarp(0xfffff);
    y[TID] = (int)s[0];
}

// case: shuffled_halves_unwritten grid=1 block=32 expect=uninitialized-read:any@1
KERNEL(shuffled_halves_unwritten)
{
    __shared__ long long s[32];
    if (TID < 31)
        s[TID] = TID;
    __syncwarp();
    long long v = s[TID]; // @1
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    y[TID] = (int)v;
}

// Only one half of each element is written.
// case: half_written_taken grid=1 block=32 expect=silent
KERNEL(half_written_taken)
{
    __shared__ long long s[32];
    int low, high;
    ((volatile int *)s)[2 * TID + 1] = TID;
    long long v = ((volatile long long *)s)[TID];
    asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(v));
    x[TID] = low;
    y[TID] = high + 1;
}

// case: half_unwritten_taken grid=1 block=32 expect=uninitialized-read:any@1
KERNEL(half_unwritten_taken)
{
    __shared__ long long s[32];
    int low, high;
    ((volatile int *)s)[2 * TID + 1] = TID;
    long long v = ((volatile long long *)s)[TID]; // @1
    asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(v));
    x[TID] = high;
    y[TID] = low + 1;
}

// case: half_put_together grid=1 block=32 expect=silent
KERNEL(half_put_together)
{
    __shared__ int s[64];
    long long v;
    s[TID] = TID;
    int low = ((volatile int *)s)[TID], high = ((volatile int *)s)[TID + 32];
    asm("mov.b64 %0, {%1, %2};" : "=l"(v) : "r"(low), "r"(high));
    y[TID] = (int)v + 1;
}

// A comparison that gives a number keeps its operands apart from its registers.
// case: compared_by_set_unwritten grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(compared_by_set_unwritten)
{
    __shared__ int s[64];
    unsigned less;
    if (TID < 32)
        s[TID] = TID;
    __syncthreads();
    asm volatile("set.lt.u32.s32 %0, %1, 8;" : "=r"(less) : "r"(s[TID])); // @1
    y[TID] = (int)less;
}

// case: compared_by_set grid=1 block=64 expect=silent
KERNEL(compared_by_set)
{
    __shared__ int s[64];
    unsigned less;
    s[TID] = TID;
    __syncthreads();
    asm volatile("set.lt.u32.s32 %0, %1, 8;" : "=r"(less) : "r"(s[63 - TID]));
    y[TID] = (int)less;
}

// The carry of a sum of nothing.
// case: carried_unwritten grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(carried_unwritten)
{
    __shared__ int s[64];
    int low [[maybe_unused]], high;
    if (TID < 32)
        s[TID] = TID;
    __syncthreads();
    asm volatile("add.cc.u32 %0, %2, 1; addc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(s[TID])); // @1
    y[TID] = high;
}

// case: carried grid=1 block=64 expect=silent
KERNEL(carried)
{
    __shared__ int s[64];
    int low [[maybe_unused]], high;
    s[TID] = TID;
    __syncthreads();
    asm volatile("add.cc.u32 %0, %2, 1; addc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(s[63 - TID]));
    y[TID] = high;
}

// A guarded write leaves what a lane holds that does not execute it.
// case: guarded_write_keeps_unwritten grid=1 block=32 expect=uninitialized-read:any@1
KERNEL(guarded_write_keeps_unwritten)
{
    __shared__ int s[64];
    s[TID] = TID;
    __syncthreads();
    int v = ((volatile int *)s)[TID + 32]; // @1
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p mov.u32 %0, 0; }" : "+r"(v) : "r"(x[0]));
    y[TID] = v + 1;
}

// case: guarded_write_of_unwritten grid=1 block=32 expect=silent
KERNEL(guarded_write_of_unwritten)
{
    __shared__ int s[64];
    s[TID] = TID;
    __syncthreads();
    int v = 7, other = ((volatile int *)s)[TID + 32];
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p mov.u32 %0, %2; }" : "+r"(v) : "r"(x[0]), "r"(other));
    y[TID] = v + 1;
}

// Fields of a few bits: writing one writes back what lies beside it, whether that holds something or not.
struct fields {
    unsigned a : 4, b : 12;
    int c : 5;
    bool d : 1;
};

// case: fields_written grid=1 block=64 expect=silent
KERNEL(fields_written)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].b = 3 * TID;
    s[TID].c = -3;
    s[TID].d = true;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c < 0 && f->d)
        y[TID] = f->b;
}

// case: field_beside_written grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(field_beside_written)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    __syncthreads();
    if (s[63 - TID].b > 5) // @1
        y[TID] = 1;
}

// One of them, whose bits share a byte with some that nobody ever writes.
// case: one_field_written grid=1 block=64 expect=silent
KERNEL(one_field_written)
{
    __shared__ fields s[64];
    s[TID].c = (int)TID - 9;
    __syncthreads();
    y[TID] = s[63 - TID].c;
}

// Bits that are set one by one in a byte from nothing: what was never set or cleared is not known.
// case: bits_set grid=1 block=64 expect=silent
KERNEL(bits_set)
{
    __shared__ volatile unsigned char s[64];
    s[TID] |= 1;
    s[TID] &= ~4;
    __syncthreads();
    if ((s[63 - TID] & 5) == 1)
        y[TID] = 1;
}

// case: bits_not_set grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(bits_not_set)
{
    __shared__ volatile unsigned char s[64];
    s[TID] |= 1;
    s[TID] &= ~4;
    __syncthreads();
    if (s[63 - TID] & 2) // @1
        y[TID] = 1;
}

// A predicate that held a comparison with something undefined, and holds where a shuffle's value comes from then: of scans.
// case: shuffle_predicate grid=1 block=64 expect=silent
KERNEL(shuffle_predicate)
{
    __shared__ int s[64];
    int sum = TID;
    asm volatile("{ .reg .pred p; .reg .s32 r; setp.lt.s32 p, %1, 5; shfl.sync.up.b32 r|p, %0, 1, 0, -1; @p add.s32 %0, r, %0; }"
                 : "+r"(sum)
                 : "r"(s[TID]));
    y[TID] = sum;
}

// case: shuffle_predicate_unused grid=1 block=64 expect=uninitialized-read@1
KERNEL(shuffle_predicate_unused)
{
    __shared__ int s[64];
    int sum = TID;
    asm volatile("{ .reg .pred p, q; .reg .s32 r; setp.lt.s32 p, %1, 5; shfl.sync.up.b32 r|q, %0, 1, 0, -1; @p add.s32 %0, r, %0; }"
                 : "+r"(sum)
                 : "r"(s[TID])); // @1
    y[TID] = sum;
}

// A tile that is filled in part and computed as a whole; what lies beyond the part is left out.
// case: tile_beyond_left_out grid=1 block=64 expect=silent
KERNEL(tile_beyond_left_out)
{
    __shared__ int s[64];
    if (TID < 40)
        s[TID] = x[TID];
    __syncthreads();
    s[TID] = 2 * s[TID];
    __syncthreads();
    s[TID] += 1;
    __syncthreads();
    if (TID < 40)
        y[TID] = s[TID];
}

// One row too many goes out: the line is the one where the undefined value was first read.
// case: tile_beyond_stored grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(tile_beyond_stored)
{
    __shared__ int s[64];
    if (TID < 40)
        s[TID] = x[TID];
    __syncthreads();
    s[TID] = 2 * s[TID]; // @1
    __syncthreads();
    s[TID] += 1;
    __syncthreads();
    if (TID < 41)
        y[TID] = s[TID];
}

// case: tile_beyond_decides grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(tile_beyond_decides)
{
    __shared__ int s[64];
    if (TID < 40)
        s[TID] = x[TID];
    __syncthreads();
    s[TID] = s[TID] ^ 12345; // @1
    __syncthreads();
    if (s[63 - TID] > 7)
        y[TID] = 1;
}

// case: tile_beyond_leads grid=1 block=64 expect=uninitialized-read:any@1 also=out-of-bounds|misaligned|data-race
KERNEL(tile_beyond_leads)
{
    __shared__ int s[64];
    if (TID < 40)
        s[TID] = TID;
    __syncthreads();
    s[TID] = s[TID] + 3; // @1
    __syncthreads();
    y[s[63 - TID] & 63] = 1;
}

// What overwrites it is a value again.
// case: tile_beyond_overwritten grid=1 block=64 expect=silent
KERNEL(tile_beyond_overwritten)
{
    __shared__ int s[64];
    if (TID < 40)
        s[TID] = x[TID];
    __syncthreads();
    s[TID] = 2 * s[TID];
    __syncthreads();
    if (TID >= 40)
        s[TID] = 0;
    __syncthreads();
    y[TID] = s[63 - TID];
}

// A sum over the whole tile takes in what is beyond.
// case: tile_beyond_summed grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(tile_beyond_summed)
{
    __shared__ int s[64];
    if (TID < 40)
        s[TID] = x[TID];
    __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (TID < half)
            s[TID] += s[TID + half]; // @1
        __syncthreads();
    }
    if (TID == 0)
        y[0] = s[0];
}

// A variable that some way leaves unset has been set in every thread by the barrier; what is loaded behind it is looked at all the same.
// case: set_by_then_undefined grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(set_by_then_undefined)
{
    __shared__ int s[64];
    int v;
    if (x[0] != 1 << 30)
        v = x[TID];
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        v += x[i];
    }
    if (TID < 40)
        s[TID] = v;
    __syncthreads();
    y[TID] = s[63 - TID] + v; // @1
}

// case: set_by_then_defined grid=1 block=64 expect=silent
KERNEL(set_by_then_defined)
{
    __shared__ int s[64];
    int v;
    if (x[0] != 1 << 30)
        v = x[TID];
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        v += x[i];
    }
    s[TID] = v;
    __syncthreads();
    y[TID] = s[63 - TID] + v;
}
