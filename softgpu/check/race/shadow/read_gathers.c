/**
 * @file read_gathers.c
 * See read_gathers.h.
 */
#include "check/race/shadow/read_gathers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST 4096u
#define WORDS_MOST (64ull << 20)    /* 256 MB */
#define LANES_A_WORD 64
#define LANES_ANYWAY (16u << 10)
#define LANES 32u                   /* of a warp, and warps of a block */
#define HEAD (sizeof(struct gather_read) / 4)

_Static_assert(sizeof(struct gather_read) % 4 == 0, "entries lie in words");

/* ---- Room ---- */

void read_gathers_pass(struct read_gathers *g)
{
    g->past = g->count;
}

static uint32_t lanes_at(const struct read_gathers *g, uint64_t i)
{
    return (uint32_t)__builtin_popcount(((const struct gather_read *)&g->at[i])->mask);
}

static unsigned size_of(const struct gather_read *read)
{
    return (unsigned)read->log2_bytes + read->log2_elements;
}

/** Of those that have passed, for each word 1 + the place of the latest entry with a read that begins there. */
static uint32_t *latest_of_words(const struct read_gathers *g, uint64_t bytes)
{
    uint32_t *latest = calloc(bytes / 4 + 2, sizeof *latest);
    assert(latest);
    for (uint64_t i = 0; i < g->past; i += HEAD + lanes_at(g, i))
        for (uint32_t l = 0; l < lanes_at(g, i) && ((const struct gather_read *)&g->at[i])->log2_bytes >= 2; l++)
            latest[g->at[i + HEAD + l] / 4] = (uint32_t)i + 1;
    return latest;
}

/** Puts what is left of the entry at `from` at `to`. @return how many words that is */
static uint64_t leave_late(struct read_gathers *g, const uint32_t latest[], uint64_t from, uint64_t to)
{
    struct gather_read read;
    uint32_t left = 0;
    memcpy(&read, &g->at[from], sizeof read);
    uint32_t mask = read.mask;
    for (uint32_t m = mask, l = 0; m; m &= m - 1, l++) {
        uint32_t offset = g->at[from + HEAD + l], by = from < g->past ? latest[offset / 4] : 0;
        if (read.log2_bytes >= 2 && by > from + 1 && size_of((const struct gather_read *)&g->at[by - 1]) >= size_of(&read))
            read.mask &= ~(m & -m);
        else
            g->at[to + HEAD + left++] = offset;
    }
    memcpy(&g->at[to], &read, sizeof read);
    return left ? HEAD + left : 0;
}

/** Leaves out what has passed and been read again. Where that is less than half it is not tried again before more has passed. */
static void make_room(struct read_gathers *g, uint64_t bytes)
{
    uint32_t *latest = latest_of_words(g, bytes);
    uint64_t to = 0, past = 0, lanes = 0;
    for (uint64_t i = 0, next; i < g->count; i = next) {
        next = i + HEAD + lanes_at(g, i);
        uint64_t left = leave_late(g, latest, i, to);
        to += left;
        lanes += left ? left - HEAD : 0;
        past = i < g->past ? to : past;
    }
    g->past = 2 * lanes < g->lanes ? past : 0;
    g->count = to;
    g->lanes = lanes;
    free(latest);
}

bool read_gathers_room(struct read_gathers *g, uint64_t bytes)
{
    uint64_t most = bytes / 4 * LANES_A_WORD + LANES_ANYWAY;
    if (g->lanes < most && g->count < WORDS_MOST)
        return true;
    if (!g->past)
        return false;
    make_room(g, bytes);
    return g->lanes < most && g->count < WORDS_MOST;
}

void read_gathers_add(struct read_gathers *g, const struct gather_read *read, const uint32_t offset[])
{
    uint32_t lanes = (uint32_t)__builtin_popcount(read->mask);
    while (g->count + HEAD + lanes > g->room) {
        g->room = g->room ? 2 * g->room : FEWEST;
        g->at = realloc(g->at, g->room * sizeof *g->at);
        assert(g->at);
    }
    memcpy(&g->at[g->count], read, sizeof *read);
    memcpy(&g->at[g->count + HEAD], offset, lanes * sizeof *offset);
    g->count += HEAD + lanes;
    g->lanes += lanes;
    g->newest = read->agent > g->newest ? read->agent : g->newest;
}

