/**
 * @file random.c
 * The generator, and one table row a distribution.
 */
#include "random.h"

#include <stdlib.h>
#include <string.h>

static uint64_t splitmix64(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct random random_seeded(uint64_t seed, uint64_t purpose)
{
    // Each is hashed on its own: seed + purpose would make (1, 2) and (2, 1) one stream.
    uint64_t x = splitmix64(&(uint64_t){seed}) ^ (splitmix64(&(uint64_t){purpose}) << 1 | 1);
    struct random r;
    for (int i = 0; i < 4; i++)
        r.state[i] = splitmix64(&x);
    return r;
}

static uint64_t rotl(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

uint64_t random_u64(struct random *r)
{
    uint64_t *s = r->state;
    uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t random_below(struct random *r, uint64_t bound)
{
    if (bound == 0)
        return 0;
    // Reject the part of the range that does not divide evenly.
    uint64_t limit = -bound % bound, x;
    do
        x = random_u64(r);
    while (x < limit);
    return x % bound;
}

static int32_t between(struct random *r, int64_t low, int64_t high)
{
    return (int32_t)(low + (int64_t)random_below(r, (uint64_t)(high - low + 1)));
}

static void fill_uniform(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = between(r, -1000, 1000);
}

static void fill_wide(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = (int32_t)(uint32_t)random_u64(r);
}

static void fill_negative(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = between(r, -1000000, -1);
}

static void fill_skewed(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = between(r, 1, 100) * (random_below(r, 50) == 0 ? 10000 : 1);
}

static void fill_sparse(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = random_below(r, 64) == 0 ? between(r, 1, 1000) : 0;
}

static void fill_ramp(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = (int32_t)(uint32_t)(3 * i) + between(r, 0, 2);
}

static void fill_equal(struct random *r, int32_t *dst, size_t count)
{
    int32_t value = between(r, 1, 1000);
    for (size_t i = 0; i < count; i++)
        dst[i] = value;
}

static void fill_few(struct random *r, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] = between(r, -8, 7) * 1000;
}

static void fill_sorted(struct random *r, int32_t *dst, size_t count)
{
    int64_t value = between(r, -2000000, -1000000);
    for (size_t i = 0; i < count; i++) {
        dst[i] = (int32_t)value;
        value += between(r, 0, 3);
    }
}

static void fill_reversed(struct random *r, int32_t *dst, size_t count)
{
    fill_sorted(r, dst, count);
    for (size_t i = 0; i < count / 2; i++) {
        int32_t t = dst[i];
        dst[i] = dst[count - 1 - i];
        dst[count - 1 - i] = t;
    }
}

static void fill_extremes(struct random *r, int32_t *dst, size_t count)
{
    static const int32_t values[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
    for (size_t i = 0; i < count; i++)
        dst[i] = values[random_below(r, sizeof values / sizeof values[0])];
}

static const struct {
    const char *name;
    void (*fill)(struct random *r, int32_t *dst, size_t count);
} distributions[] = {
    {"uniform", fill_uniform},   {"wide", fill_wide},         {"negative", fill_negative},
    {"skewed", fill_skewed},     {"sparse", fill_sparse},     {"ramp", fill_ramp},
    {"equal", fill_equal},       {"few", fill_few},           {"sorted", fill_sorted},
    {"reversed", fill_reversed}, {"extremes", fill_extremes},
};

bool random_fill_i32(struct random *r, const char *distribution, int32_t *dst, size_t count)
{
    for (size_t i = 0; i < sizeof distributions / sizeof distributions[0]; i++)
        if (strcmp(distributions[i].name, distribution) == 0) {
            distributions[i].fill(r, dst, count);
            return true;
        }
    return false;
}

const char *random_distributions(void)
{
    return "uniform wide negative skewed sparse ramp equal few sorted reversed extremes";
}
