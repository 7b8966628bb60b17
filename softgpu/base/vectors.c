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

int vectors_known; /* threads that look at once find the same */

enum vectors_level vectors_look(void)
{
    enum vectors_level level = look();
    __atomic_store_n(&vectors_known, 1 + (int)level, __ATOMIC_RELAXED);
    return level;
}
