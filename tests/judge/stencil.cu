// Words of shared memory that several threads read between two barriers, each by its own instruction: who they were counts once somebody writes.
#include "judge.cuh"

#define AT(i) tile[(i) & (BLOCK - 1)]

// case: stencil_right grid=2 block=128 expect=silent
KERNEL(stencil_right)
{
    __shared__ int tile[128];
    tile[TID] = x[GID];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int sum = AT(TID - 2) + AT(TID - 1) + 2 * AT(TID) + AT(TID + 1) + AT(TID + 2);
        __syncthreads();
        tile[TID] = sum & 15;
        __syncthreads();
    }
    y[GID] = tile[TID];
}

// case: stencil_no_barrier_behind_reads grid=2 block=128 expect=data-race@1@2 also=data-race
KERNEL(stencil_no_barrier_behind_reads)
{
    __shared__ int tile[128];
    tile[TID] = x[GID];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int sum = AT(TID - 2) + AT(TID - 1) + 2 * AT(TID) + AT(TID + 1) + AT(TID + 2); // @1
        tile[TID] = sum & 15;                                                         // @2
        __syncthreads();
    }
    y[GID] = tile[TID];
}

// The last to read a word is of the writer's warp, and ordered before it; one of those before it is not: the next warp's first lane reads its neighbour's word first.
// case: stencil_first_reader_of_another_warp grid=1 block=64 expect=data-race@1@2
KERNEL(stencil_first_reader_of_another_warp)
{
    __shared__ int tile[64];
    tile[TID] = x[GID];
    __syncthreads();
    int sum = 0;
    if (TID == 32)
        sum = AT(TID - 1); // @1
    if (TID < 32) {
        sum += AT(TID);
        sum += tile[(TID + 1) % 32];
        sum += tile[(TID + 2) % 32];
        __syncwarp();
        AT(TID) = sum & 15; // @2
    }
    y[GID] = sum;
}

// case: stencil_readers_of_one_warp grid=1 block=64 expect=silent
KERNEL(stencil_readers_of_one_warp)
{
    __shared__ int tile[64];
    tile[TID] = x[GID];
    __syncthreads();
    int sum = 0, from = TID & 32;
    for (int k = 0; k < 4; k++) {
        sum += AT(TID);
        sum += tile[from + (TID + 1) % 32];
        sum += tile[from + (TID + 2) % 32];
        sum += tile[from + (TID * 5 + k) % 32];
        __syncwarp();
        AT(TID) = sum & 15;
        __syncwarp();
    }
    y[GID] = sum;
}

// Readers at single words: all of a warp read one, and one thread of another warp writes it behind no barrier.
// case: stencil_words_of_all grid=1 block=64 expect=data-race@1@2
KERNEL(stencil_words_of_all)
{
    __shared__ int tile[64];
    tile[TID] = x[GID];
    __syncthreads();
    int sum = AT(TID) + tile[3] + tile[TID / 16]; // @1
    if (TID == 40)
        tile[3] = 1; // @2
    y[GID] = sum;
}

// case: stencil_words_of_all_right grid=1 block=64 expect=silent
KERNEL(stencil_words_of_all_right)
{
    __shared__ int tile[64];
    tile[TID] = x[GID];
    __syncthreads();
    int sum = AT(TID) + tile[3] + tile[TID / 16];
    __syncthreads();
    if (TID == 40)
        tile[3] = 1;
    y[GID] = sum;
}

// The same of elements of eight bytes.
// case: stencil_doubles_right grid=2 block=128 expect=silent
KERNEL(stencil_doubles_right)
{
    __shared__ double tile[128];
    tile[TID] = x[GID];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        double sum = AT(TID - 1) + 2 * AT(TID) + AT(TID + 1);
        __syncthreads();
        tile[TID] = sum / 4;
        __syncthreads();
    }
    y[GID] = (int)tile[TID];
}

// case: stencil_doubles_no_barrier_behind_reads grid=2 block=128 expect=data-race@1@2 also=data-race
KERNEL(stencil_doubles_no_barrier_behind_reads)
{
    __shared__ double tile[128];
    tile[TID] = x[GID];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        double sum = AT(TID - 1) + 2 * AT(TID) + AT(TID + 1); // @1
        tile[TID] = sum / 4;                                  // @2
        __syncthreads();
    }
    y[GID] = (int)tile[TID];
}

// case: stencil_doubles_no_barrier_behind_stores grid=2 block=128 expect=data-race@1@2
KERNEL(stencil_doubles_no_barrier_behind_stores)
{
    __shared__ double tile[128];
    tile[TID] = x[GID];                       // @1
    y[GID] = (int)(AT(TID) + AT(TID + 1)); // @2
}

// Halves of what was written as a whole, read as such, and a whole of what was written by halves.
// case: stencil_halves_right grid=2 block=128 expect=silent
KERNEL(stencil_halves_right)
{
    __shared__ double tile[128];
    int *half = (int *)tile;
    tile[TID] = x[GID];
    __syncthreads();
    int sum = half[TID] + half[(TID + 131) & 255];
    __syncthreads();
    half[TID] = sum;
    half[TID + 128] = sum;
    __syncthreads();
    y[GID] = tile[(TID + 5) & 127] > 0;
}

// case: stencil_half_written_beside_reads grid=2 block=128 expect=data-race@1@2
KERNEL(stencil_half_written_beside_reads)
{
    __shared__ double tile[128];
    tile[TID] = x[GID];
    __syncthreads();
    int sum = tile[TID ^ 64] > 0; // @1
    ((int *)tile)[2 * TID + 1] = sum; // @2
    __syncthreads();
    y[GID] = sum + (tile[TID] > 0);
}
