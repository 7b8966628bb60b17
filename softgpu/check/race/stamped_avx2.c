/**
 * @file stamped_avx2.c
 * Accesses to words that have stamps, for x86-64 hosts with AVX2.
 */
#ifdef __x86_64__
#define AT_LEVEL 1
#define STAMPED_TABLE stamped_vectors_avx2
#include "check/race/stamped_at_once.h"
#endif
