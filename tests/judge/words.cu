// What counts as the same place: plain beside atomic, sizes that differ, bytes side by side, vectors,
// non-coherent loads.
#include "judge.cuh"

// ---- Plain and strong accesses of one word ----

// case: atomic_and_plain_store grid=2 block=1 expect=data-race@1@2
KERNEL(atomic_and_plain_store)
{
    if (BID == 0)
        flag[0] = 5; // @1
    else
        atomicAdd(flag, 1); // @2
}

// case: atomic_and_volatile_store grid=2 block=1 expect=silent
KERNEL(atomic_and_volatile_store)
{
    if (BID == 0)
        VOL(flag[0]) = 5;
    else
        atomicAdd(flag, 1);
}

// case: atomic_and_plain_load grid=2 block=1 expect=data-race@1@2
KERNEL(atomic_and_plain_load)
{
    if (BID == 0)
        y[0] = flag[0]; // @1
    else
        atomicAdd(flag, 1); // @2
}

// case: atomic_and_volatile_load grid=2 block=1 expect=silent
KERNEL(atomic_and_volatile_load)
{
    if (BID == 0)
        y[0] = VOL(flag[0]);
    else
        atomicAdd(flag, 1);
}

// case: volatile_and_plain_store grid=2 block=1 expect=data-race@1@2
KERNEL(volatile_and_plain_store)
{
    if (BID == 0)
        VOL(flag[0]) = 5; // @1
    else
        flag[0] = 6; // @2
}

// case: plain_reads_only grid=4 block=32 expect=silent
KERNEL(plain_reads_only)
{
    y[GID] = x[0] + flag[3];
}

// A volatile increment is a load and a store: no race, and updates may be lost all the same.
// case: relaxed_stores_both grid=2 block=1 expect=silent
KERNEL(relaxed_stores_both)
{
    ST("relaxed.gpu", flag, BID);
    y[BID] = LD("relaxed.gpu", flag);
}

// case: relaxed_block_scope_across_blocks grid=2 block=1 expect=data-race@1@1
KERNEL(relaxed_block_scope_across_blocks)
{
    ST("relaxed.cta", flag, BID + 1); // @1
}

// Both scopes must reach the other: one that does is not enough.
// case: relaxed_one_scope_too_narrow grid=2 block=1 expect=data-race@1@2
KERNEL(relaxed_one_scope_too_narrow)
{
    if (BID == 0)
        ST("relaxed.cta", flag, 1); // @1
    else
        ST("relaxed.sys", flag, 2); // @2
}

// case: relaxed_block_scope_in_block grid=1 block=64 expect=silent
KERNEL(relaxed_block_scope_in_block)
{
    ST("relaxed.cta", flag, TID);
}

// ---- Sizes ----

// A 64-bit atomic over a word that another takes as 32 bits.
// case: atomic_sizes_differ grid=2 block=1 expect=data-race@1@2
KERNEL(atomic_sizes_differ)
{
    if (BID == 0)
        atomicAdd((unsigned long long *)flag, 1ull << 32); // @1
    else
        atomicAdd(&flag[1], 1); // @2
}

// case: atomic_sizes_same grid=2 block=1 expect=silent
KERNEL(atomic_sizes_same)
{
    atomicAdd((unsigned long long *)flag, 1ull << 32 | BID);
}

// case: atomic_words_beside grid=2 block=1 expect=silent
KERNEL(atomic_words_beside)
{
    atomicAdd(&flag[BID], 1);
}

// case: volatile_sizes_differ grid=2 block=1 expect=data-race@1@2
KERNEL(volatile_sizes_differ)
{
    if (BID == 0)
        *(volatile unsigned long long *)flag = 1; // @1
    else
        *(volatile unsigned short *)flag = 2; // @2
}

// ---- Bytes ----

// Neighbouring bytes of one word never collide.
// case: bytes_beside grid=1 block=64 expect=silent
KERNEL(bytes_beside)
{
    ((unsigned char *)x)[TID] = TID;
}

// case: bytes_beside_across_blocks grid=4 block=32 expect=silent
KERNEL(bytes_beside_across_blocks)
{
    unsigned at = TID * GRID + BID;
    ((unsigned char *)x)[at] = BID;
}

// case: bytes_same grid=1 block=64 expect=data-race@1@1
KERNEL(bytes_same)
{
    ((unsigned char *)x)[TID / 2] = TID; // @1
}

