/**
 * @file readers.c
 * Sets of readers: a tree over warps, and a list of elements for each.
 */
#include "check/race/shadow/readers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/shadow/reader_store.h"

/** Keys that do not agree above the branch's bit are not below it. */
static bool belongs(const struct branch *b, uint64_t key)
{
    return (key ^ b->highest) >> b->bit <= 1;
}

static uint32_t list_of(const struct readers *rs, uint32_t set, uint64_t key)
{
    while (set_is_branch(set)) {
        const struct branch *b = set_branch(rs, set);
        set = !belongs(b, key) ? 0 : key >> b->bit & 1 ? b->high : b->low;
    }
    return set && element_key(&rs->at[set]) == key ? set : 0;
}

/** The set with `list` as the warp's elements. */
static uint32_t with_list(struct readers *rs, uint32_t set, uint64_t key, uint32_t list)
{
    if (!set)
        return list;
    if (set_is_branch(set) && belongs(set_branch(rs, set), key)) {
        struct branch b = *set_branch(rs, set);
        if (key >> b.bit & 1)
            return branch_intern(rs, b.low, with_list(rs, b.high, key, list), b.bit);
        return branch_intern(rs, with_list(rs, b.low, key, list), b.high, b.bit);
    }
    uint64_t other = set_highest(rs, set);
    if (other == key)
        return list;
    uint8_t bit = (uint8_t)(63 - __builtin_clzll(key ^ other));
    return key > other ? branch_intern(rs, set, list, bit) : branch_intern(rs, list, set, bit);
}

/* ---- One warp's elements ---- */

bool reader_mergeable(const struct reader *a, const struct reader *b)
{
    return a->time == b->time && a->flags == b->flags && a->unit == b->unit && a->seq == b->seq &&
           a->site == b->site;
}

/** The elements of `copied`, one behind the other, before `rest`. */
static uint32_t put_before(struct readers *rs, uint32_t rest)
{
    while (rs->copied.count) {
        struct reader r = rs->at[rs->copied.data[--rs->copied.count]];
        r.rest = rest;
        rest = reader_intern(rs, r);
    }
    return rest;
}

/** A copy of the list in which `lanes` is taken out of element `at`, which goes if nothing is left of it. */
static uint32_t without(struct readers *rs, uint32_t list, uint32_t at, uint32_t lanes)
{
    for (; list != at; list = rs->at[list].rest)
        *LIST_PUSH(&rs->copied) = list;
    struct reader r = rs->at[at];
    r.mask &= ~lanes;
    return put_before(rs, r.mask ? reader_intern(rs, r) : r.rest);
}

/** Will nobody ask any more who has observed the write `seq`, an older one than was read now? */
static bool is_unasked(uint32_t seq, struct prune prune)
{
    return prune.how == PRUNE_OLDER || (prune.how == PRUNE_BETWEEN && seq > prune.upto && seq < prune.from);
}

/** Can a read by the same threads as `e` make those of `r` superfluous? */
static bool replaces(const struct reader *e, const struct reader *r, struct prune prune)
{
    return (r->mask & e->mask) && r->flags == e->flags && r->unit == e->unit &&
           r->time <= e->time &&
           (r->seq == e->seq || (r->seq < e->seq && is_unasked(r->seq, prune)));
}

/** Leaves out what `e`, which is about to be added, makes superfluous. */
static uint32_t prune_list(struct readers *rs, uint32_t list, const struct reader *e, struct prune prune)
{
    struct {
        uint32_t at, lanes;
        bool same;
    } old[MAX_REPLACED];
    int n = 0;
    for (uint32_t i = list; i && n < MAX_REPLACED; i = rs->at[i].rest) {
        const struct reader *r = &rs->at[i];
        if (!replaces(e, r, prune))
            continue;
        old[n].at = i;
        old[n].lanes = r->mask & e->mask;
        old[n++].same = r->seq == e->seq;
    }
    /* From the oldest on: of strong reads of this very write each thread's first stays. */
    uint32_t first = 0;
    for (int i = n - 1; i >= 0; i--) {
        uint32_t lanes = old[i].lanes;
        if ((e->flags & EPOCH_STRONG) && old[i].same) {
            lanes &= first;
            first |= old[i].lanes;
        }
        old[i].lanes = lanes;
    }
    for (int i = n - 1; i >= 0; i--) /* what stands before an element is copied, what follows stays */
        if (old[i].lanes) {
            uint32_t before = list;
            list = without(rs, list, old[i].at, old[i].lanes);
            for (int j = i - 1; j >= 0; j--) { /* find the copies of those before it */
                uint32_t a = before, b = list;
                while (a != old[j].at) {
                    a = rs->at[a].rest;
                    b = rs->at[b].rest;
                }
                old[j].at = b;
            }
        }
    return list;
}

