/**
 * @file random_variant.c
 * A random kernel in other words: what its threads do, and what is right to say of it, stays, but for accesses and fences that become stronger.
 */
#include "random_kernel.h"

#include "base/mix.h"

static bool is_plain(const struct step *s)
{
    return s->act == ACT_LOAD || s->act == ACT_STORE;
}

/** As many bytes, in other elements. */
static void respell_vector(uint64_t *r, struct step *s)
{
    static const struct { unsigned unit, count; } ways[][3] = {{{4, 1}, {2, 2}, {1, 4}}, {{8, 1}, {4, 2}, {2, 4}}, {{4, 4}, {8, 2}, {8, 2}}};
    unsigned bytes = s->unit * s->count, n = bytes == 4 ? 0 : bytes == 8 ? 1 : 2, i = random_below(r, 3);
    if (bytes < 4)
        return;
    s->unit = ways[n][i].unit, s->count = ways[n][i].count;
}

static bool has_relaxed_barrier(const struct random_kernel *k)
{
    for (int i = 0; i < k->count; i++)
        if (k->step[i].act == ACT_CLUSTER_BARRIER && k->step[i].strength == RELAXED)
            return true;
    return false;
}

void random_variant(struct random_kernel *k, uint64_t seed, enum strengthened strong)
{
    uint64_t r = mix64(seed * MIX_STEP + (uint64_t)k->number) ^ MIX_STEP;
    uint32_t vectors = PICK(&r, 0, 0, 0, 10, 50), generic = PICK(&r, 0, 0, 20, 100), spelled = random_below(&r, 2), often = PICK(&r, 10, 30, 70), sc = PICK(&r, 0, 0, 30, 100);
    if (random_below(&r, 3))
        strong = STRENGTH_NONE;
    if (has_relaxed_barrier(k))
        sc = 0; /* whether such a barrier brings fence.sc into an order is nothing that we say */
    for (struct step *s = k->step; s < k->step + k->count; s++) {
        s->spelled = spelled ? random_below(&r, 30) : 0;
        s->sc = s->act == ACT_FENCE && random_below(&r, 100) < sc;
        if (s->act > ACT_ADD)
            continue;
        s->generic = random_below(&r, 100) < generic;
        if (is_plain(s) && random_below(&r, 100) < vectors)
            respell_vector(&r, s);
        s->strong = strong && is_plain(s) && random_below(&r, 100) < often;
        s->volatile_ = s->strong && random_below(&r, 4) == 0;
        if (s->strong && !s->volatile_)
            s->near = random_below(&r, 4) == 0;
        if (s->strong && strong == STRENGTH_ANY)
            s->strength = random_below(&r, 3) ? RELAXED : ORDERED;
    }
}
