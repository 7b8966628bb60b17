/**
 * @file oracle_axioms.c
 * The oracle's relations and axioms, as PTX ISA chapter 8 defines them.
 */
#include <string.h>

#include "oracle_relations.h"

static void close_over(relation r, int count)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < count; i++)
            if (has(r, i, k))
                r[i] |= r[k];
}

static bool is_acyclic(const relation r, int count)
{
    relation all;
    memcpy(all, r, sizeof all);
    close_over(all, count);
    for (int i = 0; i < count; i++)
        if (has(all, i, i))
            return false;
    return true;
}

/* ---- Relations of an execution ---- */

static bool is_memory(const struct event *e)
{
    return e->kind == 'R' || e->kind == 'W';
}

static bool includes(const struct oracle *o, const struct event *e, const struct event *other)
{
    const struct model_place *own = &o->l->place[e->thread], *its = &o->l->place[other->thread];
    return e->s->scope == MODEL_CTA ? own->block == its->block : e->s->scope != MODEL_CLUSTER || own->cluster == its->cluster;
}

void oracle_relate_strong(struct oracle *o)
{
    memset(o->strong, 0, sizeof o->strong);
    FOR(a) FOR(b)
    {
        const struct event *e = &o->event[a], *f = &o->event[b];
        if (a == b || e->thread < 0 || f->thread < 0 || e->kind == 'B' || f->kind == 'B' ||
            (is_memory(e) && is_memory(f) && e->location != f->location) || (e->s && e->s->is_nc) || (f->s && f->s->is_nc))
            continue;
        bool both = (e->kind == 'F' || e->s->strong) && (f->kind == 'F' || f->s->strong) && includes(o, e, f) &&
                    includes(o, f, e);
        if (e->thread == f->thread || both)
            put(o->strong, a, b);
    }
}

void oracle_relate_observation(struct oracle *o)
{
    memset(o->obs, 0, sizeof o->obs);
    FOR(r) if (o->event[r].kind == 'R' && has(o->strong, o->source[r], r)) put(o->obs, o->source[r], r);
    for (bool grew = true; grew;) {
        grew = false;
        FOR(w) FOR(r) FOR(v) FOR(q)
        if (has(o->obs, w, r) && has(o->rmw, r, v) && has(o->obs, v, q) && !has(o->obs, w, q)) {
            put(o->obs, w, q);
            grew = true;
        }
    }
}

/** First and last operations of patterns: a release, or a fence, and then a strong write; a strong read and then an
 *  acquire of the location, or a fence. */
static bool begins_release(const struct oracle *o, int a, int w)
{
    const struct event *e = &o->event[a], *f = &o->event[w];
    if (f->kind != 'W' || f->thread < 0 || !f->s->strong || (a != w && !has(o->po, a, w)))
        return false;
    return e->kind == 'F' || (e->kind == 'W' && e->s->release && e->location == f->location);
}

static bool ends_acquire(const struct oracle *o, int r, int a)
{
    const struct event *e = &o->event[r], *f = &o->event[a];
    if (e->kind != 'R' || e->red || !e->s->strong || (a != r && !has(o->po, r, a)))
        return false;
    return f->kind == 'F' || (f->kind == 'R' && !f->red && f->s->acquire && f->location == e->location);
}

static void relate_causality(struct oracle *o)
{
    memcpy(o->base, o->po, sizeof o->base);
    FOR(w) FOR(r)
    {
        if (!has(o->obs, w, r))
            continue;
        FOR(a) FOR(b)
        if (has(o->strong, a, b) && begins_release(o, a, w) && ends_acquire(o, r, b))
            put(o->base, a, b);
    }
    FOR(a) FOR(b)
    {
        const struct event *e = &o->event[a], *f = &o->event[b];
        if (e->kind == 'B' && f->kind == 'B' && e->thread != f->thread && e->number == f->number &&
            o->l->place[e->thread].block == o->l->place[f->thread].block)
            for (int c = 0; c < o->count; c++)    /* what follows that one in its thread */
                if (has(o->po, b, c))
                    put(o->base, a, c);
    }
    FOR(a) o->base[a] |= o->fence_order[a];
    close_over(o->base, o->count);
    FOR(a)
    {
        o->cause[a] = o->base[a];
        FOR(r) if (has(o->obs, a, r)) o->cause[a] |= o->base[r];
    }
}

