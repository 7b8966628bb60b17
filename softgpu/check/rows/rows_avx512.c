/**
 * @file rows_avx512.c
 * Rows of shared memory for all checkers at once, for x86-64 hosts with AVX-512 (F, BW, DQ, VL).
 */
#ifdef __x86_64__
#define AT_LEVEL 2
#define ROWS_TABLE rows_vectors_avx512
#include "check/rows/rows_at_once.h"
#endif
