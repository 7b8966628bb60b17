/**
 * @file vector_clock.c
 * Vector clocks as sorted arrays of agents; a vector clock that nobody else refers to is changed in place.
 */
#include "check/race/clock/vector_clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define COVERED 8

/** Times of single threads and warps of one agent, sorted by key. */
struct fine {
    uint32_t refs, count, cap;
    uint64_t state;          /**< a number for these times: no others ever had it */
    uint64_t covered[COVERED]; /**< of others, states that are known to hold nothing later, the latest first */
    struct {
        uint32_t key, time;
    } at[];
};

static _Atomic uint64_t last_state; /**< 0 is nobody's */

struct entry {
    uint32_t agent, time;
    struct fine *fine; /**< NULL if the block's time says it all */
};

struct vector_clock {
    uint32_t refs, count, cap;
    struct entry at[];
};

static void *checked(void *p)
{
    assert(p);
    return p;
}

struct vector_clock *clock_ref(struct vector_clock *v)
{
    if (v)
        v->refs++;
    return v;
}

static void fine_drop(struct fine *f)
{
    if (f && --f->refs == 0)
        free(f);
}

void clock_drop(struct vector_clock *v)
{
    if (!v || --v->refs > 0)
        return;
    for (uint32_t i = 0; i < v->count; i++)
        fine_drop(v->at[i].fine);
    free(v);
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

static uint32_t fine_find(const struct fine *f, uint32_t key)
{
    uint32_t lo = 0, hi = f->count;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (f->at[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t fine_time(const struct fine *f, uint32_t key)
{
    uint32_t i = fine_find(f, key);
    return i < f->count && f->at[i].key == key ? f->at[i].time : 0;
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
            v->cap = need + need / 2;
            v = *dst = checked(realloc(v, sizeof *v + v->cap * sizeof *v->at));
        }
        return v;
    }
    uint32_t cap = need + need / 4;
    struct vector_clock *copy = checked(malloc(sizeof *copy + cap * sizeof *copy->at));
    *copy = (struct vector_clock){.refs = 1, .count = count, .cap = cap};
    for (uint32_t i = 0; i < count; i++) {
        copy->at[i] = v->at[i];
        if (copy->at[i].fine)
            copy->at[i].fine->refs++;
    }
    clock_drop(v);
    return *dst = copy;
}

static void note_covered(struct fine *f, uint64_t state)
{
    memmove(&f->covered[1], &f->covered[0], (COVERED - 1) * sizeof *f->covered);
    f->covered[0] = state;
}

static bool known_covered(const struct fine *f, uint64_t state)
{
    int i = 0;
    while (i < COVERED && f->covered[i] != state)
        i++;
    return i < COVERED;
}

/** For a change: *f, or a copy where others hold it; times only grow, so what it covers stays covered. */
static struct fine *fine_writable(struct fine *f, uint32_t extra)
{
    uint32_t count = f ? f->count : 0, need = count + extra;
    if (f && f->refs == 1) {
        if (need > f->cap) {
            f->cap = need + need / 2;
            f = checked(realloc(f, sizeof *f + f->cap * sizeof *f->at));
        }
        f->state = ++last_state;
        return f;
    }
    uint32_t cap = need + need / 4;
    struct fine *copy = checked(malloc(sizeof *copy + cap * sizeof *copy->at));
    *copy = (struct fine){.refs = 1, .count = count, .cap = cap, .state = ++last_state};
    for (uint32_t i = 0; i < count; i++)
        copy->at[i] = f->at[i];
    for (int i = 1; f && i < COVERED; i++)
        copy->covered[i] = f->covered[i - 1];
    copy->covered[0] = f ? f->state : 0;
    fine_drop(f);
    return copy;
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

void clock_add(struct vector_clock **dst, uint32_t agent, uint32_t time)
{
    const struct entry *old = peek(*dst, agent);
    if (time == 0 || (old && old->time >= time))
        return;
    struct entry *e = entry_of(dst, agent);
    e->time = time;
}

static void fine_add(struct fine **dst, uint32_t key, uint32_t time)
{
    if (*dst && fine_time(*dst, key) >= time)
        return;
    struct fine *f = *dst = fine_writable(*dst, 1);
    uint32_t i = fine_find(f, key);
    if (i == f->count || f->at[i].key != key) {
        memmove(&f->at[i + 1], &f->at[i], (f->count - i) * sizeof *f->at);
        f->count++;
        f->at[i].key = key;
    }
    f->at[i].time = time;
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
}

/** Are most entries of the smaller of two arrays, which has `small`, in both? Then they are gone through side by side. */
static bool side_by_side(uint32_t big, uint32_t small)
{
    return small >= big / 8;
}

/** How many times from the first on are of the same keys in both, and no later in `small`; whole runs of eight. */
static uint32_t same_keys(const struct fine *big, const struct fine *small)
{
    uint32_t i = 0;
    for (; i + 8 <= small->count; i += 8) {
        uint32_t differs = 0;
        for (uint32_t k = i; k < i + 8; k++)
            differs |= (big->at[k].key ^ small->at[k].key) | (big->at[k].time < small->at[k].time);
        if (differs)
            break;
    }
    return i;
}

static bool holds(const struct fine *big, const struct fine *small)
{
    uint32_t at = same_keys(big, small);
    for (uint32_t i = at; i < small->count; i++, at++) {
        uint32_t key = small->at[i].key;
        if (!side_by_side(big->count, small->count))
            at = fine_find(big, key);
        while (at < big->count && big->at[at].key < key)
            at++;
        if (at == big->count || big->at[at].key != key || big->at[at].time < small->at[i].time)
            return false;
    }
    return true;
}

/** Has `big` all times of `small`, or later ones? What was found once is kept: the same two meet again and again. */
static bool fine_covers(struct fine *big, const struct fine *small)
{
    if (!small || big == small)
        return true;
    if (!big || small->count > big->count)
        return false;
    if (known_covered(big, small->state))
        return true;
    if (!holds(big, small))
        return false;
    note_covered(big, small->state);
    return true;
}

static bool covers(const struct vector_clock *big, const struct vector_clock *small)
{
    uint32_t at = 0;
    if (small->count > big->count)
        return false;
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

/** The later time of each key. */
static struct fine *fine_merge(const struct fine *a, const struct fine *b)
{
    struct fine *f = fine_writable(NULL, a->count + b->count);
    note_covered(f, a->state);
    note_covered(f, b->state);
    for (uint32_t i = 0, j = 0; i < a->count || j < b->count; f->count++) {
        bool from_a = j == b->count || (i < a->count && a->at[i].key <= b->at[j].key);
        bool from_b = i == a->count || (j < b->count && b->at[j].key <= a->at[i].key);
        f->at[f->count] = from_a ? a->at[i] : b->at[j];
        if (from_a && from_b && b->at[j].time > a->at[i].time)
            f->at[f->count].time = b->at[j].time;
        i += from_a;
        j += from_b;
    }
    return f;
}

static void fine_join(struct fine **dst, struct fine *src)
{
    struct fine *old = *dst;
    if (!src || old == src)
        return;
    if (!old || fine_covers(src, old)) {
        src->refs++;
        *dst = src;
        fine_drop(old);
    } else if (!side_by_side(old->count, src->count)) {
        for (uint32_t i = 0; i < src->count; i++)
            fine_add(dst, src->at[i].key, src->at[i].time);
        note_covered(*dst, src->state);
    } else if (!fine_covers(old, src)) {
        *dst = fine_merge(old, src);
        fine_drop(old);
    }
}

/** Both large: one pass that merges the two sorted arrays into a new vector clock. */
static void merge(struct vector_clock **dst, const struct vector_clock *src)
{
    struct vector_clock *old = *dst;
    uint32_t cap = old->count + src->count, i = 0, j = 0;
    struct vector_clock *v = checked(malloc(sizeof *v + cap * sizeof *v->at));
    *v = (struct vector_clock){.refs = 1, .cap = cap};
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

void clock_join(struct vector_clock **dst, struct vector_clock *src)
{
    struct vector_clock *v = *dst;
    if (!src || v == src)
        return;
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
    for (uint32_t i = 0; i < src->count; i++) {
        struct entry *e = entry_of(dst, src->at[i].agent);
        if (src->at[i].time > e->time)
            e->time = src->at[i].time;
        fine_join(&e->fine, src->at[i].fine);
    }
}
