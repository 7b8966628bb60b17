// What programs of random steps share: numbers drawn from a seed, and calls that must not fail.
#ifndef TESTS_COMPILE_DRAWN_CUH
#define TESTS_COMPILE_DRAWN_CUH

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static unsigned state;

/** The next number from 0 up to below `below`. */
static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

#define CHECK(x) do { if ((x) != cudaSuccess) { printf("%s failed\n", #x); exit(1); } } while (0)

#endif
