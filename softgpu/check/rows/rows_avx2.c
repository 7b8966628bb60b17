/**
 * @file rows_avx2.c
 * Rows of shared memory for all checkers at once, for x86-64 hosts with AVX2.
 */
#ifdef __x86_64__
#define AT_LEVEL 1
#define ROWS_TABLE rows_vectors_avx2
#include "check/rows/rows_at_once.h"
#endif