// A word is read while a byte of it is written.
// case: byte_and_word grid=2 block=1 expect=data-race@1@2
KERNEL(byte_and_word)
{
    if (BID == 0)
        ((unsigned char *)x)[2] = 1; // @1
    else
        y[0] = x[0]; // @2
}

// case: byte_and_next_word grid=2 block=1 expect=silent
KERNEL(byte_and_next_word)
{
    if (BID == 0)
        ((unsigned char *)x)[4] = 1;
    else
        y[0] = x[0];
}

// case: halves_beside grid=1 block=64 expect=silent
KERNEL(halves_beside)
{
    ((unsigned short *)x)[TID] = TID;
}

// case: half_and_byte_of_it grid=1 block=64 expect=data-race@1@2
KERNEL(half_and_byte_of_it)
{
    if (TID == 0)
        ((unsigned short *)x)[1] = 300; // @1
    else if (TID == 32)
        ((unsigned char *)x)[3] = 7; // @2
}

// case: bytes_in_shared grid=1 block=64 expect=silent
KERNEL(bytes_in_shared)
{
    __shared__ unsigned char s[64];
    s[TID] = TID;
    __syncthreads();
    y[TID] = s[63 - TID];
}

// case: bytes_in_shared_no_barrier grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(bytes_in_shared_no_barrier)
{
    __shared__ unsigned char s[64];
    s[TID] = TID; // @1
    y[TID] = s[63 - TID]; // @2
}

// Bits are not bytes: setting bits of one word from several threads needs atomics.
// case: bits_plain grid=1 block=32 expect=data-race@1@1
KERNEL(bits_plain)
{
    x[0] |= 1 << TID; // @1
}

// case: bits_atomic grid=1 block=32 expect=silent
KERNEL(bits_atomic)
{
    atomicOr(x, 1 << TID);
}

// ---- Vectors ----

// case: vectors_beside grid=1 block=64 expect=silent
KERNEL(vectors_beside)
{
    ((int4 *)x)[TID] = make_int4(1, 2, 3, TID);
}

// case: vector_and_word_in_it grid=1 block=64 expect=data-race@1@2
KERNEL(vector_and_word_in_it)
{
    if (TID == 0)
        ((int4 *)x)[0] = make_int4(1, 2, 3, 4); // @1
    else if (TID == 32)
        x[3] = 9; // @2
}

// case: vector_and_word_behind grid=1 block=64 expect=silent
KERNEL(vector_and_word_behind)
{
    if (TID == 0)
        ((int4 *)x)[0] = make_int4(1, 2, 3, 4);
    else if (TID == 32)
        x[4] = 9;
}

// case: vector_read_word_written grid=2 block=1 expect=data-race@1@2
KERNEL(vector_read_word_written)
{
    if (BID == 0) {
        x[1] = 9; // @1
    } else {
        int2 v = ((int2 *)x)[0]; // @2
        y[0] = v.x + v.y;
    }
}

// ---- Same values ----

// case: same_value_from_blocks grid=4 block=1 expect=data-race:warning@1@1
KERNEL(same_value_from_blocks)
{
    x[0] = 1; // @1
}

// case: same_value_found_flag grid=2 block=32 expect=data-race:warning@1@1
KERNEL(same_value_found_flag)
{
    if (GID % 7 == 0)
        flag[0] = 1; // @1
}

// case: same_value_volatile grid=4 block=1 expect=silent
KERNEL(same_value_volatile)
{
    VOL(x[0]) = 1;
}

// Another value lay there in between, stored in order before the last one: whichever comes last of the two that nothing orders, both leave 1.
// case: same_value_around_another grid=1 block=64 expect=data-race:warning@1@3
KERNEL(same_value_around_another)
{
    if (TID == 0)
        VOL(x[0]) = 1; // @1
    if (TID == 32)
        VOL(x[0]) = 2;
    __syncwarp();
    if (TID == 33)
        x[0] = 1; // @3
}

// The one that nothing orders has left another.
// case: same_value_but_the_first grid=1 block=64 expect=data-race@1@3 also=ordering
KERNEL(same_value_but_the_first)
{
    if (TID == 0)
        VOL(x[0]) = 2; // @1
    if (TID == 32)
        VOL(x[0]) = 1;
    __syncwarp();
    if (TID == 33)
        x[0] = 1; // @3
}

// Mostly the same value, one differs.
// case: one_value_differs grid=4 block=1 expect=data-race@1@1
KERNEL(one_value_differs)
{
    x[0] = BID < 3 ? 1 : 2; // @1
}

