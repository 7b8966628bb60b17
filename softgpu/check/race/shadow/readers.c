/**
 * @file readers.c
 * The store of interned sets: an array of elements, an array of branches, a hash table over each, and the cache
 * of what was added to what.
 */
#include "check/race/shadow/readers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

#define MAX_KEPT (1u << 26)      /* elements, and branches: 2 GB each */
#define COLLECT_AFTER (3u << 20) /* elements and branches */
#define BRANCH 0x80000000u       /* marks the number of a branch */
#define MIXED 0                  /* kind of a branch whose elements differ in kind */
#define CACHE_SLOTS 32768
#define MAX_REPLACED 64          /* elements of one warp looked at for one to leave out */

/** Two sets of warps whose keys first differ, from the top, in bit `bit`. */
struct branch {
    uint32_t low, high;          /**< warps with that bit 0, and 1 */
    uint64_t highest, lowest;    /**< keys in it */
    uint32_t seq;                /**< the highest in it */
    uint16_t kind;               /**< reader_kind() of all elements, or MIXED */
    uint8_t bit;
    bool weak;                   /**< some element is not strong */
};

/** Numbers of things in an array, found by their hash; 0 is free. */
struct table {
    uint32_t *at;
    uint32_t mask, count;
};

struct added {
    struct reader element;
    uint32_t set, result;
    enum readers_prune prune;
};

struct readers {
    struct reader *at;           /* at[0] is unused: set 0 is empty */
    struct branch *branches;     /* likewise */
    uint32_t count, cap, branch_count, branch_cap;
    struct table elements, joins;
    struct added *cache;
    uint64_t collect_at;         /* elements and branches */
    struct readers *old;         /* while collecting: what is copied from */
    uint32_t *moved, *moved_branches;
    bool overflowed;
};

static void *checked(void *p)
{
    assert(p);
    return p;
}

static void store_open(struct readers *rs)
{
    rs->count = rs->branch_count = 1;
    rs->cap = rs->branch_cap = 256;
    rs->at = checked(calloc(rs->cap, sizeof *rs->at));
    rs->branches = checked(calloc(rs->branch_cap, sizeof *rs->branches));
    rs->elements = rs->joins = (struct table){.mask = 1023};
    rs->elements.at = checked(calloc(1024, sizeof *rs->elements.at));
    rs->joins.at = checked(calloc(1024, sizeof *rs->joins.at));
    rs->cache = checked(calloc(CACHE_SLOTS, sizeof *rs->cache));
}

struct readers *readers_new(void)
{
    struct readers *rs = checked(calloc(1, sizeof *rs));
    store_open(rs);
    rs->collect_at = COLLECT_AFTER;
    return rs;
}

void readers_free(struct readers *rs)
{
    if (!rs)
        return;
    free(rs->at);
    free(rs->branches);
    free(rs->elements.at);
    free(rs->joins.at);
    free(rs->cache);
    free(rs);
}

bool readers_overflowed(const struct readers *rs)
{
    return rs->overflowed;
}

/* ---- Interning ---- */

static uint64_t hash_element(const struct reader *r)
{
    uint64_t h = mix_in(mix_in(mix_in(0, r->rest), r->agent), r->time);
    h = mix_in(h, r->mask ^ (uint64_t)r->warp << 32);
    return mix_in(h, r->site ^ (uint64_t)r->seq << 32);
}

static uint64_t hash_branch(const struct branch *b)
{
    return mix_in(mix_in(0, b->low), b->high);
}

static bool same_element(const struct reader *a, const struct reader *b)
{
    return a->rest == b->rest && a->agent == b->agent && a->time == b->time && a->mask == b->mask &&
           a->warp == b->warp && a->site == b->site && a->seq == b->seq && a->flags == b->flags &&
           a->unit == b->unit;
}

static uint32_t slot_of(uint64_t hash, const struct table *t)
{
    return (uint32_t)(hash >> 32) & t->mask;
}

