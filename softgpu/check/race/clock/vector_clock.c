/**
 * @file vector_clock.c
 * Vector clocks as sorted arrays of agents; a vector clock that nobody else refers to is changed in place.
 */
#include "check/race/clock/vector_clock.h"

#include <string.h>

#include "check/race/clock/fine_times.h"
#include "check/race/clock/rooms.h"

struct entry {
    uint32_t agent, time;
    struct fine *fine; /**< NULL if the block's time says it all */
};

struct vector_clock {
    uint32_t refs, count, cap;
    struct lineage lineage;
    struct entry at[];
};

static size_t bytes_of(uint32_t cap)
{
    return sizeof(struct vector_clock) + cap * sizeof(struct entry);
}

struct vector_clock *clock_ref(struct vector_clock *v)
{
    if (v)
        v->refs++;
    return v;
}

void clock_drop(struct vector_clock *v)
{
    if (!v || --v->refs > 0)
        return;
    for (uint32_t i = 0; i < v->count; i++)
        fine_drop(v->at[i].fine);
    room_drop(v, bytes_of(v->cap));
}

/** Index of the first entry whose agent is not below `agent`. */
static uint32_t find(const struct vector_clock *v, uint32_t agent)
{
    uint32_t lo = 0, hi = v->count;
    if (hi && v->at[hi - 1].agent < agent)
        return hi;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (v->at[mid].agent < agent)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t clock_time(const struct vector_clock *v, uint32_t agent, uint32_t thread, uint32_t *uniform)
{
    *uniform = 0;
    if (!v)
        return 0;
    uint32_t i = find(v, agent);
    if (i == v->count || v->at[i].agent != agent)
        return 0;
    const struct entry *e = &v->at[i];
    uint32_t best = 0;
    *uniform = e->time;
    if (e->fine) {
        uint32_t own = fine_time(e->fine, clock_thread_key(thread));
        uint32_t warp = fine_time(e->fine, clock_warp_key(thread / 32));
        best = own > warp ? own : warp;
    }
    return best;
}

/** Makes *dst a vector clock of our own with room for `extra` more entries. */
static struct vector_clock *writable(struct vector_clock **dst, uint32_t extra)
{
    struct vector_clock *v = *dst;
    uint32_t count = v ? v->count : 0, need = count + extra;
    if (v && v->refs == 1) {
        if (need > v->cap) {
            uint32_t had = v->cap;
            v = *dst = room_grow(v, bytes_of(had), bytes_of(need + need / 2));
            v->cap = need + need / 2;
        }
        return v;
    }
    uint32_t cap = need + need / 4;
    struct vector_clock *copy = room_new(bytes_of(cap));
    *copy = (struct vector_clock){.refs = 1, .count = count, .cap = cap};
    lineage_of_both(&copy->lineage, v ? &v->lineage : NULL, NULL);
    for (uint32_t i = 0; i < count; i++) {
        copy->at[i] = v->at[i];
        if (copy->at[i].fine)
            copy->at[i].fine->refs++;
    }
    clock_drop(v);
    return *dst = copy;
}

/** The entry of `agent` in a writable vector clock, made if missing. */
static struct entry *entry_of(struct vector_clock **dst, uint32_t agent)
{
    struct vector_clock *v = writable(dst, 1);
    uint32_t i = find(v, agent);
    if (i < v->count && v->at[i].agent == agent)
        return &v->at[i];
    memmove(&v->at[i + 1], &v->at[i], (v->count - i) * sizeof *v->at);
    v->count++;
    v->at[i] = (struct entry){.agent = agent};
    return &v->at[i];
}

static const struct entry *peek(const struct vector_clock *v, uint32_t agent)
{
    uint32_t i = v ? find(v, agent) : 0;
    return v && i < v->count && v->at[i].agent == agent ? &v->at[i] : NULL;
}

bool clock_has(const struct vector_clock *v, uint32_t agent)
{
    return peek(v, agent) != NULL;
}

bool clock_has_between(const struct vector_clock *v, uint32_t first, uint32_t last)
{
    uint32_t i = v ? find(v, first) : 0;
    return v && i < v->count && v->at[i].agent <= last;
}

bool clock_has_warp(const struct vector_clock *v, uint32_t agent, uint32_t warp)
{
    const struct entry *e = peek(v, agent);
    return e && (e->time || (e->fine && (fine_time(e->fine, clock_warp_key(warp)) || fine_has_between(e->fine, clock_thread_key(warp * 32), clock_thread_key(warp * 32 + 31)))));
}

void clock_add(struct vector_clock **dst, uint32_t agent, uint32_t time)
{
    const struct entry *old = peek(*dst, agent);
    if (time == 0 || (old && old->time >= time))
        return;
    struct entry *e = entry_of(dst, agent);
    e->time = time;
    lineage_add(&(*dst)->lineage, (struct lineage_time){agent, CLOCK_EVERY_KEY, time});
}

/* A fine time at or below the block's time still counts: the block's time does not speak for
 * threads that left before the barrier that set it. */
void clock_add_key(struct vector_clock **dst, uint32_t agent, uint32_t key, uint32_t time)
{
    const struct entry *old = peek(*dst, agent);
    if (time == 0 || (old && old->fine && fine_time(old->fine, key) >= time))
        return;
    struct entry *e = entry_of(dst, agent);
    fine_add(&e->fine, key, time);
    lineage_add(&(*dst)->lineage, (struct lineage_time){agent, key, time});
}

void clock_settle(struct vector_clock **dst, uint32_t agent, uint32_t threads)
{
    const struct entry *old = peek(*dst, agent);
    uint32_t time = old ? fine_all(old->fine, threads) : 0;
    if (!time)
        return;
    struct entry *e = entry_of(dst, agent);
    e->time = time > e->time ? time : e->time;
    fine_leave_later(&e->fine, e->time);
    lineage_add(&(*dst)->lineage, (struct lineage_time){agent, CLOCK_EVERY_KEY, e->time});
}

static bool clock_known(const struct vector_clock *big, const struct lineage *small)
{
    if (!lineage_knows_parts(&big->lineage, small))
        return false;
    for (uint32_t i = 0; i < small->count; i++) {
        const struct lineage_time *t = &small->more[i];
        const struct entry *e = peek(big, t->agent);
        if (!e || (t->key == CLOCK_EVERY_KEY ? e->time : e->fine ? fine_time(e->fine, t->key) : 0) < t->time)
            return false;
    }
    return true;
}

static bool holds_all(const struct vector_clock *big, const struct vector_clock *small)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < small->count; i++, at++) {
        const struct entry *s = &small->at[i], *b;
        if (side_by_side(big->count, small->count)) {
            while (at < big->count && big->at[at].agent < s->agent)
                at++;
        } else {
            at = find(big, s->agent);
        }
        b = &big->at[at];
        if (at == big->count || b->agent != s->agent || b->time < s->time || !fine_covers(b->fine, s->fine))
            return false;
    }
    return true;
}

