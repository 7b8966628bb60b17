// A thread reads a place, and later stores there itself; another one stores the same. Of the two stores that is a warning, but it is the
// read that is unordered with the other's store, whichever comes first in a run: an error, where nothing orders that.
#include "judge.cuh"

// ---- Words of global memory, alone, as rows, side by side, in parts ----

// case: own_read_then_same_store grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_read_then_same_store)
{
    if (TID == 0) {
        y[0] = x[0]; // @1
        x[0] = n;
    } else if (TID == 32) {
        x[0] = 5; // @2
    }
}

// case: own_read_before_the_barrier grid=1 block=64 n=5 schedules=1 expect=data-race:warning@1@2
KERNEL(own_read_before_the_barrier)
{
    if (TID == 0)
        y[0] = x[0];
    __syncthreads();
    if (TID == 0)
        x[0] = n; // @1
    else if (TID == 32)
        x[0] = 5; // @2
}

// case: own_row_then_same_stores grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_row_then_same_stores)
{
    if (TID < 32) {
        y[TID] = x[TID]; // @1
        x[TID] = n;
    } else {
        x[TID - 32] = 5; // @2
    }
}

// case: own_row_before_the_barrier grid=1 block=64 schedules=1 expect=data-race:warning@1@1
KERNEL(own_row_before_the_barrier)
{
    if (TID < 32)
        y[TID] = x[TID];
    __syncthreads();
    x[TID % 32] = 5; // @1
}

// case: own_row_then_one_of_it grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_row_then_one_of_it)
{
    if (TID < 32) {
        y[TID] = x[TID]; // @1
        x[TID] = n;
    } else if (TID == 40) {
        x[7] = 5; // @2
    }
}

// case: own_read_then_two_stores grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_read_then_two_stores)
{
    if (TID == 0) {
        y[0] = x[0]; // @1
        VOL_INT(y[1]) = 1;
        x[0] = 3;
        VOL_INT(y[1]) = 2;
        x[0] = n;
    } else if (TID == 32) {
        x[0] = 5; // @2
    }
}

// case: own_vector_then_same_stores grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_vector_then_same_stores)
{
    int4 *v = (int4 *)x;
    if (TID == 0) {
        int4 was = v[0]; // @1
        y[0] = was.x + was.w;
        v[0] = make_int4(n, n, n, n);
    } else if (TID == 32) {
        v[0] = make_int4(5, 5, 5, 5); // @2
    }
}

// case: own_vector_before_the_barrier grid=1 block=64 n=5 schedules=1 expect=data-race:warning@1@2
KERNEL(own_vector_before_the_barrier)
{
    int4 *v = (int4 *)x;
    if (TID == 0) {
        int4 was = v[0];
        y[0] = was.x + was.w;
    }
    __syncthreads();
    if (TID == 0)
        v[0] = make_int4(n, n, n, n); // @1
    else if (TID == 32)
        v[0] = make_int4(5, 5, 5, 5); // @2
}

// case: own_byte_then_same_store grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_byte_then_same_store)
{
    char *c = (char *)x;
    if (TID == 0) {
        y[0] = c[1]; // @1
        c[1] = n;
    } else if (TID == 32) {
        c[1] = 5; // @2
    }
}

// The word is read and stored whole; the other stores one of its bytes.
// case: own_word_then_same_byte grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_word_then_same_byte)
{
    if (TID == 0) {
        y[0] = x[0]; // @1
        x[0] = 0x05050505;
    } else if (TID == 32) {
        ((char *)x)[2] = 5; // @2
    }
}

// ---- Blocks ----

// case: own_read_then_same_store_of_a_block grid=2 block=1 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_read_then_same_store_of_a_block)
{
    if (BID == 0) {
        y[0] = x[0]; // @1
        __threadfence(); // moves the thread's clock on
        x[0] = n;
    } else {
        ST("weak", x, 5); // @2
    }
}

// The read is released before the other stores, the store is not.
// case: own_read_released grid=2 block=1 schedules=1 expect=data-race|missing-release:warning@1@1
KERNEL(own_read_released)
{
    if (BID == 0) {
        y[0] = x[0];
        ST("release.gpu", flag, 1);
    } else {
        while (!LD("acquire.gpu", flag))
            ;
    }
    x[0] = 5; // @1
}

// All of a block have read it; one of them stores, and a thread of another block.
// case: read_by_a_block_then_same_store grid=2 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(read_by_a_block_then_same_store)
{
    if (BID == 0) {
        y[TID] = x[0]; // @1
        __syncthreads();
        if (TID == 3)
            x[0] = n;
    } else if (TID == 32) {
        x[0] = 5; // @2
    }
}

