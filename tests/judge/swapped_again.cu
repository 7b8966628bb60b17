// Compare-and-swaps whose failure nobody looks at, in loops: no loss where the thread looks there again, goes on until that look says so, and leaves nothing else in a turn.
#include "judge.cuh"
// All shorten the way of one node, until it is a root's child.
// case: jump_until_root_right grid=4 block=1 expect=silent
KERNEL(jump_until_root_right)
{
    unsigned *p = flag + 64;
    if (BID == 0) { for (unsigned i = 1; i < 9; i++) atomicExch(&p[i], i - 1); ST("release.gpu", flag, 1); }
    while (!LD("acquire.gpu", flag)) ;
    for (;;) { unsigned a = VOL(p[8]), g = VOL(p[a]); if (a == g) break; atomicCAS(&p[8], a, g); }
}
// case: raise_until_right grid=4 block=1 expect=silent
KERNEL(raise_until_right)
{
    for (;;) { unsigned old = VOL(flag[0]); if (old >= 6) break; atomicCAS(&flag[0], old, old + 1); }
}
// It gives up after some turns,
// case: raise_some_times grid=4 block=1 expect=ordering
KERNEL(raise_some_times)
{
    for (int k = 0; k < 3; k++) { unsigned old = VOL(flag[0]); if (old >= 60) break; atomicCAS(&flag[0], old, old + 1); }
}
// goes on by what another has made of it, though its own swap has failed,
// case: raise_while_same grid=4 block=1 expect=ordering
KERNEL(raise_while_same)
{
    unsigned old;
    do { old = VOL(flag[0]); atomicCAS(&flag[0], old, old + 1); } while (VOL(flag[0]) == old);
}
// or until something else says so.
// case: raise_until_told grid=4 block=1 expect=ordering
KERNEL(raise_until_told)
{
    while (VOL(flag[32]) < 6) { unsigned old = VOL(flag[0]); atomicCAS(&flag[0], old, old + 1); atomicAdd(&flag[32], 1); }
}
// Each thread takes itself for the one that has raised it,
// case: raise_and_do grid=4 block=1 expect=ordering also=*
KERNEL(raise_and_do)
{
    for (;;) { unsigned old = VOL(flag[0]); if (old >= 6) break; atomicCAS(&flag[0], old, old + 1); atomicAdd(&y[old], 1); }
}
// or counts its turns for its own.
// case: raise_and_count grid=4 block=1 expect=ordering
KERNEL(raise_and_count)
{
    int mine = 0;
    for (;;) { unsigned old = VOL(flag[0]); if (old >= 6) break; atomicCAS(&flag[0], old, old + 1); mine++; }
    y[GID] = mine;
}
