/**
 * @file walk_only.c
 * See walk.h: programs of which the axioms allow nothing but interleavings, so that a walk over these is exact, with loops that change memory, too.
 *
 * Take the threads and the locations that several threads use and some write, and join each thread to the locations that it uses. If no circle comes
 * about, and all accesses of such a location are morally strong with each other, then program order, reads-from, coherence and from-reads make no circle,
 * either: it would have to leave a thread and come back to it by the location that it has left by, and there SC per location (PTX ISA 8.10.5) and
 * coherence forbid that. What makes no circle is an interleaving. Barriers are not asked about: there it is taken not to be so.
 */
#include <assert.h>
#include <stdlib.h>

#include "model/walk.h"

void walk_learn_reach(struct walk *w, int thread, const struct model_event *e)
{
    const struct model_place *place = w->program->place;
    uint32_t reached = 1u << thread;
    for (int t = 0; t < w->program->threads && e->strong && !e->outside; t++)
        reached |= (uint32_t)place_reaches(&place[thread], e->scope, &place[t]) << t;
    uint32_t *known = &w->reach[e->location][thread];
    *known = w->users[e->location] >> thread & 1 ? *known & reached : reached;
}

static int root_of(const int *joined, int node)
{
    while (joined[node] != node)
        node = joined[node];
    return node;
}

bool walk_is_only(const struct walk *w)
{
    int joined[MODEL_THREADS];
    for (int t = 0; t < w->program->threads; t++)
        joined[t] = t;
    for (int l = 0; l < w->program->locations; l++) {
        uint32_t users = w->users[l];
        if (!(users & (users - 1)) || !w->writers[l])
            continue;
        int first = __builtin_ctz(users);
        for (uint32_t left = users; left; left &= left - 1) {
            int t = __builtin_ctz(left);
            if (users & ~w->reach[l][t])
                return false;
            if (t == first)
                continue;
            if (root_of(joined, t) == root_of(joined, first))
                return false;
            joined[root_of(joined, t)] = root_of(joined, first);
        }
    }
    return !w->meets;
}

bool walk_always_ends(const struct walk *w)
{
    uint64_t states = w->seen.count + 1, left = 0;
    uint32_t *first = calloc(states + 1, sizeof *first), *from = malloc(((size_t)w->edges.count + 1) * sizeof *from);
    uint32_t *queue = malloc(states * sizeof *queue);
    bool *ends = calloc(states, sizeof *ends);
    assert(first && from && queue && ends);
    /* The edges that lead to each state, together. */
    for (int i = 0; i < w->edges.count; i++)
        first[w->edges.data[i].to + 1]++;
    for (uint64_t s = 0; s < states; s++)
        first[s + 1] += first[s];
    for (int i = w->edges.count; i-- > 0;)
        from[--first[w->edges.data[i].to + 1]] = w->edges.data[i].from;
    queue[left++] = 0, ends[0] = true;
    uint64_t count = 1;
    while (left) {
        uint32_t state = queue[--left];
        uint64_t until = state + 2 <= states ? first[state + 2] : (uint64_t)w->edges.count;
        for (uint64_t i = first[state + 1]; i < until; i++)
            if (!ends[from[i]]) {
                ends[from[i]] = true;
                queue[left++] = from[i];
                count++;
            }
    }
    free(first);
    free(from);
    free(queue);
    free(ends);
    return count == states;
}
