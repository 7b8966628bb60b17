/**
 * @file walk_nodes.c
 * See walk.h: what threads do after the values that they have been given, asked once; and who uses what.
 */
#include "model/walk.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

/* ---- Who uses what ---- */

static void learn(struct walk *w, int thread, int location, bool writes)
{
    uint32_t bit = 1u << thread;
    w->users[location] |= bit;
    w->writers[location] |= writes ? bit : 0;
    w->quiet |= bit;
    w->again |= w->for_users[location] & ~bit || (writes && w->for_writers[location] & ~bit) || w->for_quiet & bit;
}

static void learn_step(struct walk *w, int thread, const struct model_step *step)
{
    for (int i = 0; i < step->count; i++)
        if (step->event[i].kind == EVENT_WRITE) {
            walk_learn_reach(w, thread, &step->event[i]);
            learn(w, thread, step->event[i].location, true);
        }
    w->meets |= step->stop == STOP_BARRIER;
    if (step->stop == STOP_READ) {
        walk_learn_reach(w, thread, &step->read);
        learn(w, thread, step->read.location, false);
    }
}

bool walk_is_alone(struct walk *w, int thread, int location)
{
    if (w->users[location] & ~(1u << thread))
        return false;
    w->for_users[location] |= 1u << thread;
    return true;
}

bool walk_writes_alone(struct walk *w, int thread, int location)
{
    if (w->writers[location] & ~(1u << thread))
        return false;
    w->for_writers[location] |= 1u << thread;
    return true;
}

/* ---- Nodes ---- */

int walk_values(const struct walk *w, int node, uint64_t *values)
{
    int count = w->nodes.data[node].depth;
    for (int i = count; i-- > 0; node = w->nodes.data[node].parent)
        values[i] = w->nodes.data[node].value;
    return count;
}

/** The number of the string in the set, and whether it is new. */
static uint64_t number_of(struct byte_set *set, const uint64_t *key, int words, bool *fresh)
{
    uint64_t hash = 0;
    for (int i = 0; i < words; i++)
        hash = mix_in(hash, key[i]);
    *fresh = byte_set_add(set, hash, key, sizeof *key * (size_t)words);
    return *fresh ? set->count - 1 : byte_set_number(set, hash, key, sizeof *key * (size_t)words) - 1;
}

static struct model_step *copy_step(const struct model_step *step)
{
    size_t size = offsetof(struct model_step, event) + sizeof step->event[0] * (size_t)step->count;
    struct model_step *copy = aligned_alloc(_Alignof(struct model_step), (size + _Alignof(struct model_step) - 1) / _Alignof(struct model_step) * _Alignof(struct model_step));
    assert(copy);
    memcpy(copy, step, size);
    return copy;
}

/** Asks what the thread does. @return the node, or the one that goes on alike; -1: it cannot be had */
static int make_node(struct walk *w, int thread, int parent, uint64_t value)
{
    struct model_step step;
    uint64_t values[WALK_VALUES];
    struct walk_node n = {.parent = parent, .value = value};
    bool fresh;
    if (parent >= 0) {
        n.depth = walk_values(w, parent, values) + 1;
        if (n.depth > WALK_VALUES)
            return -1;
        values[n.depth - 1] = value;
    }
    if (!w->program->next(w->program->self, thread, values, n.depth, 0, &step))
        return -1;
    if (step.same && step.stop != STOP_AGAIN) {
        uint64_t i = number_of(&w->alike, (uint64_t[]){(uint64_t)thread, step.same}, 2, &fresh);
        if (!fresh)
            return w->first_alike.data[i];
        *LIST_PUSH(&w->first_alike) = w->nodes.count;
    }
    learn_step(w, thread, &step);
    n.step = copy_step(&step);
    *LIST_PUSH(&w->nodes) = n;
    return w->nodes.count - 1;
}

int walk_node_after(struct walk *w, int thread, int parent, uint64_t value)
{
    bool fresh;
    uint64_t i = number_of(&w->names, (uint64_t[]){(uint64_t)(parent + 1) << 8 | (uint64_t)thread, value}, 2, &fresh);
    if (fresh)
        *LIST_PUSH(&w->named) = make_node(w, thread, parent, value);
    w->failed |= w->named.data[i] < 0;
    return w->named.data[i];
}
