/**
 * @file new_values.c
 * See new_values.h.
 */
#include "check/new_values.h"

#include <string.h>

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
