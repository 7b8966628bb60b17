/**
 * @file walk_races.c
 * See walk.h: races that some interleaving has.
 *
 * Where a walk comes to a state in which two threads may each do the next access, and the two conflict, there is an interleaving in which one follows
 * the other at once. What synchronises stands between, in each interleaving; so nothing orders the two there, and unless they are morally
 * strong they race (PTX ISA 8.7.2). There are more races than these: those that only an older value leads to.
 */
#include <stdlib.h>

#include "model/walk.h"

/** The access that the thread does next, of memory that others use; NULL: it does something else. */
static const struct model_event *next_access(const struct walk *w, int thread)
{
    const struct model_step *step = walk_step(w, thread);
    const struct model_event *e = NULL;
    if (w->thread[thread].done < step->count)
        e = &step->event[w->thread[thread].done];
    else if (step->stop == STOP_READ && !step->read.outside)
        e = &step->read;
    return e;
}

static bool excuses(const struct walk *w, int thread, const struct model_event *e, int other)
{
    return e->strong && place_reaches(&w->program->place[thread], e->scope, &w->program->place[other]);
}

/** The latest access of a thread: of a read-modify-write the write, if it has written. */
static int latest_of(const struct execution *x, int thread)
{
    int e = x->count - 1;
    while (e >= x->locations && x->event[e].thread != thread)
        e--;
    return e;
}

/** Both do their access, the one that writes first. @return as walk_find_race() */
static bool tell(struct walk *w, int first, int second)
{
    int changes = w->undo.count, traces = w->trail.count;
    struct execution *x = calloc(1, sizeof *x);
    bool enough = false;
    if (x && walk_access(w, first) && walk_access(w, second) && walk_execution(w, x)) {
        struct model_pair pair = {latest_of(x, first), latest_of(x, second)};
        enough = w->plain->raced(w->self, x, pair);
    }
    free(x);
    walk_back(w, changes);
    w->trail.count = traces;
    return enough;
}

bool walk_find_race(struct walk *w)
{
    const struct model_event *next[MODEL_THREADS];
    for (int t = 0; t < w->program->threads; t++) {
        next[t] = next_access(w, t);
        for (int u = 0; u < t && next[t]; u++) {
            if (!next[u] || next[u]->location != next[t]->location || (excuses(w, t, next[t], u) && excuses(w, u, next[u], t)))
                continue;
            if (walk_writes(w, t) ? tell(w, t, u) : walk_writes(w, u) && tell(w, u, t))
                return true;
        }
    }
    return false;
}
