/**
 * @file know.c
 * Reference-counted bundles of views, and snapshots.
 */
#include "check/race/know.h"

#include <assert.h>
#include <stdlib.h>

struct know *know_ref(struct know *k)
{
    if (k)
        k->refs++;
    return k;
}

void know_drop(struct know *k)
{
    if (!k || --k->refs > 0)
        return;
    for (int i = 0; i < KNOW_PARTS; i++)
        view_drop(k->part[i]);
    free(k);
}

struct know *know_writable(struct know **dst)
{
    struct know *old = *dst;
    if (old && old->refs == 1)
        return old;
    struct know *k = calloc(1, sizeof *k);
    assert(k);
    k->refs = 1;
    for (int i = 0; old && i < KNOW_PARTS; i++)
        k->part[i] = view_ref(old->part[i]);
    know_drop(old);
    return *dst = k;
}

void know_join_part(struct know **dst, enum know_part part, struct view *v)
{
    if (!v || (*dst && (*dst)->part[part] == v))
        return;
    view_join(&know_writable(dst)->part[part], v);
}

void know_join(struct know **dst, struct know *src)
{
    if (!src || *dst == src)
        return;
    if (!*dst) {
        *dst = know_ref(src);
        return;
    }
    for (int i = 0; i < KNOW_PARTS; i++)
        know_join_part(dst, (enum know_part)i, src->part[i]);
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
    know_drop(s->base);
    know_drop(s->extra);
    free(s);
}

void snapshot_join(struct view **dst, const struct snapshot *s, enum know_part part)
{
    if (s->base)
        view_join(dst, s->base->part[part]);
    if (s->extra)
        view_join(dst, s->extra->part[part]);
    if (part != KNOW_CAUSAL)
        return;
    view_add(dst, s->agent, s->uniform);
    if (s->warp_uniform > s->uniform)
        view_add_key(dst, s->agent, view_warp_key(s->thread / 32), s->warp_uniform);
    view_add_key(dst, s->agent, view_thread_key(s->thread), s->time);
}

void snapshot_give(struct know **dst, const struct snapshot *s, bool same_block)
{
    for (int i = 0; i < KNOW_PARTS; i++) {
        enum know_part part = (enum know_part)i;
        if (!same_block && (part == KNOW_SC_CTA || part == KNOW_PEND_CTA))
            continue;
        if (s->base)
            know_join_part(dst, part, s->base->part[part]);
        if (s->extra)
            know_join_part(dst, part, s->extra->part[part]);
    }
    snapshot_join(&know_writable(dst)->part[KNOW_CAUSAL], s, KNOW_CAUSAL);
}