static uint32_t list_add(struct readers *rs, uint32_t list, struct reader element, struct prune prune)
{
    for (uint32_t i = list; i; i = rs->at[i].rest) {
        if (!reader_mergeable(&rs->at[i], &element))
            continue;
        if ((rs->at[i].mask & element.mask) == element.mask)
            return list;
        element.mask |= rs->at[i].mask;
        list = without(rs, list, i, UINT32_MAX);
        break;
    }
    if (prune.how != PRUNE_NONE)
        list = prune_list(rs, list, &element, prune);
    element.rest = list;
    return reader_intern(rs, element);
}

/* ---- Sets ---- */

/** Where the cache has, or is to have, what this addition makes; without a result if it is not known. */
static struct added *added_slot(struct readers *rs, uint32_t set, const struct put_off *p)
{
    const struct prune *prune = &p->prune;
    uint64_t hash = mix_in(element_hash(&p->element), set | (uint64_t)p->warps << 32);
    struct added *a = &rs->cache[hash >> 40 & (CACHE_SLOTS - 1)];
    if (a->set != set || a->warps != p->warps || a->prune.how != prune->how || a->prune.upto != prune->upto || a->prune.from != prune->from ||
        !element_same(&a->element, &p->element))
        *a = (struct added){.element = p->element, .set = set, .warps = p->warps, .prune = *prune};
    return a;
}

static uint32_t make_one(struct readers *rs, uint32_t set, const struct reader *element, struct prune prune)
{
    uint64_t key = element_key(element);
    uint32_t old = list_of(rs, set, key), list = list_add(rs, old, *element, prune);
    return list == old ? set : with_list(rs, set, key, list);
}

uint32_t readers_make(struct readers *rs, uint32_t set, const struct put_off *p)
{
    struct reader element = p->element;
    element.rest = 0;
    if (!p->warps)
        return make_one(rs, set, &element, p->prune);
    for (uint32_t m = p->warps; m; m &= m - 1) {
        element.warp = (uint16_t)__builtin_ctz(m);
        set = make_one(rs, set, &element, p->prune);
    }
    return set;
}

/** Words that are read alike come by the cache to one addition. */
static uint32_t add(struct readers *rs, uint32_t set, struct put_off p)
{
    p.element.rest = 0;
    while (rs->outgrown.count)
        free(rs->outgrown.data[--rs->outgrown.count]);
    struct added *known = added_slot(rs, set, &p);
    if (!known->result)
        known->result = readers_put_off(rs, set, &p);
    return known->result;
}

uint32_t readers_add(struct readers *rs, uint32_t set, struct reader element, enum readers_prune prune)
{
    return add(rs, set, (struct put_off){.element = element, .prune = {.how = prune}});
}

uint32_t readers_add_read(struct readers *rs, uint32_t set, struct reader element, uint32_t upto, uint32_t from)
{
    bool any = upto < from && from - upto > 1;
    return add(rs, set, (struct put_off){.element = element, .prune = any ? (struct prune){PRUNE_BETWEEN, upto, from} : (struct prune){.how = PRUNE_SAME}});
}

uint32_t readers_add_warps(struct readers *rs, uint32_t set, struct reader element, uint32_t warps, enum readers_prune prune)
{
    element.warp = 0;
    return add(rs, set, (struct put_off){.element = element, .warps = warps, .prune = {.how = prune}});
}

uint32_t readers_newest(struct readers *rs, uint32_t set)
{
    set = readers_made(rs, set);
    return set_is_branch(set) ? set_branch(rs, set)->seq : rs->at[set].seq;
}

static uint32_t weak_list(struct readers *rs, uint32_t list)
{
    for (uint32_t i = list; i; i = rs->at[i].rest)
        if (!(rs->at[i].flags & EPOCH_STRONG))
            *LIST_PUSH(&rs->copied) = i;
    return put_before(rs, 0);
}

uint32_t readers_weak(struct readers *rs, uint32_t set, uint32_t floor)
{
    set = readers_made(rs, set);
    if (!set || set_highest(rs, set) < reader_key(floor, 0))
        return 0;
    if (!set_is_branch(set))
        return weak_list(rs, set);
    struct branch b = *set_branch(rs, set);
    if (!b.weak)
        return 0;
    if (!(b.kinds & ~rs->weak_kinds) && b.lowest >= reader_key(floor, 0))
        return set; /* all of them are weak, and new enough */
    return branch_intern(rs, readers_weak(rs, b.low, floor), readers_weak(rs, b.high, floor), b.bit);
}

/* ---- Walks ---- */

void readers_walk(struct readers_walk *w, struct readers *rs, uint32_t set)
{
    set = readers_made(rs, set);
    w->rs = rs;
    w->floor = w->seq = w->list = 0;
    w->ceiling = UINT32_MAX;
    w->skip = 0;
    w->wanted = NULL;
    w->depth = set != 0;
    w->pending[0] = set;
}

void readers_walk_warp(struct readers_walk *w, struct readers *rs, uint32_t set, uint32_t agent, uint32_t warp)
{
    readers_walk(w, rs, 0);
    w->list = list_of(rs, readers_made(rs, set), reader_key(agent, warp));
}

