/**
 * @file tile_avx512.c
 * Tiles on x86-64 hosts with AVX-512; the Makefile gives the flags.
 */
#ifdef __AVX512BW__
#define TILE_LANES 16
#define TILE_TABLE tile_avx512
#include "execute/tensor/tile_steps.h"
#endif
