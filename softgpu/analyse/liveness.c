/**
 * @file liveness.c
 * See liveness.h. Backward data flow over the blocks, one bit a register.
 */
#include "analyse/liveness.h"

#include <stdlib.h>
#include <string.h>

/** Bounds on the analysis: beyond them every register has a slot of its own. */
#define MAX_LIVENESS_WORDS (1u << 24)
#define MAX_LIVENESS_WORK (1ull << 31)

struct liveness {
    const struct flow_source *source;
    struct blocks blocks;
    uint32_t words;                      /* of a set of registers */
    uint64_t *use, *define, *in, *out;   /* a set for each block */
    int *waiting;                        /* blocks to be looked at again */
    int waiting_count;
    bool *waits;                         /* by block */
    struct interval *live;               /* by register */
};

static void *zeroed(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p)
        abort();
    return p;
}

static void extend(struct liveness *l, int reg, uint32_t position)
{
    struct interval *v = &l->live[reg];
    v->start = position < v->start ? position : v->start;
    v->end = position > v->end ? position : v->end;
}

static void note_interval(void *context, int i, int reg, enum register_use use)
{
    extend(context, reg, 2 * (uint32_t)i + !(use == USE_READ || use == USE_KEEP));
}

static void note_block(void *context, int i, int reg, enum register_use use)
{
    struct liveness *l = context;
    size_t at = (size_t)l->blocks.of[i] * l->words + (unsigned)reg / 64;
    uint64_t bit = 1ull << (reg & 63);

    if (use == USE_WRITE)
        l->define[at] |= bit;
    else
        l->use[at] |= bit & ~l->define[at];
}

static void look_again(struct liveness *l, int block)
{
    if (!l->waits[block])
        l->waiting[l->waiting_count++] = block;
    l->waits[block] = true;
}

/** @return true if more is live where the block begins than was known */
static bool join(struct liveness *l, int block)
{
    const struct blocks *b = &l->blocks;
    size_t at = (size_t)block * l->words;
    bool changed = false;

    for (int e = b->next_from[block]; e < b->next_from[block + 1]; e++)
        for (uint32_t w = 0; w < l->words; w++)
            l->out[at + w] |= l->in[(size_t)b->next[e] * l->words + w];
    for (uint32_t w = 0; w < l->words; w++, at++) {
        uint64_t v = l->use[at] | (l->out[at] & ~l->define[at]);
        changed |= v != l->in[at];
        l->in[at] = v;
    }
    return changed;
}

/** To the fixed point. @return false when the bound on work is reached */
static bool solve(struct liveness *l)
{
    const struct blocks *b = &l->blocks;
    uint64_t work = 0;

    for (int block = 0; block < b->count; block++)
        look_again(l, block);
    while (l->waiting_count) {
        int block = l->waiting[--l->waiting_count];
        l->waits[block] = false;
        work += (uint64_t)l->words * (unsigned)(1 + b->next_from[block + 1] - b->next_from[block]);
        if (work > MAX_LIVENESS_WORK)
            return false;
        if (join(l, block))
            for (int e = b->before_from[block]; e < b->before_from[block + 1]; e++)
                look_again(l, b->before[e]);
    }
    return true;
}

static void extend_over_blocks(struct liveness *l)
{
    for (int b = 0; b < l->blocks.count; b++)
        for (uint32_t w = 0; w < l->words; w++) {
            uint64_t in = l->in[(size_t)b * l->words + w], out = l->out[(size_t)b * l->words + w];
            for (; in; in &= in - 1)
                extend(l, (int)(w * 64) + __builtin_ctzll(in), 2 * (uint32_t)l->blocks.first[b]);
            for (; out; out &= out - 1)
                extend(l, (int)(w * 64) + __builtin_ctzll(out),
                       2 * (uint32_t)l->blocks.first[b + 1] - 1);
        }
}

/** What lives where the first block begins has got no value yet. */
static void note_unset(struct liveness *l)
{
    for (uint32_t w = 0; l->blocks.count && w < l->words; w++)
        for (uint64_t in = l->in[w]; in; in &= in - 1)
            l->live[w * 64 + (uint32_t)__builtin_ctzll(in)].unset = true;
}

/** The sets of all blocks; free_sets() in any case. */
static bool find_sets(struct liveness *l)
{
    const struct flow_source *s = l->source;
    size_t total = (size_t)l->blocks.count * l->words;
    if (total > MAX_LIVENESS_WORDS)
        return false;
    l->use = zeroed(4 * total + 1, sizeof *l->use);
    l->define = l->use + total;
    l->in = l->define + total;
    l->out = l->in + total;
    l->waiting = zeroed((size_t)l->blocks.count + 1, sizeof *l->waiting);
    l->waits = zeroed((size_t)l->blocks.count + 1, sizeof *l->waits);
    for (int i = 0; i < s->count; i++)
        s->uses(s->self, i, note_block, l);
    return solve(l);
}

static void free_sets(struct liveness *l)
{
    free(l->use);
    free(l->waiting);
    free(l->waits);
}

static bool find_live(struct liveness *l)
{
    bool solved = find_sets(l);
    if (solved) {
        extend_over_blocks(l);
        note_unset(l);
    }
    free_sets(l);
    return solved;
}

void liveness_intervals(const struct flow_source *s, struct interval *live)
{
    struct liveness l = {.source = s, .live = live, .words = ((uint32_t)s->registers + 63) / 64};
    struct arena scratch = {0};

    for (int r = 0; r < s->registers; r++)
        live[r] = (struct interval){.start = UINT32_MAX};
    for (int i = 0; i < s->count; i++)
        s->uses(s->self, i, note_interval, &l);
    blocks_build(&l.blocks, s, &scratch);
    bool found = find_live(&l);
    for (int r = 0; r < s->registers && !found; r++)
        if (live[r].start != UINT32_MAX)
            live[r] = (struct interval){.end = UINT32_MAX};
    arena_free(&scratch);
}

/** The set behind an instruction becomes the one before it: what it writes is not read there, */
static void take_written(void *context, int i, int reg, enum register_use use)
{
    (void)i;
    if (use == USE_WRITE)
        ((uint64_t *)context)[reg / 64] &= ~(1ull << (reg & 63));
}

/** but for what it reads itself. */
static void add_read(void *context, int i, int reg, enum register_use use)
{
    (void)i;
    if (use != USE_WRITE)
        ((uint64_t *)context)[reg / 64] |= 1ull << (reg & 63);
}

bool liveness_sets(const struct flow_source *s, uint64_t *sets)
{
    struct liveness l = {.source = s, .words = ((uint32_t)s->registers + 63) / 64};
    struct arena scratch = {0};
    blocks_build(&l.blocks, s, &scratch);
    bool found = find_sets(&l);
    for (int b = 0; b < l.blocks.count && found; b++) {
        const uint64_t *behind = &l.out[(size_t)b * l.words];
        for (int i = l.blocks.first[b + 1]; i-- > l.blocks.first[b];) {
            uint64_t *set = &sets[(size_t)i * l.words];
            memcpy(set, behind, l.words * sizeof *set);
            s->uses(s->self, i, take_written, set);
            s->uses(s->self, i, add_read, set);
            behind = set;
        }
    }
    free_sets(&l);
    arena_free(&scratch);
    return found;
}
