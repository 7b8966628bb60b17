/**
 * @file read_digest.c
 * See read_digest.h. Every read under the checks comes by here: where the processor multiplies eight words at once, and
 * more than one lane reads, that is done.
 */
#include "check/read_digest.h"

#include "base/mix.h"
#include "base/vectors.h"
#include "check/word_vectors.h"

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

/* Of a plain load each lane multiplies its place by its value, with numbers of its own added to both, and the products are added up:
 * two different reads have the same sum once in 2^32 pairs, whatever they are. */

#define KEY(n) (uint32_t)((((n) * MIX_STEP) ^ (((n) * MIX_STEP) >> 30)) * MIX_FACTOR >> 32)
#define EIGHT_KEYS(n) KEY(n), KEY((n) + 1ull), KEY((n) + 2ull), KEY((n) + 3ull), KEY((n) + 4ull), KEY((n) + 5ull), KEY((n) + 6ull), KEY((n) + 7ull)
#define KEYS(n) EIGHT_KEYS(n), EIGHT_KEYS((n) + 8ull), EIGHT_KEYS((n) + 16ull), EIGHT_KEYS((n) + 24ull)

static const uint32_t place_key[WARP_LANES] = {KEYS(1ull)}, value_key[WARP_LANES] = {KEYS(33ull)};

static uint64_t word_digest(const struct plain_access *p, uint64_t sum)
{
    return mix64(mix_in(mix_in(p->mask, p->base), sum));
}

uint64_t read_digest_word_by_lanes(const struct plain_access *p)
{
    uint64_t sum = 0;
    for (uint32_t m = p->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        sum += (uint64_t)(p->at[l] + place_key[l]) * (p->value[l] + value_key[l]);
    }
    return word_digest(p, sum);
}

#ifdef __x86_64__
#define AVX512 USES_VECTORS("avx512f,avx512dq")
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

uint64_t read_digest_word(const struct plain_access *p)
{
    const struct word_vectors *v = word_vectors();
    return v ? word_digest(p, v->digest(p, place_key, value_key)) : read_digest_word_by_lanes(p);
}