// ---- ld.global.nc: data that no one writes during the kernel ----

// case: nc_read_only grid=2 block=64 expect=silent
KERNEL(nc_read_only)
{
    y[GID] = __ldg(&x[GID]) + __ldg(&x[n - 1 - GID]);
}

// case: nc_writer_in_other_block grid=2 block=1 expect=data-race@1@2
KERNEL(nc_writer_in_other_block)
{
    if (BID == 0)
        x[0] = 1; // @1
    else
        y[0] = __ldg(&x[0]); // @2
}

// Even in order, the cache behind ld.global.nc need not know of the write.
// case: nc_after_barrier grid=1 block=64 expect=data-race@1@2
KERNEL(nc_after_barrier)
{
    x[TID] = TID; // @1
    __syncthreads();
    y[TID] = __ldg(&x[63 - TID]); // @2
}

// Nor with release and acquire between the two.
// case: nc_after_message grid=2 block=2 expect=data-race@1@2
KERNEL(nc_after_message)
{
    if (BID == 0) {
        x[TID] = 7; // @1
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
        return;
    }
    if (TID == 0) {
        while (VOL(flag[0]) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    y[TID] = __ldg(&x[1 - TID]); // @2
}

// case: coherent_after_message grid=2 block=2 expect=silent
KERNEL(coherent_after_message)
{
    if (BID == 0) {
        x[TID] = 7;
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
        return;
    }
    if (TID == 0) {
        while (VOL(flag[0]) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    y[TID] = x[1 - TID];
}

// case: coherent_after_barrier grid=1 block=64 expect=silent
KERNEL(coherent_after_barrier)
{
    x[TID] = TID;
    __syncthreads();
    y[TID] = x[63 - TID];
}

// Written by an earlier kernel: that is what it is for.
// case: nc_after_kernel grid=2 block=64 then=nc_reader expect=silent
KERNEL(nc_after_kernel)
{
    x[GID] = GID;
}
extern "C" __global__ void nc_reader(int *x, int *y, unsigned *flag, int n)
{
    y[GID] = __ldg(&x[n - 1 - GID]);
}

// `const __restrict__` promises the same, and nvcc reads through ld.global.nc.
// case: restrict_kept grid=2 block=32 expect=silent
extern "C" __global__ void restrict_kept(const int *__restrict__ x, int *__restrict__ y,
                                         unsigned *flag, int n)
{
    y[GID] = x[(GID + 1) % n];
}

// The promise is broken: both pointers name one buffer.
// case: restrict_broken grid=2 block=32 alias expect=data-race@1@2
extern "C" __global__ void restrict_broken(const int *__restrict__ x, int *__restrict__ y,
                                           unsigned *flag, int n)
{
    int v = x[(GID + 1) % n]; // @1
    y[GID] = v + 1; // @2
}

// ---- An atomic that leaves what the store has left: that is chance, the other order leaves something else ----

// case: add_leaves_what_a_store_leaves grid=2 block=1 expect=data-race@1@2
KERNEL(add_leaves_what_a_store_leaves)
{
    if (BID == 0)
        flag[0] = 1; // @1
    else
        atomicAdd(&flag[0], 1); // @2
}

// case: add_of_nothing_beside_a_store grid=2 block=1 expect=data-race@1@2
KERNEL(add_of_nothing_beside_a_store)
{
    if (BID == 0)
        flag[0] = 1; // @1
    else
        y[0] = atomicAdd(&flag[0], 0); // @2
}

// case: maximum_leaves_what_a_store_leaves grid=2 block=1 expect=data-race@1@2
KERNEL(maximum_leaves_what_a_store_leaves)
{
    if (BID == 0)
        flag[0] = 3; // @1
    else
        y[0] = atomicMax(&flag[0], 3); // @2
}

// case: maximum_that_nobody_looks_at_beside_its_store grid=2 block=1 expect=data-race:warning@1@2
KERNEL(maximum_that_nobody_looks_at_beside_its_store)
{
    if (BID == 0)
        flag[0] = 3; // @1
    else
        atomicMax(&flag[0], 3); // @2
}

// case: adds_that_leave_the_same_side_by_side grid=2 block=1 expect=silent
KERNEL(adds_that_leave_the_same_side_by_side)
{
    if (BID == 0)
        atomicAdd(&flag[0], 0);
    else
        y[0] = atomicAdd(&flag[0], 0);
}