/** Room for one more; the hash of number i is to be had from `rs`. */
static void table_grow(const struct readers *rs, struct table *t)
{
    if (++t->count * 2 <= t->mask)
        return;
    struct table wide = {.mask = t->mask * 2 + 1, .count = t->count};
    wide.at = checked(calloc((size_t)wide.mask + 1, sizeof *wide.at));
    for (uint32_t i = 1; i <= t->count; i++) {
        uint64_t hash = t == &rs->joins ? hash_branch(&rs->branches[i]) : hash_element(&rs->at[i]);
        uint32_t h = slot_of(hash, &wide);
        while (wide.at[h])
            h = (h + 1) & wide.mask;
        wide.at[h] = i;
    }
    free(t->at);
    *t = wide;
}

static uint32_t intern(struct readers *rs, struct reader r)
{
    uint32_t h = slot_of(hash_element(&r), &rs->elements);
    for (; rs->elements.at[h]; h = (h + 1) & rs->elements.mask)
        if (same_element(&rs->at[rs->elements.at[h]], &r))
            return rs->elements.at[h];
    if (rs->count >= MAX_KEPT) { /* too much to remember: say so */
        rs->overflowed = true;
        return r.rest;
    }
    if (rs->count == rs->cap) {
        rs->cap *= 2;
        rs->at = checked(realloc(rs->at, rs->cap * sizeof *rs->at));
    }
    rs->at[rs->count] = r;
    rs->elements.at[h] = rs->count++;
    table_grow(rs, &rs->elements);
    return rs->count - 1;
}

/* ---- Branches ---- */

static bool is_branch(uint32_t set)
{
    return set & BRANCH;
}

static const struct branch *branch_at(const struct readers *rs, uint32_t set)
{
    return &rs->branches[set & ~BRANCH];
}

static uint64_t key_of(uint32_t agent, uint32_t warp)
{
    return (uint64_t)agent << 16 | warp;
}

static uint64_t element_key(const struct reader *r)
{
    return key_of(r->agent, r->warp);
}

static uint64_t highest(const struct readers *rs, uint32_t set)
{
    return is_branch(set) ? branch_at(rs, set)->highest : element_key(&rs->at[set]);
}

static uint64_t lowest(const struct readers *rs, uint32_t set)
{
    return is_branch(set) ? branch_at(rs, set)->lowest : element_key(&rs->at[set]);
}

/** Adds to a branch's summary what stands below it. */
static void summarize(const struct readers *rs, struct branch *b, uint32_t below)
{
    struct branch s = {0};
    if (is_branch(below)) {
        s = *branch_at(rs, below);
    } else {
        s.kind = reader_kind(&rs->at[below]);
        for (uint32_t i = below; i; i = rs->at[i].rest) {
            const struct reader *r = &rs->at[i];
            s.kind = reader_kind(r) == s.kind ? s.kind : MIXED;
            s.seq = r->seq > s.seq ? r->seq : s.seq;
            s.weak |= !(r->flags & EPOCH_STRONG);
        }
    }
    b->kind = below == b->low || b->kind == s.kind ? s.kind : MIXED;
    b->seq = s.seq > b->seq ? s.seq : b->seq;
    b->weak |= s.weak;
}

static uint32_t branch_intern(struct readers *rs, uint32_t low, uint32_t high, uint8_t bit)
{
    if (!low || !high)
        return low | high;
    struct branch b = {.low = low, .high = high, .bit = bit, .highest = highest(rs, high),
                       .lowest = lowest(rs, low)};
    uint32_t h = slot_of(hash_branch(&b), &rs->joins);
    for (; rs->joins.at[h]; h = (h + 1) & rs->joins.mask)
        if (rs->branches[rs->joins.at[h]].low == low && rs->branches[rs->joins.at[h]].high == high)
            return rs->joins.at[h] | BRANCH;
    if (rs->branch_count >= MAX_KEPT) {
        rs->overflowed = true;
        return high;
    }
    summarize(rs, &b, low);
    summarize(rs, &b, high);
    if (rs->branch_count == rs->branch_cap) {
        rs->branch_cap *= 2;
        rs->branches = checked(realloc(rs->branches, rs->branch_cap * sizeof *rs->branches));
    }
    rs->branches[rs->branch_count] = b;
    rs->joins.at[h] = rs->branch_count++;
    table_grow(rs, &rs->joins);
    return (rs->branch_count - 1) | BRANCH;
}

