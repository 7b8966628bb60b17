/**
 * @file vectors.c
 * See vectors.h.
 */
#include "base/vectors.h"

#include <stdlib.h>
#include <string.h>

static enum vectors_level look(void)
{
#ifdef __x86_64__
    const char *said = getenv("SOFTGPU_ISA");
    if (!__builtin_cpu_supports("avx2") || (said && !strcmp(said, "plain")))
        return VECTORS_NONE;
    if (said && !strcmp(said, "avx2"))
        return VECTORS_AVX2;
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") ? VECTORS_AVX512
                                                                                                                    : VECTORS_AVX2;
#else
    return VECTORS_NONE;
#endif
}

enum vectors_level vectors_level(void)
{
    static int known; /* 1 + the level; threads that look at once find the same */
    int k = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!k) {
        k = 1 + (int)look();
        __atomic_store_n(&known, k, __ATOMIC_RELAXED);
    }
    return (enum vectors_level)(k - 1);
}
