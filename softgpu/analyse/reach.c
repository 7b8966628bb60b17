/**
 * @file reach.c
 * See reach.h. A row of bits a block: the blocks that are entered behind it, without ways backwards and with them. A block
 * in which a way ends is entered and not left.
 */
#include "analyse/reach.h"

#include <string.h>

#include "analyse/flow.h"
#include "base/arena.h"

#define MAX_BLOCKS 4096 /* 4 MB of bits; past that each question is a walk */

struct reached {
    int words;                  /**< of 64 blocks, in a row */
    int *first_end, *last_end;  /**< by block, numbers of instructions: the first and the last at which a way ends; INT32_MAX, -1: none */
    uint64_t *ahead, *round;    /**< rows by block */
};

struct sought {
    const struct function *f;
    path_end_fn ends;
    const void *context;
};

static void find_ends(struct reached *r, const struct blocks *b, const struct sought *s)
{
    for (int block = 0; block < b->count; block++) {
        r->first_end[block] = INT32_MAX;
        r->last_end[block] = -1;
        for (int i = b->first[block]; i < b->first[block + 1]; i++) {
            if (!s->ends(&s->f->entry[i], s->context))
                continue;
            r->last_end[block] = i;
            if (r->first_end[block] == INT32_MAX)
                r->first_end[block] = i;
        }
    }
}

/** Adds what lies behind a block's successors. @return false if nothing is new */
static bool add_successors(struct reached *r, const struct blocks *b, int block, uint64_t *rows, bool rounds)
{
    uint64_t *row = rows + (size_t)block * (size_t)r->words, changed = 0;
    for (int e = b->next_from[block]; e < b->next_from[block + 1]; e++) {
        int to = b->next[e];
        if (to <= block && !rounds)
            continue;
        uint64_t bit = 1ull << to % 64;
        changed |= bit & ~row[to / 64];
        row[to / 64] |= bit;
        const uint64_t *behind = rows + (size_t)to * (size_t)r->words;
        for (int i = 0; r->last_end[to] < 0 && i < r->words; i++) {
            changed |= behind[i] & ~row[i];
            row[i] |= behind[i];
        }
    }
    return changed != 0;
}

static void *make(struct arena *a, const void *context)
{
    const struct sought *s = context;
    const struct blocks *b = &flow_of(s->f)->blocks;
    struct reached *r = arena_alloc(a, sizeof *r);
    r->words = (b->count + 63) / 64;
    size_t bytes = (size_t)b->count * (size_t)r->words * sizeof *r->ahead;
    r->first_end = arena_alloc(a, (size_t)b->count * sizeof *r->first_end);
    r->last_end = arena_alloc(a, (size_t)b->count * sizeof *r->last_end);
    r->ahead = memset(arena_alloc(a, bytes), 0, bytes);
    r->round = memset(arena_alloc(a, bytes), 0, bytes);
    find_ends(r, b, s);
    for (int block = b->count - 1; block >= 0; block--)
        add_successors(r, b, block, r->ahead, false);
    for (bool more = true; more;) {
        more = false;
        for (int block = b->count - 1; block >= 0; block--)
            more |= add_successors(r, b, block, r->round, true);
    }
    return r;
}

enum path reach_find(const struct function *f, struct reached **slot, const struct insn *from, const struct insn *to,
                     path_end_fn ends, const void *context)
{
    const struct blocks *b = &flow_of(f)->blocks;
    if (b->count > MAX_BLOCKS)
        return path_find(f, from, to, ends, context);
    struct sought s = {f, ends, context};
    const struct reached *r = FLOW_ONCE(f, slot, make, &s);
    int at = (int)(from - f->entry), goal = (int)(to - f->entry), start = b->of[at], end = b->of[goal];
    if (start == end && goal > at) {
        int i = at + 1;
        while (i < goal && !ends(&f->entry[i], context))
            i++;
        if (i == goal)
            return PATH_AHEAD;
    }
    if (r->last_end[start] > at || r->first_end[end] < goal)
        return PATH_NONE;
    size_t word = (size_t)start * (size_t)r->words + (size_t)(end / 64);
    return r->ahead[word] >> end % 64 & 1 ? PATH_AHEAD : r->round[word] >> end % 64 & 1 ? PATH_ROUND : PATH_NONE;
}