bool read_gathers_any(const struct read_gathers *g, bool (*is)(const void *self, uint32_t agent), const void *self)
{
    uint32_t last = 0; /* one agent's mostly follow each other */
    for (uint64_t i = 0; i < g->count;) {
        const struct gather_read *read = (const struct gather_read *)&g->at[i];
        if (read->agent != last && is(self, read->agent))
            return true;
        last = read->agent;
        i += HEAD + (uint32_t)__builtin_popcount(read->mask);
    }
    return false;
}

/* ---- Taking them out ---- */

/** One lane of an entry. */
struct lane_read {
    uint32_t offset, agent;
    uint64_t place;            /**< its kind, the place of the entry, the lane: of a kind they rise as the reads came */
};

static int by_place(const void *left, const void *right)
{
    const struct lane_read *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->agent != b->agent)
        return a->agent < b->agent ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

#define KIND_SHIFT 51          /* sizes and flags: no read makes one of another kind superfluous */

static uint64_t kind_of(const struct gather_read *read)
{
    return (uint64_t)(read->flags << 5 | read->log2_bytes << 2 | read->log2_elements) << KIND_SHIFT;
}

static bool same_kind(const struct lane_read *a, const struct lane_read *b)
{
    return a->offset == b->offset && a->agent == b->agent && a->place >> KIND_SHIFT == b->place >> KIND_SHIFT;
}

static uint32_t lane_of(const struct lane_read *l)
{
    return l->place % LANES;
}

static const struct gather_read *entry_of(const struct read_gathers *g, const struct lane_read *l)
{
    return (const struct gather_read *)&g->at[(l->place & ((1ull << KIND_SHIFT) - 1)) / LANES];
}

static struct lane_read *sorted(const struct read_gathers *g)
{
    struct lane_read *all = malloc(g->lanes * sizeof *all);
    uint64_t n = 0;
    assert(all);
    for (uint64_t i = 0; i < g->count;) {
        const struct gather_read *read = (const struct gather_read *)&g->at[i];
        uint64_t entry = kind_of(read) + i * LANES;
        i += HEAD;
        for (uint32_t m = read->mask; m; m &= m - 1)
            all[n++] = (struct lane_read){.offset = g->at[i++], .agent = read->agent, .place = entry + (uint32_t)__builtin_ctz(m)};
    }
    qsort(all, n, sizeof *all, by_place);
    return all;
}

/** The first of a block's reads of one place that counts: the last one that is ordered behind all before it. */
static uint64_t first_that_counts(const struct read_gathers *g, const struct lane_read *run, uint64_t count)
{
    uint64_t first = 0;
    uint32_t latest = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct gather_read *read = entry_of(g, &run[i]);
        if (i && read->uniform >= latest)
            first = i;
        latest = read->time > latest ? read->time : latest;
    }
    return first;
}

/** Of each thread the last read: leaves out the others. @return how many are left */
static uint64_t leave_last(const struct read_gathers *g, struct lane_read *run, uint64_t count)
{
    uint32_t has[LANES] = {0};   /* lanes, by warp */
    uint64_t left = count;
    for (uint64_t i = count; i-- > 0;) {
        uint32_t *lanes = &has[entry_of(g, &run[i])->warp], bit = 1u << lane_of(&run[i]);
        if (!(*lanes & bit))
            run[--left] = run[i];
        *lanes |= bit;
    }
    return count - left;
}

void read_gathers_take(struct read_gathers *g, void (*fn)(void *self, const struct gather_read *read, uint32_t lane, uint32_t offset), void *self)
{
    struct lane_read *all = sorted(g);
    for (uint64_t i = 0, end; i < g->lanes; i = end) {
        for (end = i; end < g->lanes && same_kind(&all[end], &all[i]);)
            end++;
        i += first_that_counts(g, &all[i], end - i);
        for (i = end - leave_last(g, &all[i], end - i); i < end; i++)
            fn(self, entry_of(g, &all[i]), lane_of(&all[i]), all[i].offset);
    }
    free(all);
    read_gathers_empty(g);
}

void read_gathers_empty(struct read_gathers *g)
{
    g->count = g->lanes = g->past = g->newest = 0;
}