// Lanes have read it; one of them stores, and a thread of another warp.
// case: read_by_a_warp_then_same_store grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(read_by_a_warp_then_same_store)
{
    if (TID < 32) {
        y[TID] = x[0]; // @1
        __syncwarp();
        if (TID == 3)
            x[0] = n;
    } else if (TID == 32) {
        x[0] = 5; // @2
    }
}

// ---- Shared memory ----

// case: own_shared_read_then_same_store grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_shared_read_then_same_store)
{
    __shared__ int s[64];
    s[TID] = 0;
    __syncthreads();
    if (TID == 32) {
        y[0] = s[0]; // @1
        s[0] = n;
    } else if (TID == 0) {
        s[0] = 5; // @2
    }
    __syncthreads();
    y[TID] += s[TID];
}

// case: own_shared_read_before_the_barrier grid=1 block=64 n=5 schedules=1 expect=data-race:warning@1@2
KERNEL(own_shared_read_before_the_barrier)
{
    __shared__ int s[64];
    s[TID] = 0;
    __syncthreads();
    if (TID == 32)
        y[0] = s[0];
    __syncthreads();
    if (TID == 32)
        s[0] = n; // @1
    else if (TID == 0)
        s[0] = 5; // @2
    __syncthreads();
    y[TID] += s[TID];
}

// case: own_shared_row_then_same_stores grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_shared_row_then_same_stores)
{
    __shared__ int s[64];
    s[TID] = 0;
    __syncthreads();
    if (TID >= 32) {
        y[TID] = s[TID - 32]; // @1
        s[TID - 32] = n;
    } else {
        s[TID] = 5; // @2
    }
    __syncthreads();
    y[TID] += s[TID];
}

// case: own_shared_vector_then_same_stores grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_shared_vector_then_same_stores)
{
    __shared__ int4 s[64];
    s[TID] = make_int4(0, 0, 0, 0);
    __syncthreads();
    if (TID >= 32) {
        int4 was = s[TID - 32]; // @1
        y[TID] = was.x + was.y + was.z + was.w;
        s[TID - 32] = make_int4(n, n, n, n);
    } else {
        s[TID] = make_int4(5, 5, 5, 5); // @2
    }
    __syncthreads();
    y[TID] += s[TID].x;
}

// case: own_shared_wide_then_same_store grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_shared_wide_then_same_store)
{
    __shared__ long long s[64];
    s[TID] = 0;
    __syncthreads();
    if (TID >= 32) {
        y[TID] = (int)s[TID - 32]; // @1
        s[TID - 32] = n;
    } else {
        s[TID] = 5; // @2
    }
    __syncthreads();
    y[TID] += (int)s[TID];
}

// case: own_shared_byte_then_same_store grid=1 block=64 n=5 schedules=1 expect=data-race@1@2 also=data-race:warning
KERNEL(own_shared_byte_then_same_store)
{
    __shared__ char s[64];
    s[TID] = 0;
    __syncthreads();
    if (TID == 32) {
        y[0] = s[1]; // @1
        s[1] = n;
    } else if (TID == 0) {
        s[1] = 5; // @2
    }
    __syncthreads();
    y[TID] += s[TID];
}

// ---- Atomics ----

// Two maxima of different sizes may take from each other, and that they leave what was there is chance.
// case: maxima_of_two_sizes grid=1 block=64 expect=data-race@1@2
KERNEL(maxima_of_two_sizes)
{
    if (TID == 0)
        atomicMax((unsigned *)x, 0u); // @1
    else if (TID == 32)
        atomicMax((unsigned long long *)x, 0ull); // @2
}

// case: maxima_of_one_size grid=1 block=64 expect=silent
KERNEL(maxima_of_one_size)
{
    if (TID == 0)
        atomicMax((unsigned *)x, 0u);
    else if (TID == 32)
        atomicMax((unsigned *)x, 0u);
}

// What is exchanged, and not looked at, is stored.
// case: exchanges_of_too_narrow_scope grid=2 block=1 expect=data-race:warning@1@1
KERNEL(exchanges_of_too_narrow_scope)
{
    ATOM_EXCH("relaxed.cta", flag, 5); // @1
}

// case: maxima_of_too_narrow_scope grid=2 block=1 expect=data-race@1@1
KERNEL(maxima_of_too_narrow_scope)
{
    atomicMax_block(flag, 0u); // @1
}
