/**
 * @file walk_waits.c
 * See walk.h: states in which nobody goes on.
 *
 * While nobody changes memory a thread's reads return what they returned, so that what it does is certain, and does not hang on the others. It
 * waits for ever if it comes to where it was, by whatever turns of its loops, or stands at a barrier to which others do not come. A swap that puts
 * back what was there changes nothing.
 */
#include "model/walk.h"

/** Reads that a thread is followed for. */
#define MOST_TURNS 64

uint32_t walk_left(const struct walk *w)
{
    uint32_t left = 0;
    for (int t = 0; t < w->program->threads; t++)
        left |= (uint32_t)!walk_has_ended(w, t) << t;
    return left;
}

/** The node behind the read of `node` with what memory holds; -1: the thread does something else then. */
static int next_turn(struct walk *w, int thread, int node)
{
    const struct model_event *read = &w->nodes.data[node].step->read;
    uint64_t value = w->memory[read->location];
    int location = read->location, then = walk_node_after(w, thread, node, value);
    if (then < 0)
        return -1;
    const struct model_step *step = w->nodes.data[then].step;
    if (step->stop == STOP_AGAIN) {
        for (int i = 0; i < (step->rounds ? step->rounds : 1); i++)
            then = w->nodes.data[then].parent;
        return then;
    }
    const struct model_event *update = walk_update(w, then);
    bool changes = update && (update->value != value || update->location != location);
    return step->stop == STOP_READ && !changes && step->count == (update != NULL) ? then : -1;
}

static bool turns_for_ever(struct walk *w, int thread)
{
    int met[MOST_TURNS], node = w->thread[thread].node;
    for (int n = 0; n < MOST_TURNS && node >= 0; n++) {
        for (int i = 0; i < n; i++)
            if (met[i] == node)
                return true;
        met[n] = node;
        node = next_turn(w, thread, node);
    }
    return false;
}

bool walk_is_stuck(struct walk *w)
{
    for (uint32_t left = walk_left(w); left; left &= left - 1) {
        int t = __builtin_ctz(left);
        const struct model_step *step = walk_step(w, t);
        if (w->thread[t].done < step->count || (step->stop == STOP_READ && !turns_for_ever(w, t)) ||
            (step->stop == STOP_BARRIER && walk_may_meet(w, t)) || (step->stop != STOP_READ && step->stop != STOP_BARRIER))
            return false;
    }
    return !w->failed && !w->again;
}
