/**
 * @file knowledge.c
 * Reference-counted bundles of vector clocks, and snapshots.
 */
#include "check/race/clock/knowledge.h"

#include "check/race/clock/rooms.h"

struct knowledge *knowledge_ref(struct knowledge *k)
{
    if (k)
        k->refs++;
    return k;
}

void knowledge_drop(struct knowledge *k)
{
    if (!k || --k->refs > 0)
        return;
    for (int i = 0; i < KNOW_PARTS; i++)
        clock_drop(k->part[i]);
    fence_log_drop(k->order);
    room_drop(k, sizeof *k);
}

struct knowledge *knowledge_writable(struct knowledge **dst)
{
    struct knowledge *old = *dst;
    if (old && old->refs == 1)
        return old;
    struct knowledge *k = room_new(sizeof *k);
    *k = (struct knowledge){.refs = 1};
    for (int i = 0; old && i < KNOW_PARTS; i++)
        k->part[i] = clock_ref(old->part[i]);
    if (old) {
        k->order = fence_log_ref(old->order);
        k->fences = old->fences;
    }
    knowledge_drop(old);
    return *dst = k;
}

void knowledge_join_part(struct knowledge **dst, enum knowledge_part part, struct vector_clock *v)
{
    if (!v || (*dst && (*dst)->part[part] == v))
        return;
    clock_join(&knowledge_writable(dst)->part[part], v);
}

/** Of two logs the later one stays, the other becomes a vector clock: that is rare, a launch that hears of another one before it. */
void knowledge_join_order(struct knowledge **dst, struct fence_log *order, uint32_t fences)
{
    struct knowledge *k = *dst;
    if (!order || !fences || (k && k->order == order && k->fences >= fences))
        return;
    if (k && k->order && fence_log_number(k->order) > fence_log_number(order)) {
        knowledge_join_part(dst, KNOW_VALUE, fence_log_clock(order, fences));
        return;
    }
    k = knowledge_writable(dst);
    if (k->order != order) {
        if (k->order)
            clock_join(&k->part[KNOW_VALUE], fence_log_clock(k->order, k->fences));
        fence_log_drop(k->order);
        k->order = fence_log_ref(order);
    }
    k->fences = fences;
}

void knowledge_join(struct knowledge **dst, struct knowledge *src)
{
    if (!src || *dst == src)
        return;
    if (!*dst) {
        *dst = knowledge_ref(src);
        return;
    }
    for (int i = 0; i < KNOW_PARTS; i++)
        knowledge_join_part(dst, (enum knowledge_part)i, src->part[i]);
    knowledge_join_order(dst, src->order, src->fences);
}

static bool is_for(enum knowledge_part part, enum nearness near)
{
    switch (part) {
    case KNOW_SC_CTA:
    case KNOW_PEND_CTA:
    case KNOW_MAP_RELEASED_CTA:
        return near == SAME_BLOCK;
    case KNOW_SC_CLUSTER:
    case KNOW_PEND_CLUSTER:
    case KNOW_MAP_RELEASED_CLUSTER:
        return near <= SAME_CLUSTER;
    case KNOW_SC:
    case KNOW_PEND:
        return near != OTHER_DEVICE;
    default:
        return true;
    }
}

void knowledge_join_from(struct knowledge **dst, struct knowledge *src, enum nearness near)
{
    for (int i = 0; src && i < KNOW_PARTS; i++)
        if (is_for((enum knowledge_part)i, near))
            knowledge_join_part(dst, (enum knowledge_part)i, src->part[i]);
    if (src)
        knowledge_join_order(dst, src->order, src->fences);
}

struct snapshot *snapshot_new(void)
{
    struct snapshot *s = room_new(sizeof *s);
    *s = (struct snapshot){.refs = 1};
    return s;
}

struct snapshot *snapshot_ref(struct snapshot *s)
{
    if (s)
        s->refs++;
    return s;
}

void snapshot_drop(struct snapshot *s)
{
    if (!s || --s->refs > 0)
        return;
    knowledge_drop(s->base);
    knowledge_drop(s->extra);
    room_drop(s, sizeof *s);
}

void snapshot_join(struct vector_clock **dst, const struct snapshot *s, enum knowledge_part part)
{
    if (s->base)
        clock_join(dst, s->base->part[part]);
    if (s->extra)
        clock_join(dst, s->extra->part[part]);
    if (part != KNOW_CAUSAL)
        return;
    clock_add(dst, s->agent, s->uniform);
    if (s->warp_uniform > s->uniform)
        clock_add_key(dst, s->agent, clock_warp_key(s->thread / 32), s->warp_uniform);
    clock_add_key(dst, s->agent, clock_thread_key(s->thread), s->time);
}

void snapshot_give(struct knowledge **dst, const struct snapshot *s, enum nearness near)
{
    knowledge_join_from(dst, s->base, near);
    knowledge_join_from(dst, s->extra, near);
    snapshot_join(&knowledge_writable(dst)->part[KNOW_CAUSAL], s, KNOW_CAUSAL);
}
