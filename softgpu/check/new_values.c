/**
 * @file new_values.c
 * See new_values.h.
 */
#include "check/new_values.h"

#include <string.h>

#include "base/mix.h"
#include "check/word_vectors.h"

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

uint64_t changed_values(const struct mem_access *a)
{
    unsigned bytes = a->insn->mem.bytes < 8 ? a->insn->mem.bytes : 8;
    uint64_t h = 0;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        for (int e = 0; e < a->insn->mem.count; e++) {
            for (unsigned b = 0; b < bytes; b++) { /* of each byte what it was, and what it is: they may be stored in other sizes again */
                uint64_t place = mix_in(mix_in(1, (uint64_t)l), a->address[l] + (unsigned)e * a->insn->mem.bytes + b);
                uint8_t old = a->host[l][(unsigned)e * a->insn->mem.bytes + b], now = (uint8_t)(a->value[e][l] >> 8 * b);
                if (old != now)
                    h ^= mix_in(place, old) ^ mix_in(place, now);
            }
        }
    }
    return h;
}

bool plain_has_new_values(const struct plain_access *p)
{
    const struct word_vectors *v = word_vectors();
    if (v)
        return v->has_new_values(p);
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
