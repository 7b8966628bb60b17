// Tiles with rows of 16 words that lie 17 apart: what lies between the rows holds nothing, wherever a row begins.
#include "judge.cuh"

enum { ROW = 16, PITCH = ROW + 1 };

// case: tile_within_rows grid=1 block=256 expect=silent
KERNEL(tile_within_rows)
{
    __shared__ int s[ROW * PITCH];
    s[TID / ROW * PITCH + TID % ROW] = x[TID];
    __syncthreads();
    if (s[TID % ROW * PITCH + TID / ROW] > 0)
        y[TID] = 1;
}

// case: tile_behind_even_row grid=1 block=256 expect=uninitialized-read:any@1
KERNEL(tile_behind_even_row)
{
    __shared__ int s[ROW * PITCH];
    s[TID / ROW * PITCH + TID % ROW] = x[TID];
    __syncthreads();
    if (s[TID == 77 ? 4 * PITCH + ROW : TID % ROW * PITCH] > 0) // @1
        y[TID] = 1;
}

// case: tile_behind_odd_row grid=1 block=256 expect=uninitialized-read:any@1
KERNEL(tile_behind_odd_row)
{
    __shared__ int s[ROW * PITCH];
    s[TID / ROW * PITCH + TID % ROW] = x[TID];
    __syncthreads();
    if (s[TID == 77 ? 5 * PITCH + ROW : TID % ROW * PITCH] > 0) // @1
        y[TID] = 1;
}

// Behind the first word of the tile, so that each row begins where the one above ended in the cases before.
// case: tile_moved_within_rows grid=1 block=256 expect=silent
KERNEL(tile_moved_within_rows)
{
    __shared__ int s[ROW * PITCH];
    s[TID / ROW * PITCH + TID % ROW + 1] = x[TID];
    __syncthreads();
    if (s[TID % ROW * PITCH + TID / ROW + 1] > 0)
        y[TID] = 1;
}

// case: tile_moved_before_first_row grid=1 block=256 expect=uninitialized-read:any@1
KERNEL(tile_moved_before_first_row)
{
    __shared__ int s[ROW * PITCH];
    s[TID / ROW * PITCH + TID % ROW + 1] = x[TID];
    __syncthreads();
    if (s[TID == 77 ? 0 : TID % ROW * PITCH + 1] > 0) // @1
        y[TID] = 1;
}

// case: tile_moved_before_odd_row grid=1 block=256 expect=uninitialized-read:any@1
KERNEL(tile_moved_before_odd_row)
{
    __shared__ int s[ROW * PITCH];
    s[TID / ROW * PITCH + TID % ROW + 1] = x[TID];
    __syncthreads();
    if (s[TID == 77 ? 5 * PITCH : TID % ROW * PITCH + 1] > 0) // @1
        y[TID] = 1;
}
