/**
 * @file stamped_accesses.c
 * See stamps.h: a warp's access to words that have stamps, by vectors where the processor has them (stamped_at_once.h), else lane by lane.
 */
#include "check/race/stamped_lanes.h"
#include "check/race/stamped_vectors.h"

bool stamps_take_load(struct race *race, const struct warp *w, const struct plain_access *p)
{
    const struct stamped_vectors *v = stamped_vectors();
    return v && v->take_load(race, w, p);
}

bool stamps_take_store(struct race *race, const struct warp *w, const struct plain_access *p)
{
    const struct stamped_vectors *v = stamped_vectors();
    return v && v->take_store(race, w, p);
}

bool stamps_join(const struct actor *me, const struct plain_access *p)
{
    const struct stamped_vectors *v = stamped_vectors();
    if (me->warp->index >= WARP_LANES || p->shape == PLAIN_ROW || p->shape == PLAIN_ROWS || p->shape == PLAIN_ANY)
        return false;
    if (v)
        return v->join(me, p);
    bool one_time = lanes_at_one_time(me->ws, p->mask);
    return p->shape == PLAIN_ONE ? join_ones(me, p, one_time) : p->shape == PLAIN_HALVES && join_halves(me, p, one_time);
}

uint32_t stamps_load(const struct actor *me, const struct plain_access *p)
{
    const struct stamped_vectors *v = stamped_vectors();
    if (v)
        return v->load(me, p);
    uint32_t number = number_of(me, p->mask, lanes_at_one_time(me->ws, p->mask));
    return number ? load_lanes(me, p, number) : p->mask;
}

uint32_t stamps_store(const struct actor *me, const struct plain_access *p)
{
    const struct stamped_vectors *v = stamped_vectors();
    if (v)
        return v->store(me, p);
    uint32_t number = number_of(me, p->mask, lanes_at_one_time(me->ws, p->mask));
    return number ? store_lanes(me, p, number) : p->mask;
}
