/**
 * @file words_avx2.c
 * What checkers look at word by word, for x86-64 hosts with AVX2.
 */
#ifdef __x86_64__
#define AT_LEVEL 1
#define WORDS_TABLE word_vectors_avx2
#include "check/words_at_once.h"
#endif