static bool covers(struct vector_clock *big, const struct vector_clock *small)
{
    if (small->count > big->count)
        return false;
    if (lineage_knows(&big->lineage, small->lineage.number))
        return true;
    if (!clock_known(big, &small->lineage) && !holds_all(big, small))
        return false;
    lineage_note(&big->lineage, small->lineage.number);
    return true;
}

void clock_compare(struct vector_clock *big, const struct vector_clock *small)
{
    if (big && small && big != small)
        covers(big, small);
}

void clock_later(const struct vector_clock *v, struct vector_clock *than, void (*told)(void *self, uint32_t agent, uint32_t key, uint32_t time), void *self)
{
    if (!v || v == than || (than && covers(than, v)))
        return;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct entry *e = &v->at[i], *old = peek(than, e->agent);
        if (e->time > (old ? old->time : 0))
            told(self, e->agent, CLOCK_EVERY_KEY, e->time);
        struct fine *less = old ? old->fine : NULL;
        if (fine_covers(less, e->fine))
            continue;
        for (uint32_t k = 0; k < e->fine->count; k++)
            if (!less || fine_time(less, e->fine->at[k].key) < e->fine->at[k].time)
                told(self, e->agent, e->fine->at[k].key, e->fine->at[k].time);
    }
}

/** Both large: one pass that merges the two sorted arrays into a new vector clock. */
static void merge(struct vector_clock **dst, const struct vector_clock *src)
{
    struct vector_clock *old = *dst;
    uint32_t cap = old->count + src->count, i = 0, j = 0;
    struct vector_clock *v = room_new(bytes_of(cap));
    *v = (struct vector_clock){.refs = 1, .cap = cap};
    lineage_of_both(&v->lineage, &old->lineage, &src->lineage);
    while (i < old->count || j < src->count) {
        struct entry e;
        if (j == src->count || (i < old->count && old->at[i].agent < src->at[j].agent)) {
            e = old->at[i++];
            if (e.fine)
                e.fine->refs++;
        } else if (i == old->count || src->at[j].agent < old->at[i].agent) {
            e = src->at[j++];
            if (e.fine)
                e.fine->refs++;
        } else {
            e = old->at[i];
            if (e.fine)
                e.fine->refs++;
            if (src->at[j].time > e.time)
                e.time = src->at[j].time;
            fine_join(&e.fine, src->at[j].fine);
            i++, j++;
        }
        v->at[v->count++] = e;
    }
    clock_drop(old);
    *dst = v;
}

/** Is it known, without a look at all of both, that `big` covers `small`? */
static bool covers_by_lineage(const struct vector_clock *big, const struct vector_clock *small)
{
    return lineage_knows(&big->lineage, small->lineage.number) || clock_known(big, &small->lineage);
}

/** All of `src` is in *dst already, but for the few times that were added to it last: these are all that is added. */
static void add_last(struct vector_clock **dst, const struct lineage *src)
{
    for (uint32_t i = 0; i < src->count; i++) {
        const struct lineage_time *t = &src->more[i];
        if (t->key == CLOCK_EVERY_KEY)
            clock_add(dst, t->agent, t->time);
        else
            clock_add_key(dst, t->agent, t->key, t->time);
    }
}

void clock_join(struct vector_clock **dst, struct vector_clock *src)
{
    struct vector_clock *v = *dst;
    if (!src || v == src)
        return;
    if (v && v->refs == 1 && lineage_knows_parts(&v->lineage, &src->lineage) && !covers_by_lineage(src, v)) {
        add_last(dst, &src->lineage);
        return;
    }
    if (!v || (src->count >= v->count && covers(src, v))) {
        clock_drop(v);
        *dst = clock_ref(src);
        return;
    }
    if (covers(v, src))
        return;
    if (src->count > 8) {
        merge(dst, src);
        return;
    }
    struct lineage before = v->lineage;
    for (uint32_t i = 0; i < src->count; i++) {
        struct entry *e = entry_of(dst, src->at[i].agent);
        if (src->at[i].time > e->time)
            e->time = src->at[i].time;
        fine_join(&e->fine, src->at[i].fine);
    }
    lineage_of_both(&(*dst)->lineage, &before, &src->lineage);
}
