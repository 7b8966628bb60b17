/**
 * @file plain_avx2.c
 * Plain accesses for x86-64 hosts with AVX2.
 */
#ifdef __x86_64__
#define AT_LEVEL 1
#define PLAIN_TABLE plain_vectors_avx2
#include "execute/plain_at_once.h"
#endif
