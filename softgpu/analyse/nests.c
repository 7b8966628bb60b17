/**
 * @file nests.c
 * See nests.h. Within a loop, without the ways back to its head, what still leads back to itself is a loop within it: so each loop's
 * blocks are looked at once more, by Tarjan's search for strongly connected pieces.
 */
#include "analyse/nests.h"

#include <stdlib.h>

#define MOST_NESTED 64

struct finder {
    const struct blocks *b;
    struct nests *n;
    int loops_cap;
    int *number, *least;     /**< by block: when the search came there, 0: not yet; the first one on its way that it leads back to */
    int *way, *edge;         /**< the blocks that the search is in, and for each the next of its ways on */
    int *kept;               /**< blocks whose piece is not known to be whole */
    bool *is_kept;
    int kept_count, numbered;
    int *found, found_count; /**< blocks of the loops that the search has found, which are looked at next */
};

static int *zeros(int count)
{
    int *p = calloc((size_t)count + 1, sizeof *p);
    if (!p)
        abort();
    return p;
}

/** A way on from a block that stays in the loop and does not lead back to its head. */
static bool is_inside(const struct finder *s, int to, int loop)
{
    return s->n->of[to] == loop && (loop == NEST_NONE || to != s->n->head[loop]);
}

static int new_loop(struct finder *s, int around)
{
    struct nests *n = s->n;
    if (n->count == s->loops_cap) {
        s->loops_cap *= 2;
        n->head = realloc(n->head, (size_t)s->loops_cap * sizeof *n->head);
        n->around = realloc(n->around, (size_t)s->loops_cap * sizeof *n->around);
        if (!n->head || !n->around)
            abort();
    }
    n->around[n->count] = around;
    return n->count++;
}

/** Is the first block of the function in it, or does a way from outside lead there? */
static bool is_entered(const struct finder *s, int block, int loop)
{
    const struct blocks *b = s->b;
    for (int e = b->before_from[block]; e < b->before_from[block + 1]; e++)
        if (s->n->of[b->before[e]] != loop)
            return true;
    return block == 0;
}

/** Those kept last, from `from` on, lead back to one another. */
static void take_piece(struct finder *s, int from, int around)
{
    struct nests *n = s->n;
    const struct blocks *b = s->b;
    int first = s->kept[from], count = s->kept_count - from;
    bool turns = count > 1;
    for (int e = b->next_from[first]; e < b->next_from[first + 1]; e++)
        turns |= b->next[e] == first && is_inside(s, first, around);
    for (int i = from; i < s->kept_count; i++)
        s->is_kept[s->kept[i]] = false;
    s->kept_count = from;
    if (!turns)
        return;
    int loop = new_loop(s, around), entered = -1, lowest = b->count;
    for (int i = from; i < from + count; i++)
        n->of[s->found[s->found_count++] = s->kept[i]] = loop;
    for (int i = from; i < from + count; i++) {
        int block = s->kept[i];
        lowest = block < lowest ? block : lowest;
        if ((entered < 0 || block < entered) && is_entered(s, block, loop))
            entered = block;
    }
    n->head[loop] = entered < 0 ? lowest : entered;
}

static void come_to(struct finder *s, int block, int depth)
{
    s->number[block] = s->least[block] = ++s->numbered;
    s->way[depth] = block;
    s->edge[depth] = s->b->next_from[block];
    s->kept[s->kept_count++] = block;
    s->is_kept[block] = true;
}

/** Tarjan's search from a block on, in one loop. */
static void search_from(struct finder *s, int start, int loop)
{
    int depth = 0;
    come_to(s, start, depth);
    while (depth >= 0) {
        int block = s->way[depth];
        if (s->edge[depth] < s->b->next_from[block + 1]) {
            int to = s->b->next[s->edge[depth]++];
            if (s->is_kept[to])
                s->least[block] = s->number[to] < s->least[block] && is_inside(s, to, loop) ? s->number[to] : s->least[block];
            else if (!s->number[to] && is_inside(s, to, loop))
                come_to(s, to, ++depth);
            continue;
        }
        depth--;
        if (depth >= 0 && s->least[block] < s->least[s->way[depth]])
            s->least[s->way[depth]] = s->least[block];
        if (s->least[block] == s->number[block]) {
            int from = s->kept_count - 1;
            while (s->kept[from] != block)
                from--;
            take_piece(s, from, loop);
        }
    }
}

/** Looks at blocks, each within its innermost loop so far and without the ways back to that one's head. */
static void search_all(struct finder *s, const int *blocks, int count)
{
    for (int i = 0; i < count; i++)
        s->number[blocks[i]] = 0;
    s->numbered = s->found_count = 0;
    for (int i = 0; i < count; i++) {
        int loop = s->n->of[blocks[i]];
        if (!s->number[blocks[i]] && is_inside(s, blocks[i], loop))
            search_from(s, blocks[i], loop);
    }
}

void nests_find(struct nests *n, const struct blocks *b)
{
    *n = (struct nests){.count = 1, .of = zeros(b->count), .head = zeros(8), .around = zeros(8)};
    struct finder s = {.b = b, .n = n, .loops_cap = 8, .number = zeros(b->count), .least = zeros(b->count), .way = zeros(b->count),
                       .edge = zeros(b->count), .kept = zeros(b->count), .is_kept = calloc((size_t)b->count + 1, sizeof *s.is_kept)};
    if (!s.is_kept)
        abort();
    int *blocks = zeros(b->count), count = b->count;
    s.found = zeros(b->count);
    for (int block = 0; block < count; block++)
        blocks[block] = block;
    for (int depth = 0; count && depth <= MOST_NESTED; depth++) {
        search_all(&s, blocks, count);
        int *next = s.found;
        s.found = blocks;
        blocks = next;
        count = s.found_count;
    }
    void *const lists[] = {s.number, s.least, s.way, s.edge, s.kept, s.is_kept, s.found, blocks};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]);
}

void nests_free(struct nests *n)
{
    free(n->of);
    free(n->head);
    free(n->around);
}

bool nest_within(const struct nests *n, int loop, int other)
{
    while (loop > other)
        loop = n->around[loop];
    return loop == other;
}
