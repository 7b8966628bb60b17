/**
 * @file vector_avx512.c
 * Vector arithmetic for x86-64 hosts with AVX-512 (F, BW, DQ, VL); the Makefile gives the flags.
 */
#ifdef __AVX512VL__
#define ALU_TABLE alu_vector_avx512
#include "execute/alu/vector.h"
#endif
