/**
 * @file knowledge.c
 * Reference-counted bundles of vector clocks, and snapshots.
 */
#include "check/race/clock/knowledge.h"

#include <assert.h>
#include <stdlib.h>

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
    free(k);
}

struct knowledge *knowledge_writable(struct knowledge **dst)
{
    struct knowledge *old = *dst;
    if (old && old->refs == 1)
        return old;
    struct knowledge *k = calloc(1, sizeof *k);
    assert(k);
    k->refs = 1;
    for (int i = 0; old && i < KNOW_PARTS; i++)
        k->part[i] = clock_ref(old->part[i]);
    knowledge_drop(old);
    return *dst = k;
}

void knowledge_join_part(struct knowledge **dst, enum knowledge_part part, struct vector_clock *v)
{
    if (!v || (*dst && (*dst)->part[part] == v))
        return;
    clock_join(&knowledge_writable(dst)->part[part], v);
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
    free(s);
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
