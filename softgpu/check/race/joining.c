/**
 * @file joining.c
 * See joining.h.
 */
#include "check/race/joining.h"

#include "check/race/shadow/read_log.h"

enum shape shape_of(const struct actor *me, const struct mem_access *a)
{
    uint64_t differs = 0, apart = 0, halves = 0;
    uint32_t times = 0;
    bool rises = true;
    if (a->mask != UINT32_MAX)
        return SHAPE_ANY;
    for (int l = 0; l < WARP_LANES; l++)
        times |= me->ws->time[l] ^ me->ws->time[0];
    if (a->row)
        return times ? SHAPE_ANY : SHAPE_APART;
    for (int l = 0; l < WARP_LANES; l++)
        differs |= a->address[l] ^ a->address[0];
    if (times || !differs)
        return times ? SHAPE_ANY : SHAPE_ONE_WORD;
    for (int l = 0; l < HALF; l++) {
        apart |= a->address[l] ^ a->address[l + HALF];
        halves |= (a->address[l] ^ a->address[0]) | (a->address[l + HALF] ^ a->address[HALF]);
    }
    if (!halves)
        return SHAPE_HALVES;
    for (int l = 1; l < HALF; l++)
        rises &= a->address[l] > a->address[l - 1];
    if (!apart && rises)
        return SHAPE_PAIRS;
    for (int l = HALF; l < WARP_LANES; l++)
        rises &= a->address[l] > a->address[l - 1];
    return rises ? SHAPE_APART : SHAPE_ANY;
}

/** Of the half warp from `first` on: the lanes whose word has a group that they, and the lanes `beside` with lane 0, join. */
static uint32_t half_joins(const struct actor *me, const struct mem_access *a, int first, uint32_t beside, uint32_t floor)
{
    struct allocation *al = a->allocation[first];
    uint64_t address = a->address[first], apart = 0, offset = address - (al->base & ~3ull);
    uint8_t flags = flags_of(&me->insn->mem, false);
    uint32_t done = 0;
    for (int i = 0; i < HALF; i++)
        apart |= a->address[first + i] ^ (address + 4 * (uint64_t)i);
    if (apart || offset % 4 || offset + 4 * HALF > al->bytes || !al->shadow)
        return 0;
    struct shadow *shadow = al->shadow;
    bool log_is_ours = shadow->log && shadow->log->floor == floor;
    for (unsigned i = 0; i < HALF; offset += 4, i++) {
        struct shadow_word *c = shadow_row_at(shadow, offset)->words;
        uint32_t lanes = (1u << first | beside) << i;
        if (!c)
            continue;
        c += offset / 4 % ROW_WORDS;
        if (c->write.agent >= floor || ((c->flags & WORD_LOGGED) && !log_is_ours) || !joins_group(me, c, lanes, flags, PLAIN_WORD))
            continue;
        join_group(me, c);
        done |= lanes;
    }
    return done;
}

uint32_t rows_join(struct actor *me, const struct mem_access *a, enum shape shape, uint32_t floor)
{
    if (me->as_agent || me->insn->mem.bytes != 4 || me->insn->mem.count != 1 || order_is_strong(&me->insn->mem))
        return 0;
    actor_set_lane(me, 0);
    if (shape == SHAPE_PAIRS)
        return half_joins(me, a, 0, 1u << HALF, floor);
    if (shape == SHAPE_APART)
        return half_joins(me, a, 0, 0, floor) | half_joins(me, a, HALF, 0, floor);
    return 0;
}
