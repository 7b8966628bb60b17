// The compiler moves a load out of a condition, to where all threads execute it, and drops what it got where the condition does not
// hold: nobody has read there. Where it holds, the load is the program's, at its line.
#include "judge.cuh"

// case: dropped_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_right)
{
    __shared__ int tile;
    if (TID == (unsigned)n)
        tile = x[TID];
    y[TID] = TID == (unsigned)n ? tile : 0;
}

// case: dropped_taken grid=1 block=64 n=5 expect=data-race@1@2
KERNEL(dropped_taken)
{
    __shared__ int tile;
    if (TID == (unsigned)n)
        tile = x[TID]; // @1
    y[TID] = TID >= (unsigned)n ? tile : 0; // @2
}

// case: dropped_known_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_known_right)
{
    __shared__ int tile;
    if (TID == (unsigned)n)
        tile = x[TID];
    int v = y[TID];
    v += TID == (unsigned)n ? tile : 0;
    y[TID] = v;
}

// A byte is widened before it is dropped.
// case: dropped_byte_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_byte_right)
{
    __shared__ unsigned char tile;
    if (TID == (unsigned)n)
        tile = (unsigned char)x[TID];
    y[TID] = TID == (unsigned)n ? tile : 0;
}

// case: dropped_byte_taken grid=1 block=64 n=5 expect=data-race@1@2
KERNEL(dropped_byte_taken)
{
    __shared__ unsigned char tile;
    if (TID == (unsigned)n)
        tile = (unsigned char)x[TID]; // @1
    y[TID] = TID >= (unsigned)n ? tile : 0; // @2
}

// case: dropped_and_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_and_right)
{
    __shared__ int done;
    if (TID == (unsigned)n)
        done = x[TID] >= 0;
    if (TID == (unsigned)n && done)
        y[TID] = 1;
}

// case: dropped_and_taken grid=1 block=64 n=5 expect=data-race@1@2
KERNEL(dropped_and_taken)
{
    __shared__ int done;
    if (TID == (unsigned)n)
        done = x[TID] >= 0; // @1
    if (TID >= (unsigned)n && done) // @2
        y[TID] = 1;
}

// case: dropped_or_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_or_right)
{
    __shared__ int done;
    if (TID == (unsigned)n)
        done = x[TID] >= 0;
    bool there = TID != (unsigned)n || done > 0;
    y[TID] = there ? 7 : 8;
}

// Each of two values is dropped where the other is taken.
// case: dropped_two_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_two_right)
{
    __shared__ int left, right;
    if (TID == 0)
        left = x[0];
    if (TID == 1)
        right = x[1];
    int v = 5;
    if (TID == 0)
        v = left;
    else if (TID == 1)
        v = right;
    y[TID] = v;
}

// case: dropped_two_crossed grid=1 block=64 n=5 expect=data-race
KERNEL(dropped_two_crossed)
{
    __shared__ int left, right;
    if (TID == 0)
        left = x[0];
    if (TID == 1)
        right = x[1];
    int v = 5;
    if (TID == 1)
        v = left;
    else if (TID == 0)
        v = right;
    y[TID] = v;
}

// What is dropped in one place is used in another.
// case: dropped_and_used grid=1 block=64 n=5 expect=data-race@1@2
KERNEL(dropped_and_used)
{
    __shared__ int tile;
    if (TID == (unsigned)n)
        tile = x[TID]; // @1
    int got = tile; // @2
    y[TID] = (TID == (unsigned)n ? got : 0) + got % 3;
}

// The value decides whether it is dropped itself.
// case: dropped_by_itself grid=1 block=64 n=5 expect=data-race@1@2
KERNEL(dropped_by_itself)
{
    __shared__ int tile;
    if (TID == (unsigned)n)
        tile = x[TID]; // @1
    int got = tile; // @2
    y[TID] = got > 3 ? got : 0;
}

// The write comes after the read that is dropped.
// case: dropped_before_write_right grid=1 block=64 n=5 expect=silent
KERNEL(dropped_before_write_right)
{
    __shared__ int tile;
    if (TID == 0)
        tile = x[0];
    __syncthreads();
    y[TID] = TID == (unsigned)n ? tile : 0;
    if (TID == (unsigned)n)
        tile = 3;
}

// case: dropped_before_write_taken grid=1 block=64 n=5 expect=data-race@1@2
KERNEL(dropped_before_write_taken)
{
    __shared__ int tile;
    if (TID == 0)
        tile = x[0];
    __syncthreads();
    y[TID] = TID >= (unsigned)n ? tile : 0; // @1
    if (TID == (unsigned)n)
        tile = 3; // @2
}
