/**
 * @file new_values.c
 * See new_values.h.
 */
#include "check/new_values.h"

#include <string.h>

#include "base/vectors.h"

bool has_new_values(const struct mem_access *a)
{
    unsigned bytes = a->insn->mem.bytes;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        for (int e = 0; e < a->insn->mem.count; e++)
            if (memcmp(a->host[l] + (unsigned)e * bytes, &a->value[e][l], bytes < 8 ? bytes : 8))
                return true;
    }
    return false;
}

#ifdef __x86_64__
#include <immintrin.h>

#define HALF (WARP_LANES / 2)
#define HAS_AVX512 __builtin_cpu_supports("avx512f")

/** Words one after another. */
USES_VECTORS("avx512f") static bool row_has_new_values(const struct plain_access *p)
{
    const uint8_t *host = plain_row_in(p, p->host);
    __mmask16 low = (__mmask16)p->mask, high = (__mmask16)(p->mask >> HALF);
    __m512i a = _mm512_maskz_loadu_epi32(low, host), b = _mm512_maskz_loadu_epi32(high, host + 4 * HALF);
    return _mm512_mask_cmpneq_epi32_mask(low, a, _mm512_loadu_si512(p->value)) |
           _mm512_mask_cmpneq_epi32_mask(high, b, _mm512_loadu_si512(p->value + HALF));
}
#else
#define HAS_AVX512 0
#define row_has_new_values(p) false
#endif

bool plain_has_new_values(const struct plain_access *p)
{
    if (p->shape == PLAIN_ROW && HAS_AVX512)
        return row_has_new_values(p);
    for (uint32_t m = p->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (memcmp(p->host + p->at[l], &p->value[l], 4))
            return true;
    }
    return false;
}

bool atomic_has_new_values(const struct mem_access *a)
{
    for (uint32_t m = a->wrote; m; m &= m - 1)
        if (a->old[0][__builtin_ctz(m)] != a->value[0][__builtin_ctz(m)])
            return true;
    return false;
}

bool plain_atomic_has_new_values(const struct plain_access *p)
{
    for (uint32_t m = p->mask; m; m &= m - 1)
        if (p->old[__builtin_ctz(m)] != p->value[__builtin_ctz(m)])
            return true;
    return false;
}