/** Keys that do not agree above the branch's bit are not below it. */
static bool belongs(const struct branch *b, uint64_t key)
{
    return (key ^ b->highest) >> b->bit <= 1;
}

static uint32_t list_of(const struct readers *rs, uint32_t set, uint64_t key)
{
    while (is_branch(set)) {
        const struct branch *b = branch_at(rs, set);
        set = !belongs(b, key) ? 0 : key >> b->bit & 1 ? b->high : b->low;
    }
    return set && element_key(&rs->at[set]) == key ? set : 0;
}

/** The set with `list` as the warp's elements. */
static uint32_t with_list(struct readers *rs, uint32_t set, uint64_t key, uint32_t list)
{
    if (!set)
        return list;
    if (is_branch(set) && belongs(branch_at(rs, set), key)) {
        struct branch b = *branch_at(rs, set);
        if (key >> b.bit & 1)
            return branch_intern(rs, b.low, with_list(rs, b.high, key, list), b.bit);
        return branch_intern(rs, with_list(rs, b.low, key, list), b.high, b.bit);
    }
    uint64_t other = highest(rs, set);
    if (other == key)
        return list;
    uint8_t bit = (uint8_t)(63 - __builtin_clzll(key ^ other));
    return key > other ? branch_intern(rs, set, list, bit) : branch_intern(rs, list, set, bit);
}

/* ---- One warp's elements ---- */

/** May `b` take up `a`? Same time, same kind of access from the same line. */
static bool mergeable(const struct reader *a, const struct reader *b)
{
    return a->time == b->time && a->flags == b->flags && a->unit == b->unit && a->seq == b->seq &&
           a->site == b->site;
}

/** A copy of the list in which `lanes` is taken out of element `at`, which goes if nothing is left of it. */
static uint32_t without(struct readers *rs, uint32_t list, uint32_t at, uint32_t lanes)
{
    struct reader r = rs->at[list];
    if (list == at) {
        r.mask &= ~lanes;
        return r.mask ? intern(rs, r) : r.rest;
    }
    r.rest = without(rs, r.rest, at, lanes);
    return intern(rs, r);
}

/** Can a read by the same threads as `e` make those of `r` superfluous? */
static bool replaces(const struct reader *e, const struct reader *r, enum readers_prune prune)
{
    return (r->mask & e->mask) && r->flags == e->flags && r->unit == e->unit &&
           r->time <= e->time &&
           (r->seq == e->seq || (prune == PRUNE_OLDER && r->seq < e->seq));
}

/** Leaves out what `e`, which is about to be added, makes superfluous. */
static uint32_t prune_list(struct readers *rs, uint32_t list, const struct reader *e, enum readers_prune prune)
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

static uint32_t list_add(struct readers *rs, uint32_t list, struct reader element, enum readers_prune prune)
{
    for (uint32_t i = list; i; i = rs->at[i].rest) {
        if (!mergeable(&rs->at[i], &element))
            continue;
        if ((rs->at[i].mask & element.mask) == element.mask)
            return list;
        element.mask |= rs->at[i].mask;
        list = without(rs, list, i, UINT32_MAX);
        break;
    }
    if (prune != PRUNE_NONE)
        list = prune_list(rs, list, &element, prune);
    element.rest = list;
    return intern(rs, element);
}

/* ---- Sets ---- */