static bool is_read_of(const struct reader *r, uint32_t thread, uint32_t seq)
{
    return r->seq == seq && (r->flags & EPOCH_STRONG) && (r->mask >> thread % 32 & 1);
}

bool readers_have_read(const struct readers *rs, uint32_t set, uint32_t agent, uint32_t thread, uint32_t seq)
{
    uint32_t warp = thread / 32;
    for (; set_is_put_off(set); set = rs->put_off[set & ~PUT_OFF].set) {
        const struct put_off *p = &rs->put_off[set & ~PUT_OFF];
        if (p->result) {
            set = p->result;
            break;
        }
        if (p->element.agent == agent && (p->warps ? p->warps >> warp & 1 : p->element.warp == warp) && is_read_of(&p->element, thread, seq))
            return true;
    }
    for (uint32_t i = list_of(rs, set, reader_key(agent, warp)); i; i = rs->at[i].rest)
        if (is_read_of(&rs->at[i], thread, seq))
            return true;
    return false;
}

/** On to the next warp's list. @return false at the end */
static bool next_list(struct readers_walk *w)
{
    while (w->depth) {
        uint32_t set = w->pending[--w->depth];
        uint64_t lowest = set_lowest(w->rs, set), highest = set_highest(w->rs, set);
        if (highest >> 16 < w->floor || lowest >> 16 > w->ceiling)
            continue;
        if (w->wanted && !w->wanted(w->who, (uint32_t)(lowest >> 16), (uint32_t)(highest >> 16), lowest == highest ? (uint32_t)lowest & 0xffff : EVERY_WARP))
            continue;
        if (!set_is_branch(set)) {
            w->list = set;
            return true;
        }
        const struct branch *b = set_branch(w->rs, set);
        if (b->seq < w->seq || !(b->kinds & ~w->skip))
            continue;
        w->pending[w->depth++] = b->low;
        w->pending[w->depth++] = b->high;
    }
    return false;
}

const struct reader *readers_next(struct readers_walk *w)
{
    if (!w->list && !next_list(w))
        return NULL;
    const struct reader *r = &w->rs->at[w->list];
    w->list = r->rest;
    return r;
}

void readers_skip(struct readers_walk *w, const struct reader *r)
{
    w->skip |= reader_kind(w->rs, r) & (OTHER_KINDS - 1);
}

void readers_skip_weak(struct readers_walk *w)
{
    w->skip |= w->rs->weak_kinds;
}

/* ---- Collecting ---- */

bool readers_want_collection(const struct readers *rs)
{
    return (uint64_t)rs->count + rs->branch_count + rs->put_off_count >= rs->collect_at;
}

void readers_collect_begin(struct readers *rs)
{
    struct readers *old = reader_store_checked(malloc(sizeof *old));
    *old = *rs;
    old->copied.data = old->waiting.data = NULL; /* stay here, */
    old->outgrown.data = NULL;
    old->outgrown.count = 0;
    rs->old = old;
    rs->moved = reader_store_checked(calloc(old->count, sizeof *rs->moved));
    rs->moved_branches = reader_store_checked(calloc(old->branch_count, sizeof *rs->moved_branches));
    reader_store_open(rs, old->count / 2, old->branch_count / 2); /* if half of it stays, as where it has grown since the last time, tables do not grow from nothing once more */
}

/** A list may be long: on the way to its end each element comes to point at the one before it, whence the way back leads. */
static uint32_t keep_list(struct readers *rs, uint32_t list)
{
    struct reader *at = rs->old->at;
    uint32_t before = 0, i = list;
    while (i && !rs->moved[i]) {
        uint32_t rest = at[i].rest;
        at[i].rest = before;
        before = i;
        i = rest;
    }
    uint32_t kept = i ? rs->moved[i] : 0;
    while (before) {
        struct reader r = at[before];
        uint32_t next = r.rest;
        r.rest = kept;
        kept = rs->moved[before] = reader_intern(rs, r);
        before = next;
    }
    return kept;
}

uint32_t readers_keep(struct readers *rs, uint32_t set)
{
    if (set_is_put_off(set))
        return readers_keep_put_off(rs, set);
    if (set_is_branch(set)) {
        uint32_t *moved = &rs->moved_branches[set & ~BRANCH];
        if (*moved)
            return *moved;
        const struct branch *b = set_branch(rs->old, set);
        uint32_t low = readers_keep(rs, b->low);
        return *moved = branch_intern(rs, low, readers_keep(rs, b->high), b->bit);
    }
    return keep_list(rs, set);
}

void readers_collect_end(struct readers *rs, uint64_t words)
{
    readers_free(rs->old);
    free(rs->moved);
    free(rs->moved_branches);
    rs->old = NULL;
    rs->collect_at = 2 * ((uint64_t)rs->count + rs->branch_count + rs->put_off_count) + COLLECT_AFTER + words / 8;
}
