/**
 * @file read_digest.c
 * See read_digest.h. Every read under the checks comes by here: where the processor multiplies eight words at once, and
 * more than one lane reads, that is done.
 */
#include "check/read_digest.h"

#include "base/mix.h"

static uint64_t lane_digest(const struct mem_access *a, const uint64_t *value, unsigned l)
{
    uint64_t h = a->row ? l : mix_in(l, a->address[l]);
    return mix_in(mix_in(h, value[l]), 0);
}

/** What is there besides the lanes: a row's one address tells them all. */
static uint64_t begin(const struct mem_access *a)
{
    return a->row ? mix_in(a->mask, a->address[0]) : a->mask;
}

uint64_t read_digest_plain(const struct mem_access *a, bool old)
{
    const uint64_t *value = old ? a->old[0] : a->value[0];
    uint64_t h = begin(a);
    for (unsigned l = 0; a->mask == UINT32_MAX && l < WARP_LANES; l++)
        h += lane_digest(a, value, l);
    for (uint32_t m = a->mask == UINT32_MAX ? 0 : a->mask; m; m &= m - 1)
        h += lane_digest(a, value, (unsigned)__builtin_ctz(m));
    return mix64(h);
}

#ifdef __x86_64__
#define AVX512 __attribute__((target("avx512f,avx512dq")))
#define HAS_AVX512 __builtin_cpu_supports("avx512dq")

typedef uint64_t eight __attribute__((vector_size(64), aligned(8), may_alias));

/** mix_in() for eight lanes. */
AVX512 static inline void mix_in_eight(eight *h, const eight *v)
{
    *h = (*h ^ *v) * MIX_STEP;
    *h ^= *h >> 29;
}

/** All lanes are hashed, and those added up that read. */
AVX512 static uint64_t lanes_digest(const struct mem_access *a, const uint64_t *value)
{
    eight lane = {0, 1, 2, 3, 4, 5, 6, 7}, sum = {0};
    const eight nothing = {0};
    for (unsigned l = 0; l < WARP_LANES; l += 8, lane += 8) {
        eight h = lane;
        if (!a->row)
            mix_in_eight(&h, (const eight *)&a->address[l]);
        mix_in_eight(&h, (const eight *)&value[l]);
        mix_in_eight(&h, &nothing);
        sum += h & -(((eight){0} + a->mask) >> lane & 1);
    }
    uint64_t all = begin(a);
    for (int i = 0; i < 8; i++)
        all += sum[i];
    return mix64(all);
}
#else
#define HAS_AVX512 0
#define lanes_digest(a, value) 0
#endif

uint64_t read_digest(const struct mem_access *a, bool old)
{
    if (a->mask & (a->mask - 1) && HAS_AVX512)
        return lanes_digest(a, old ? a->old[0] : a->value[0]);
    return read_digest_plain(a, old);
}
