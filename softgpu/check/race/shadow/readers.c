/**
 * @file readers.c
 * The store of interned lists: one array of elements and one open-addressing hash table over it.
 */
#include "check/race/shadow/readers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

#define MAX_ELEMENTS_KEPT (6u << 20)
#define LOOK_BACK 8      /* elements searched for one to merge with */
#define MAX_LENGTH 65536

struct readers {
    struct reader *at;      /* at[0] is unused: list 0 is empty */
    uint32_t count, cap;
    uint32_t *table;        /* indices into `at`, 0 = free */
    uint32_t table_mask;
    bool overflowed;
};

struct readers *readers_new(void)
{
    struct readers *rs = calloc(1, sizeof *rs);
    assert(rs);
    rs->count = 1;
    rs->cap = 1024;
    rs->at = calloc(rs->cap, sizeof *rs->at);
    rs->table_mask = 4095;
    rs->table = calloc(rs->table_mask + 1, sizeof *rs->table);
    assert(rs->at && rs->table);
    return rs;
}

void readers_free(struct readers *rs)
{
    if (!rs)
        return;
    free(rs->at);
    free(rs->table);
    free(rs);
}

const struct reader *readers_at(const struct readers *rs, uint32_t list)
{
    return &rs->at[list];
}

bool readers_overflowed(const struct readers *rs)
{
    return rs->overflowed;
}

static uint32_t hash(const struct reader *r)
{
    uint64_t h = mix_in(mix_in(mix_in(0, r->rest), r->agent), r->time);
    h = mix_in(h, r->mask ^ (uint64_t)r->warp << 32);
    h = mix_in(h, r->site ^ (uint64_t)r->seq << 32);
    return (uint32_t)(h >> 32);
}

static bool same(const struct reader *a, const struct reader *b)
{
    return a->rest == b->rest && a->agent == b->agent && a->time == b->time &&
           a->mask == b->mask && a->warp == b->warp && a->site == b->site && a->seq == b->seq &&
           a->flags == b->flags && a->unit == b->unit;
}

static void grow_table(struct readers *rs)
{
    rs->table_mask = rs->table_mask * 2 + 1;
    free(rs->table);
    rs->table = calloc((size_t)rs->table_mask + 1, sizeof *rs->table);
    assert(rs->table);
    for (uint32_t i = 1; i < rs->count; i++) {
        uint32_t h = hash(&rs->at[i]) & rs->table_mask;
        while (rs->table[h])
            h = (h + 1) & rs->table_mask;
        rs->table[h] = i;
    }
}

static uint32_t intern(struct readers *rs, struct reader r)
{
    r.length = r.rest ? rs->at[r.rest].length + 1 : 1;
    if (r.length > MAX_LENGTH || rs->count >= MAX_ELEMENTS_KEPT) {
        /* Too much to remember: keep the newest only, and say so. */
        rs->overflowed = true;
        if (rs->count >= MAX_ELEMENTS_KEPT)
            return r.rest;
        r.rest = 0;
        r.length = 1;
    }
    uint32_t h = hash(&r) & rs->table_mask;
    for (; rs->table[h]; h = (h + 1) & rs->table_mask)
        if (same(&rs->at[rs->table[h]], &r))
            return rs->table[h];
    if (rs->count == rs->cap) {
        rs->cap *= 2;
        rs->at = realloc(rs->at, rs->cap * sizeof *rs->at);
        assert(rs->at);
    }
    rs->at[rs->count] = r;
    rs->table[h] = rs->count;
    if (rs->count * 2 > rs->table_mask)
        grow_table(rs);
    return rs->count++;
}

/** May `b` take up `a`? Same block and time, same kind of access from the same line. */
static bool mergeable(const struct reader *a, const struct reader *b)
{
    return a->agent == b->agent && a->time == b->time && a->flags == b->flags &&
           a->unit == b->unit && a->seq == b->seq && a->site == b->site;
}

/** Rebuilds the elements before `at` (nearest first) on top of `list`. */
static uint32_t rebuild(struct readers *rs, uint32_t list, const uint32_t *before, int n)
{
    while (n-- > 0) {
        struct reader r = rs->at[before[n]];
        r.rest = list;
        list = intern(rs, r);
    }
    return list;
}

uint32_t readers_add(struct readers *rs, uint32_t list, struct reader element, uint32_t full)
{
    if (element.warp < 32 && element.mask == full) {
        element.mask = 1u << element.warp;
        element.warp = WHOLE_WARPS;
    }
    uint32_t before[LOOK_BACK];
    int n = 0;
    for (uint32_t i = list; i && n < LOOK_BACK; i = rs->at[i].rest) {
        struct reader r = rs->at[i];
        if (mergeable(&r, &element)) {
            if (r.warp == element.warp) {
                if ((r.mask & element.mask) == element.mask)
                    return list;
                element.mask |= r.mask;
                uint32_t rest = rebuild(rs, r.rest, before, n);
                if (element.warp != WHOLE_WARPS && element.warp < 32 && element.mask == full)
                    return readers_add(rs, rest, element, full);
                element.rest = rest;
                return intern(rs, element);
            }
            if (r.warp == WHOLE_WARPS && element.warp < 32 && (r.mask >> element.warp & 1))
                return list;
        }
        before[n++] = i;
    }
    element.rest = list;
    return intern(rs, element);
}
