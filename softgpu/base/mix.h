/**
 * @file mix.h
 * The finisher of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): words that count up become random ones; and a hash of text.
 */
#ifndef SOFTGPU_BASE_MIX_H
#define SOFTGPU_BASE_MIX_H

#include <stdint.h>

/** By what splitmix64 counts. */
#define MIX_STEP 0x9e3779b97f4a7c15ull

/** What it multiplies by first. */
#define MIX_FACTOR 0xbf58476d1ce4e5b9ull

static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * MIX_FACTOR;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/** FNV-1a (Fowler, Noll, Vo) of `len` bytes of text. */
static inline uint32_t mix_text(const char *text, uint32_t len)
{
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

/** Takes one more word into a hash. */
static inline uint64_t mix_in(uint64_t h, uint64_t v)
{
    h = (h ^ v) * MIX_STEP;
    return h ^ h >> 29;
}

/** A place and its value, to be added up with others'. The place is mixed first: mix_in() of small numbers takes 3 with 1 for 0 with 2, and sums of pairs of those are the same. */
static inline uint64_t mix_pair(uint64_t place, uint64_t value)
{
    return mix64(mix_in(mix64(place), value));
}

#endif
