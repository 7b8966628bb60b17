/**
 * @file reader_store.c
 * See reader_store.h.
 */
#include "check/race/shadow/reader_store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

void *reader_store_checked(void *p)
{
    assert(p);
    return p;
}

/** With room for so many before it grows. */
static struct table table_new(uint32_t count)
{
    struct table t = {.mask = 1023};
    while (t.mask < 2 * (uint64_t)count)
        t.mask = t.mask * 2 + 1;
    t.at = reader_store_checked(calloc((size_t)t.mask + 1, sizeof *t.at));
    return t;
}

void reader_store_open(struct readers *rs, uint32_t elements, uint32_t branches)
{
    rs->count = rs->branch_count = 1;
    rs->cap = rs->branch_cap = 256;
    rs->at = reader_store_checked(calloc(rs->cap, sizeof *rs->at));
    rs->branches = reader_store_checked(calloc(rs->branch_cap, sizeof *rs->branches));
    rs->put_off_count = 1;
    rs->put_off_cap = 256;
    rs->put_off = reader_store_checked(malloc(rs->put_off_cap * sizeof *rs->put_off));
    rs->elements = table_new(elements);
    rs->joins = table_new(branches);
    rs->cache = reader_store_checked(calloc(CACHE_SLOTS, sizeof *rs->cache));
}

struct readers *readers_new(void)
{
    struct readers *rs = reader_store_checked(calloc(1, sizeof *rs));
    reader_store_open(rs, 0, 0);
    rs->collect_at = COLLECT_AFTER;
    rs->settled = UINT32_MAX;
    return rs;
}

void readers_settle(struct readers *rs, uint32_t agent)
{
    rs->settled = agent;
}

uint32_t readers_settled(const struct readers *rs)
{
    return rs->settled;
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
    free(rs->put_off);
    while (rs->outgrown.count)
        free(rs->outgrown.data[--rs->outgrown.count]);
    LIST_FREE(&rs->outgrown);
    LIST_FREE(&rs->waiting);
    LIST_FREE(&rs->copied);
    free(rs);
}

bool readers_overflowed(const struct readers *rs)
{
    return rs->overflowed;
}

/* ---- Interning ---- */

uint64_t element_hash(const struct reader *r)
{
    uint64_t h = mix_in(mix_in(mix_in(0, r->rest), r->agent), r->time);
    h = mix_in(h, r->mask ^ (uint64_t)r->warp << 32);
    return mix_in(h, r->site ^ (uint64_t)r->seq << 32);
}

static uint64_t hash_branch(const struct branch *b)
{
    return mix_in(mix_in(0, b->low), b->high);
}

bool element_same(const struct reader *a, const struct reader *b)
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
    wide.at = reader_store_checked(calloc((size_t)wide.mask + 1, sizeof *wide.at));
    for (uint32_t i = 1; i <= t->count; i++) {
        uint64_t hash = t == &rs->joins ? hash_branch(&rs->branches[i]) : element_hash(&rs->at[i]);
        uint32_t h = slot_of(hash, &wide);
        while (wide.at[h])
            h = (h + 1) & wide.mask;
        wide.at[h] = i;
    }
    free(t->at);
    *t = wide;
}

uint32_t reader_intern(struct readers *rs, struct reader r)
{
    uint32_t h = slot_of(element_hash(&r), &rs->elements);
    for (; rs->elements.at[h]; h = (h + 1) & rs->elements.mask)
        if (element_same(&rs->at[rs->elements.at[h]], &r))
            return rs->elements.at[h];
    if (rs->count >= MAX_KEPT) { /* too much to remember: say so */
        rs->overflowed = true;
        return r.rest;
    }
    if (rs->count == rs->cap) {
        rs->cap *= 2;
        struct reader *wide = reader_store_checked(malloc(rs->cap * sizeof *wide));
        memcpy(wide, rs->at, rs->count * sizeof *wide);
        *LIST_PUSH(&rs->outgrown) = rs->at; /* who walks through one set may look at another, which is made then */
        rs->at = wide;
    }
    rs->at[rs->count] = r;
    rs->elements.at[h] = rs->count++;
    table_grow(rs, &rs->elements);
    return rs->count - 1;
}

/* ---- Branches ---- */

bool set_is_branch(uint32_t set)
{
    return set & BRANCH;
}

const struct branch *set_branch(const struct readers *rs, uint32_t set)
{
    return &rs->branches[set & ~BRANCH];
}

uint64_t reader_key(uint32_t agent, uint32_t warp)
{
    return (uint64_t)agent << 16 | warp;
}

uint64_t element_key(const struct reader *r)
{
    return reader_key(r->agent, r->warp);
}

uint64_t set_highest(const struct readers *rs, uint32_t set)
{
    return set_is_branch(set) ? set_branch(rs, set)->highest : element_key(&rs->at[set]);
}

uint64_t set_lowest(const struct readers *rs, uint32_t set)
{
    return set_is_branch(set) ? set_branch(rs, set)->lowest : element_key(&rs->at[set]);
}

static uint16_t kind_of(const struct reader *r)
{
    return (uint16_t)(r->flags << 8 | r->unit);
}

uint16_t reader_kind(const struct readers *rs, const struct reader *r)
{
    for (int i = 0; i < rs->kinds; i++)
        if (rs->kind[i] == kind_of(r))
            return (uint16_t)(1u << i);
    return rs->kinds == KINDS ? OTHER_KINDS : 0;
}

/** The same, with a bit for a kind that is new. */
static uint16_t add_kind(struct readers *rs, const struct reader *r)
{
    uint16_t bit = reader_kind(rs, r);
    if (bit)
        return bit;
    bit = (uint16_t)(1u << rs->kinds);
    rs->kind[rs->kinds++] = kind_of(r);
    if (!(r->flags & EPOCH_STRONG))
        rs->weak_kinds |= bit;
    return bit;
}

/** Adds to a branch's summary what stands below it. */
static void summarize(struct readers *rs, struct branch *b, uint32_t below)
{
    struct branch s = {0};
    if (set_is_branch(below)) {
        s = *set_branch(rs, below);
    } else {
        for (uint32_t i = below; i; i = rs->at[i].rest) {
            const struct reader *r = &rs->at[i];
            s.kinds |= add_kind(rs, r);
            s.seq = r->seq > s.seq ? r->seq : s.seq;
            s.weak |= !(r->flags & EPOCH_STRONG);
        }
    }
    b->kinds |= s.kinds;
    b->seq = s.seq > b->seq ? s.seq : b->seq;
    b->weak |= s.weak;
}

uint32_t branch_intern(struct readers *rs, uint32_t low, uint32_t high, uint8_t bit)
{
    if (!low || !high)
        return low | high;
    struct branch b = {.low = low, .high = high, .bit = bit, .highest = set_highest(rs, high),
                       .lowest = set_lowest(rs, low)};
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
        rs->branches = reader_store_checked(realloc(rs->branches, rs->branch_cap * sizeof *rs->branches));
    }
    rs->branches[rs->branch_count] = b;
    rs->joins.at[h] = rs->branch_count++;
    table_grow(rs, &rs->joins);
    return (rs->branch_count - 1) | BRANCH;
}
