/**
 * @file tile_avx2.c
 * Tiles on x86-64 hosts with AVX2 and FMA; the Makefile gives the flags.
 */
#ifdef __AVX2__
#define TILE_LANES 8
#define TILE_TABLE tile_avx2
#include "execute/tensor/tile_steps.h"
#endif
