// Whole warps whose lanes have two or four words each, side by side: whose a word is hangs on how it was accessed.
#include "judge.cuh"

#define PAIRS(p) ((long long *)(p))
#define FLOATS(p) ((int2 *)(p))
#define QUADS(p) ((int4 *)(p))
#define QUAD make_int4((int)TID + 1, (int)TID + 2, (int)TID + 3, (int)TID + 4)

// case: quads_then_words grid=1 block=32 expect=data-race@1@2
KERNEL(quads_then_words)
{
    QUADS(x)[TID] = QUAD; // @1
    y[TID] = x[TID]; // @2
}

// case: quads_then_words_right grid=1 block=64 expect=silent
KERNEL(quads_then_words_right)
{
    QUADS(x)[TID] = QUAD;
    __syncthreads();
    y[TID] = x[TID];
}

// case: quads_then_words_warp_right grid=1 block=32 expect=silent
KERNEL(quads_then_words_warp_right)
{
    QUADS(x)[TID] = QUAD;
    __syncwarp();
    y[TID] = x[TID];
}

// case: words_then_quads grid=1 block=32 expect=data-race@1@2
KERNEL(words_then_quads)
{
    x[TID] = 100 + (int)TID; // @1
    QUADS(x)[TID] = QUAD; // @2
}

// case: words_then_quads_right grid=1 block=32 expect=silent
KERNEL(words_then_quads_right)
{
    x[TID] = 100 + (int)TID;
    __syncwarp();
    QUADS(x)[TID] = QUAD;
}

// The last quarter of what the pairs write has been another warp's.
// case: quads_then_pairs grid=1 block=64 expect=data-race@1@2
KERNEL(quads_then_pairs)
{
    QUADS(x)[TID] = QUAD; // @1
    PAIRS(x)[TID] = -1 - (long long)TID; // @2
}

// case: pairs_own_right grid=2 block=64 expect=silent
KERNEL(pairs_own_right)
{
    PAIRS(x)[GID] = (long long)GID << 30;
    y[GID] = (int)(PAIRS(x)[GID] >> 30);
    FLOATS(x)[GID] = make_int2(1, (int)GID);
    y[GID] += (int)PAIRS(x)[GID];
}

// case: quads_read_then_pairs grid=1 block=32 expect=data-race@1@2
KERNEL(quads_read_then_pairs)
{
    QUADS(x)[TID] = QUAD;
    __syncthreads();
    y[TID] = QUADS(x)[TID].w + QUADS(x)[TID].x; // @1
    PAIRS(x)[TID] = (long long)TID; // @2
}

// case: quads_read_then_pairs_right grid=1 block=32 expect=silent
KERNEL(quads_read_then_pairs_right)
{
    QUADS(x)[TID] = QUAD;
    __syncthreads();
    y[TID] = QUADS(x)[TID].w + QUADS(x)[TID].x;
    __syncthreads();
    PAIRS(x)[TID] = (long long)TID;
}

// Who reads a word as half of eight bytes, and who reads it alone, both come before who stores there.
// case: read_by_both grid=1 block=32 expect=data-race@2@3 also=data-race@1@3
KERNEL(read_by_both)
{
    FLOATS(x)[TID] = make_int2((int)TID, 1);
    __syncthreads();
    y[TID] = (int)PAIRS(x)[TID]; // @1
    y[TID + 64] = x[TID]; // @2
    x[31 - TID] = (int)TID + 7; // @3
}

// case: read_by_both_right grid=1 block=32 expect=silent
KERNEL(read_by_both_right)
{
    FLOATS(x)[TID] = make_int2((int)TID, 1);
    __syncthreads();
    y[TID] = (int)PAIRS(x)[TID];
    y[TID + 64] = x[TID];
    __syncthreads();
    x[31 - TID] = (int)TID + 7;
}

// Pairs that begin in the middle of a row, and a warp of which a lane is missing.
// case: pairs_apart grid=1 block=64 expect=data-race@1@2
KERNEL(pairs_apart)
{
    if (TID != 9)
        PAIRS(x + 8)[TID] = (long long)TID; // @1
    y[TID] = x[2 * (63 - TID) + 8]; // @2
}

// case: pairs_apart_right grid=1 block=64 expect=silent
KERNEL(pairs_apart_right)
{
    if (TID != 9)
        PAIRS(x + 8)[TID] = (long long)TID;
    __syncthreads();
    y[TID] = x[2 * (63 - TID) + 8];
}

// Bytes and halves of words that have been accessed so before: each has its own writer and readers.
// case: bytes_again grid=1 block=64 expect=data-race@1@2
KERNEL(bytes_again)
{
    unsigned char *b = (unsigned char *)x;
    b[TID] = (unsigned char)TID;
    b[TID]++; // @1
    y[TID] = b[TID ^ 1]; // @2
}

// case: bytes_again_right grid=1 block=64 expect=silent
KERNEL(bytes_again_right)
{
    unsigned char *b = (unsigned char *)x;
    b[TID] = (unsigned char)TID;
    b[TID]++;
    __syncthreads();
    y[TID] = b[TID ^ 1];
    b[TID + 64]++;
    b[TID + 64]++;
}

// case: bytes_read_then_stored grid=1 block=64 expect=data-race@1@2
KERNEL(bytes_read_then_stored)
{
    __shared__ unsigned char b[128];
    b[TID] = (unsigned char)TID;
    b[TID + 64] = 1;
    __syncthreads();
    y[TID] = b[TID]; // @1
    b[63 - TID] = (unsigned char)(TID + 9); // @2
}

// case: bytes_read_then_stored_right grid=1 block=64 expect=silent
KERNEL(bytes_read_then_stored_right)
{
    __shared__ unsigned char b[128];
    b[TID] = (unsigned char)TID;
    b[TID + 64] = 1;
    __syncthreads();
    y[TID] = b[TID];
    __syncthreads();
    b[63 - TID] = (unsigned char)(TID + 9);
}

// A half that has been read as two bytes, and by another thread as a half.
// case: halves_read_by_both grid=1 block=64 expect=data-race@2@3 also=data-race@1@3
KERNEL(halves_read_by_both)
{
    unsigned short *h = (unsigned short *)x;
    unsigned char *b = (unsigned char *)x;
    h[TID] = (unsigned short)TID;
    __syncthreads();
    y[TID] = b[2 * TID]; // @1
    y[TID] += h[63 - TID]; // @2
    h[TID] = 5; // @3
}

// case: halves_read_by_both_right grid=1 block=64 expect=silent
KERNEL(halves_read_by_both_right)
{
    unsigned short *h = (unsigned short *)x;
    unsigned char *b = (unsigned char *)x;
    h[TID] = (unsigned short)TID;
    __syncthreads();
    y[TID] = b[2 * TID];
    y[TID] += h[63 - TID];
    __syncthreads();
    h[TID] = 5;
}
