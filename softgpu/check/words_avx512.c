/**
 * @file words_avx512.c
 * What checkers look at word by word, for x86-64 hosts with AVX-512 (F, BW, DQ, VL).
 */
#ifdef __x86_64__
#define AT_LEVEL 2
#define WORDS_TABLE word_vectors_avx512
#include "check/words_at_once.h"
#endif
