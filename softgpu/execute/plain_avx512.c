/**
 * @file plain_avx512.c
 * Plain accesses for x86-64 hosts with AVX-512 (F, BW, DQ, VL).
 */
#ifdef __x86_64__
#define AT_LEVEL 2
#define PLAIN_TABLE plain_vectors_avx512
#include "execute/plain_at_once.h"
#endif
