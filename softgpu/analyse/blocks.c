/**
 * @file blocks.c
 * See blocks.h.
 */
#include "analyse/blocks.h"

#include <stdlib.h>

#include "base/list.h"

struct edge {
    int from, to;
};
LIST_TYPE(edges, struct edge);

static int *numbers(struct arena *a, int count)
{
    return arena_alloc(a, ((size_t)count + 1) * sizeof(int));
}

/** A block begins at each target, and behind each instruction that jumps or ends. */
static void cut(struct blocks *b, const struct flow_source *s, struct arena *a)
{
    bool *leader = calloc((size_t)s->count + 1, sizeof *leader);
    if (!leader)
        abort();
    leader[0] = true;
    for (int i = 0; i < s->count; i++) {
        int to;
        for (int k = 0; (to = s->target(s->self, i, k)) != FLOW_NO_MORE; k++) {
            leader[i + 1] = true;
            if (to >= 0)
                leader[to] = true;
        }
        if (!s->falls(s->self, i))
            leader[i + 1] = true;
    }
    b->of = numbers(a, s->count);
    b->first = numbers(a, s->count);
    for (int i = 0; i < s->count; i++) {
        if (leader[i])
            b->first[b->count++] = i;
        b->of[i] = b->count - 1;
    }
    b->first[b->count] = s->count;
    free(leader);
}

static void find_edges(const struct blocks *b, const struct flow_source *s, struct edges *edges)
{
    for (int at = 0; at < b->count; at++) {
        int last = b->first[at + 1] - 1, to;
        if (last + 1 < s->count && s->falls(s->self, last))
            *LIST_PUSH(edges) = (struct edge){at, at + 1};
        for (int k = 0; (to = s->target(s->self, last, k)) != FLOW_NO_MORE; k++)
            if (to >= 0)
                *LIST_PUSH(edges) = (struct edge){at, b->of[to]};
    }
}

/** Sorts the edges by their one end, keeping their order: where each list begins, and other ends. */
static void sort_edges(const struct blocks *b, const struct edges *edges, bool backwards,
                       struct arena *a, int **from, int **ends)
{
    int *start = numbers(a, b->count + 1), *list = numbers(a, edges->count);
    int *at = calloc((size_t)b->count + 1, sizeof *at);
    if (!at)
        abort();
    for (int e = 0; e < edges->count; e++)
        start[(backwards ? edges->data[e].to : edges->data[e].from) + 1]++;
    for (int i = 0; i < b->count; i++) {
        at[i] = start[i];
        start[i + 1] += start[i];
    }
    for (int e = 0; e < edges->count; e++) {
        const struct edge *x = &edges->data[e];
        list[at[backwards ? x->to : x->from]++] = backwards ? x->from : x->to;
    }
    free(at);
    *from = start;
    *ends = list;
}

void blocks_build(struct blocks *b, const struct flow_source *s, struct arena *a)
{
    struct edges edges = {0};
    *b = (struct blocks){0};
    cut(b, s, a);
    find_edges(b, s, &edges);
    sort_edges(b, &edges, false, a, &b->next_from, &b->next);
    sort_edges(b, &edges, true, a, &b->before_from, &b->before);
    LIST_FREE(&edges);
}