/* ---- Axioms ---- */

static bool fences_agree(const struct oracle *o)
{
    FOR(f) FOR(g)
    if (o->event[f].kind == 'F' && o->event[g].kind == 'F' && o->event[f].s->sc && o->event[g].s->sc &&
        has(o->strong, f, g) && has(o->cause, f, g) && !has(o->fence_order, f, g))
        return false;
    return true;
}

bool oracle_out_of_thin_air(const struct oracle *o)
{
    relation all;
    memcpy(all, o->dep, sizeof all);
    FOR(r) if (o->event[r].kind == 'R') put(all, o->source[r], r);
    return !is_acyclic(all, o->count);
}

/** The axioms do not speak of loads that are not coherent (8.1); but these see no store that they come before. */
static bool is_at(const struct event *e, int location)
{
    return is_memory(e) && e->location == location && !(e->s && e->s->is_nc);
}

/** Atomicity, SC per location, causality at one location. */
static bool location_allows(const struct oracle *o, int location, const relation co)
{
    relation fr = {0}, per_location = {0};
    FOR(r) if (o->event[r].kind == 'R' && o->event[r].location == location) fr[r] = co[o->source[r]];
    FOR(a)
    {
        const struct event *e = &o->event[a];
        if (!is_at(e, location))
            continue;
        uint64_t rf = 0;
        FOR(b)
        {
            const struct event *f = &o->event[b];
            if (!is_at(f, location))
                continue;
            if (f->kind == 'R' && o->source[b] == a)
                rf |= 1ull << b;
            if (has(o->po, a, b))
                put(per_location, a, b);
            if (has(o->rmw, a, b))
                FOR(w) if (has(fr, a, w) && has(o->strong, a, w) && has(co, w, b) && has(o->strong, w, b)) return false;
        }
        per_location[a] |= (rf | co[a] | fr[a]) & o->strong[a];
        FOR(b) if (((rf | fr[a]) >> b & 1) && has(o->cause, b, a)) return false;
    }
    return is_acyclic(per_location, o->count);
}

/** Every coherence order of a location: the writes that may be its last, as bits. */
static uint64_t last_writes(struct oracle *o, int location, relation co)
{
    uint64_t last = 0;
    close_over(co, o->count);
    FOR(w) if (has(co, w, w)) return 0;
    FOR(v) FOR(w)
    {
        if (v >= w || !is_write_to(o, v, location) || !is_write_to(o, w, location) || !has(o->strong, v, w) ||
            has(co, v, w) || has(co, w, v))
            continue;
        relation next;
        memcpy(next, co, sizeof next);
        put(next, v, w);
        last |= last_writes(o, location, next);
        memcpy(next, co, sizeof next);
        put(next, w, v);
        return last | last_writes(o, location, next);
    }
    if (!location_allows(o, location, co))
        return 0;
    FOR(w) if (is_write_to(o, w, location) && !co[w]) last |= 1ull << w;
    return last;
}

static void tell_finals(struct oracle *o, const uint64_t last[4], int location, uint64_t *final)
{
    if (location == 4) {
        memcpy(final + FIRST_REGISTER, o->reg, sizeof o->reg);
        litmus_add(&o->lines, o->l, final, false);
        return;
    }
    FOR(w) if (last[location] >> w & 1)
    {
        final[location] = o->event[w].value;
        tell_finals(o, last, location + 1, final);
    }
}

void oracle_judge(struct oracle *o)
{
    uint64_t last[4], final[FIRST_REGISTER + LITMUS_REGISTERS] = {0};
    relate_causality(o);
    FOR(r) if (o->event[r].kind == 'R' && o->event[r].s->is_nc && has(o->cause, r, o->source[r])) return;
    if (!fences_agree(o))
        return;
    for (int x = 0; x < 4; x++) {
        relation co = {0};
        FOR(v) FOR(w)
        if (v != w && is_write_to(o, v, x) && is_write_to(o, w, x) && (o->event[v].thread < 0 || has(o->cause, v, w)))
            put(co, v, w);
        FOR(w) if (is_write_to(o, w, x) && has(o->cause, w, w)) return;
        last[x] = last_writes(o, x, co);
        if (!last[x])
            return;
    }
    tell_finals(o, last, 0, final);
}
