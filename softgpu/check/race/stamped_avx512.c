/**
 * @file stamped_avx512.c
 * Accesses to words that have stamps, for x86-64 hosts with AVX-512 (F, BW, DQ, VL).
 */
#ifdef __x86_64__
#define AT_LEVEL 2
#define STAMPED_TABLE stamped_vectors_avx512
#include "check/race/stamped_at_once.h"
#endif
