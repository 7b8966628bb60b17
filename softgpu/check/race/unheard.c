/**
 * @file unheard.c
 * See unheard.h. Each question has one place, and takes it from whichever was there.
 */
#include "check/race/unheard.h"

#include <string.h>

#include "base/mix.h"

_Static_assert(sizeof(struct unheard_question) == 24 + 24 + 12 * MAX_TARGETS + 4, "no gaps");

static uint64_t slot_of(const struct unheard_question *q)
{
    uint64_t h = mix_in(q->places.first, q->agent | (uint64_t)q->thread << 32);
    return mix64(mix_in(h, q->event[0].time | (uint64_t)q->event[0].agent << 32)) % UNHEARD_KEPT;
}

bool unheard_knows(const struct unheard *u, const struct unheard_question *q)
{
    return memcmp(&u->kept[slot_of(q)], q, sizeof *q) == 0;
}

void unheard_note(struct unheard *u, const struct unheard_question *q)
{
    u->kept[slot_of(q)] = *q;
}