uint32_t readers_add(struct readers *rs, uint32_t set, struct reader element, enum readers_prune prune)
{
    element.rest = 0;
    uint64_t hash = mix_in(hash_element(&element), set);
    struct added *known = &rs->cache[hash >> 40 & (CACHE_SLOTS - 1)];
    if (known->set == set && known->prune == prune && known->result &&
        same_element(&known->element, &element))
        return known->result;
    uint64_t key = element_key(&element);
    uint32_t old = list_of(rs, set, key);
    uint32_t list = list_add(rs, old, element, prune);
    uint32_t result = list == old ? set : with_list(rs, set, key, list);
    *known = (struct added){.element = element, .set = set, .result = result, .prune = prune};
    return result;
}

static uint32_t weak_list(struct readers *rs, uint32_t list)
{
    if (!list)
        return 0;
    struct reader r = rs->at[list];
    uint32_t rest = weak_list(rs, r.rest);
    if (r.flags & EPOCH_STRONG)
        return rest;
    r.rest = rest;
    return intern(rs, r);
}

uint32_t readers_weak(struct readers *rs, uint32_t set, uint32_t floor)
{
    if (!set || highest(rs, set) < key_of(floor, 0))
        return 0;
    if (!is_branch(set))
        return weak_list(rs, set);
    struct branch b = *branch_at(rs, set);
    if (!b.weak)
        return 0;
    if (b.kind != MIXED && b.lowest >= key_of(floor, 0))
        return set; /* all of them are weak, and new enough */
    return branch_intern(rs, readers_weak(rs, b.low, floor), readers_weak(rs, b.high, floor), b.bit);
}

/* ---- Walks ---- */

void readers_walk(struct readers_walk *w, const struct readers *rs, uint32_t set)
{
    w->rs = rs;
    w->floor = w->seq = w->list = 0;
    w->ceiling = UINT32_MAX;
    w->skip = 0;
    w->depth = set != 0;
    w->pending[0] = set;
}

void readers_walk_warp(struct readers_walk *w, const struct readers *rs, uint32_t set, uint32_t agent,
                       uint32_t warp)
{
    readers_walk(w, rs, 0);
    w->list = list_of(rs, set, key_of(agent, warp));
}

/** On to the next warp's list. @return false at the end */
static bool next_list(struct readers_walk *w)
{
    while (w->depth) {
        uint32_t set = w->pending[--w->depth];
        if (highest(w->rs, set) >> 16 < w->floor || lowest(w->rs, set) >> 16 > w->ceiling)
            continue;
        if (!is_branch(set)) {
            w->list = set;
            return true;
        }
        const struct branch *b = branch_at(w->rs, set);
        if (b->seq < w->seq || (b->kind != MIXED && b->kind == w->skip))
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

/* ---- Collecting ---- */

bool readers_want_collection(const struct readers *rs)
{
    return (uint64_t)rs->count + rs->branch_count >= rs->collect_at;
}

void readers_collect_begin(struct readers *rs)
{
    struct readers *old = checked(malloc(sizeof *old));
    *old = *rs;
    rs->old = old;
    rs->moved = checked(calloc(old->count, sizeof *rs->moved));
    rs->moved_branches = checked(calloc(old->branch_count, sizeof *rs->moved_branches));
    store_open(rs);
}

uint32_t readers_keep(struct readers *rs, uint32_t set)
{
    if (!set)
        return 0;
    uint32_t *moved = is_branch(set) ? &rs->moved_branches[set & ~BRANCH] : &rs->moved[set];
    if (*moved)
        return *moved;
    if (is_branch(set)) {
        const struct branch *b = branch_at(rs->old, set);
        uint32_t low = readers_keep(rs, b->low);
        return *moved = branch_intern(rs, low, readers_keep(rs, b->high), b->bit);
    }
    struct reader r = rs->old->at[set];
    r.rest = readers_keep(rs, r.rest);
    return *moved = intern(rs, r);
}

void readers_collect_end(struct readers *rs, uint64_t words)
{
    readers_free(rs->old);
    free(rs->moved);
    free(rs->moved_branches);
    rs->old = NULL;
    rs->collect_at = 2 * ((uint64_t)rs->count + rs->branch_count) + COLLECT_AFTER + words / 8;
}
