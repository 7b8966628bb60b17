/**
 * @file walk_apart.c
 * See walk.h: threads of a block that keep out of each other's way until they meet.
 *
 * Each thread is followed alone from a state to its next barrier, or its end. If none of them writes on its way what another uses (atomics
 * that commute and return nothing apart), then each reads on that way what it has read alone, in whatever order the threads go on: the first
 * that read anything else would have read a write that is on nobody's way. So all orders lead to one state, and one of them is enough: a tree of sums
 * or a counter of 30 threads would have 2^30 states between two barriers. Nor do two next accesses race on these ways. What a thread is
 * found to do alone is part of the walk in any case, so nothing is learned of it that does not happen.
 */
#include "model/walk.h"

#include <string.h>

/** Events that a thread is followed for. */
#define MOST_EVENTS 200

/** Who uses what on the ways, one bit a thread. */
struct ways {
    uint32_t reads[MODEL_LOCATIONS], writes[MODEL_LOCATIONS], adds[MODEL_LOCATIONS];
    uint16_t operation[MODEL_LOCATIONS];
    bool buffers;                    /**< some write may be in a buffer when its thread has come */
    uint32_t end, meet;              /**< threads that end, and that come to a barrier, */
    const struct model_step *barrier; /**< to this one */
};

/** @return false if two threads are in each other's way there */
static bool is_apart(const struct ways *ways, int location)
{
    uint32_t changes = ways->writes[location] | ways->adds[location], all = changes | ways->reads[location];
    return !changes || !(all & (all - 1)) || all == (ways->adds[location] & ~ways->writes[location] & ~ways->reads[location]);
}

static bool note(struct ways *ways, uint32_t *who, int location, int thread)
{
    who[location] |= 1u << thread;
    return is_apart(ways, location);
}

/** A read, or a read-modify-write that has written. */
static bool note_read(struct ways *ways, const struct model_event *read, bool writes, int thread)
{
    int l = read->location;
    if (!writes || !read->drops || !read->strong)
        return note(ways, ways->reads, l, thread) && (!writes || note(ways, ways->writes, l, thread));
    bool alike = !ways->adds[l] || ways->operation[l] == read->drops;
    ways->operation[l] = read->drops;
    return note(ways, ways->adds, l, thread) && alike;
}

/** Do all wait there for each other, and for nobody else? */
static bool meets_at(struct ways *ways, const struct model_step *step, int thread)
{
    const struct model_step *first = ways->barrier;
    if (step->cluster || step->arrive_only || (step->expected && !step->members))
        return false;
    if (first && (first->barrier != step->barrier || first->members != step->members || first->exchanges != step->exchanges))
        return false;
    ways->barrier = step;
    ways->meet |= 1u << thread;
    return true;
}

/** The node behind the read of `node`, which is noted; -1: the thread waits, or that cannot be had. */
static int read_alone(struct walk *w, struct ways *ways, int thread, int node, uint64_t *memory)
{
    const struct model_event read = w->nodes.data[node].step->read;
    int then = walk_node_after(w, thread, node, memory[read.location]);
    if (then < 0 || w->again || w->failed || w->nodes.data[then].step->stop == STOP_AGAIN)
        return -1;
    const struct model_event *update = walk_update(w, then);
    if (!note_read(ways, &read, update != NULL, thread))
        return -1;
    if (update)
        memory[update->location] = update->value;
    return then;
}

/** @return false if somebody is in the thread's way, or it comes neither to its end nor to the barrier to which all come */
static bool follow(struct walk *w, struct ways *ways, int thread)
{
    uint64_t memory[MODEL_LOCATIONS];
    const struct walk_thread *at = &w->thread[thread];
    int node = at->node, done = at->done;
    memcpy(memory, w->memory, sizeof memory);
    for (int i = 0; i < at->delayed; i++)
        if (at->write[i].location >= 0) {
            ways->buffers = true;
            memory[at->write[i].location] = at->write[i].value;
            if (!note(ways, ways->writes, at->write[i].location, thread))
                return false;
        }
    for (int n = 0; n < MOST_EVENTS; n++) {
        const struct model_step *step = w->nodes.data[node].step;
        for (; done < step->count; done++) {
            const struct model_event *e = &step->event[done];
            if (e->kind != EVENT_WRITE)
                continue;
            memory[e->location] = e->value;
            ways->buffers |= !walk_is_alone(w, thread, e->location);
            if (!note(ways, ways->writes, e->location, thread))
                return false;
        }
        if (step->stop == STOP_END)
            return ways->end |= 1u << thread, true;
        if (step->stop == STOP_BARRIER)
            return meets_at(ways, step, thread);
        if (step->stop != STOP_READ || (node = read_alone(w, ways, thread, node, memory)) < 0)
            return false;
        done = walk_update(w, node) != NULL;
    }
    return false;
}

/** Is everybody on the ways asked at the barrier, and does it, with buffers, find them empty? */
static bool is_for_all(const struct walk *w, const struct ways *ways)
{
    const struct model_place *place = w->program->place;
    uint32_t all = ways->end | ways->meet, use = ways->meet & w->quiet;
    if (!ways->barrier)
        return true;
    for (uint32_t m = all; m && ways->barrier->members; m &= m - 1) {
        const struct model_place *own = &place[__builtin_ctz(m)];
        if (own->warp != place[__builtin_ctz(all)].warp || !(ways->barrier->members >> own->lane & 1))
            return false;
    }
    return !w->how || !ways->buffers || (!ways->end && !ways->barrier->exchanges && (use & (use - 1)));
}

static bool is_there(const struct walk *w, int thread)
{
    const struct walk_thread *at = &w->thread[thread];
    const struct model_step *step = walk_step(w, thread);
    return !at->delayed && at->done == step->count && (step->stop == STOP_END || step->stop == STOP_BARRIER);
}

int walk_apart(struct walk *w)
{
    const struct model_place *place = w->program->place;
    struct ways ways = {0};
    int first = -1, goes = -1;
    for (int t = 0; t < w->program->threads; t++) {
        if (walk_has_ended(w, t) && !w->thread[t].delayed)
            continue;
        first = first < 0 ? t : first;
        if (place[t].block != place[first].block || place[t].device != place[first].device)
            return -1;
        goes = goes < 0 && !is_there(w, t) ? t : goes;
    }
    for (int t = first; goes >= 0 && t < w->program->threads; t++)
        if (!(walk_has_ended(w, t) && !w->thread[t].delayed) && !follow(w, &ways, t))
            return -1;
    return goes >= 0 && is_for_all(w, &ways) ? goes : -1;
}
