/**
 * @file vector_avx2.c
 * Vector arithmetic for x86-64 hosts with AVX2 and FMA; the Makefile gives the flags.
 */
#ifdef __AVX2__
#define ALU_TABLE alu_vector_avx2
#include "execute/alu/vector.h"
#endif
