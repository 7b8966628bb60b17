/**
 * @file lone.c
 * See lone.h: the tree of what each thread has done, and the places it touched.
 */
#include "rerun/explore/lone.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "rerun/explore/lone_run.h"

static uint64_t blocks_of(const struct grid_config *c)
{
    return (uint64_t)c->grid[0] * c->grid[1] * c->grid[2];
}

uint64_t lone_block_threads(const struct lone *l, int launch)
{
    const struct grid_config *c = l->configs[launch];
    return (uint64_t)c->block[0] * c->block[1] * c->block[2];
}

struct lone_origin lone_origin(const struct lone *l, uint64_t thread)
{
    struct lone_origin o = {.thread = thread};
    uint64_t threads;
    while (o.launch + 1 < l->launches &&
           o.thread >= (threads = blocks_of(l->configs[o.launch]) * lone_block_threads(l, o.launch))) {
        o.block += blocks_of(l->configs[o.launch++]);
        o.thread -= threads;
    }
    o.block += o.thread / lone_block_threads(l, o.launch);
    return o;
}

const struct insn *lone_insn(const struct lone *l, uint64_t thread, uint32_t cookie, const struct function **f)
{
    const struct image *im = l->configs[lone_origin(l, thread).launch]->kernel->image;
    const struct insn *in = cookie ? image_site_insn(im, cookie - 1) : NULL;
    if (f)
        *f = in ? image_function_at(im, in) : NULL;
    return in;
}

static bool has_loops(const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++) {
        enum insn_class c = insn_class(in);
        if (c == INSN_CALL || c == INSN_SWITCH || (c == INSN_BRANCH && in->target <= in))
            return true;
    }
    return false;
}

/** Does the kernel use shared memory of other blocks of its cluster? */
static bool reaches_mates(const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_row(in) == ROW_mapa || (insn_is_memory(in) && in->mem.cluster))
            return true;
    return false;
}

void lone_open(struct lone *l, struct machine *m, const struct grid_config *const *configs, int launches)
{
    *l = (struct lone){.machine = m, .configs = configs, .launches = launches};
    for (int i = 0; i < launches; i++)
        l->loops |= has_loops(configs[i]->kernel), l->mates |= reaches_mates(configs[i]->kernel);
    for (int i = 0; i < launches; i++)
        l->threads += blocks_of(configs[i]) * lone_block_threads(l, i);
    l->root = calloc(l->threads, sizeof *l->root);
    l->shared = calloc(MODEL_LOCATIONS, sizeof *l->shared);
    assert(l->root && l->shared);
}

static void free_nodes(struct lone_node *n)
{
    while (n) {
        struct lone_node *next = n->sibling;
        free_nodes(n->child);
        LIST_FREE(&n->private_writes);
        free(n);
        n = next;
    }
}

void lone_again(struct lone *l)
{
    for (uint64_t t = 0; t < l->threads; t++) {
        free_nodes(l->root[t]);
        l->root[t] = NULL;
    }
    l->stale = false;
}

void lone_close(struct lone *l)
{
    lone_again(l);
    free(l->root);
    free(l->shared);
    LIST_FREE(&l->locations);
}

static struct lone_node *child_of(struct lone_node *parent, uint64_t value, bool unknown)
{
    for (struct lone_node *n = parent->child; n; n = n->sibling)
        if (n->value == value && n->unknown == unknown)
            return n;
    return NULL;
}

/** Is the thread where it was some values ago, with nothing changed since? Then its loop only waits. */
static void note_waiting(struct lone_node *n)
{
    if (n->step.stop != STOP_READ)
        return;
    for (const struct lone_node *p = n->parent; p && p->changes == n->changes; p = p->parent) {
        n->step.rounds++;
        if (p->step.stop == STOP_READ && p->state == n->state) {
            n->step.stop = STOP_AGAIN;
            return;
        }
    }
    n->step.rounds = 0;
}

static uint64_t mix_event(uint64_t h, const struct model_event *e)
{
    uint64_t bits = (uint64_t)e->kind | (uint64_t)e->strong << 4 | (uint64_t)e->acquire << 5 | (uint64_t)e->release << 6 | (uint64_t)e->sc << 7 |
                    (uint64_t)e->silent << 8 | (uint64_t)e->outside << 9 | (uint64_t)(e->pair >= 0) << 10 | (uint64_t)e->scope << 12 |
                    (uint64_t)(uint32_t)e->location << 16;
    return mix_in(mix_in(mix_in(h, bits), e->value), e->cookie);
}

/** The thread behind the step's events, and what it has left in memory of its own, in one word. A thread that has ended has nothing else. */
static uint64_t rest_of(const struct lone_node *n)
{
    const struct model_step *step = &n->step;
    uint64_t h = (uint64_t)step->stop, kept = 0;
    for (int i = 0; i < n->private_writes.count; i++)
        kept += mix_pair((uint64_t)n->private_writes.data[i].location + 1, n->private_writes.data[i].value);
    h = mix_in(h, kept);
    if (step->stop == STOP_END)
        return h | 1;
    h = mix_event(mix_in(h, n->live), &step->read);
    h = mix_in(mix_in(mix_in(h, step->given), step->brings[0]), step->brings[1]);
    return h | 1;
}

/** With the events. */
static uint64_t same_of(const struct lone_node *n)
{
    uint64_t h = n->step.rest;
    for (int i = 0; i < n->step.count; i++)
        h = mix_event(h, &n->step.event[i]);
    return h | 1;
}

/** Runs the thread to a node that is not there yet. @return NULL as lone_step() */
static struct lone_node *run_to(struct lone *l, uint64_t thread, struct lone_node *parent, const uint64_t *values, int count, event_set unknown)
{
    struct lone_node *n = calloc(1, sizeof *n);
    assert(n);
    if ((l->most_runs && l->runs >= l->most_runs) || (l->most_issued && l->issued >= l->most_issued))
        l->why = INCOMPLETE_LONG;
    else
        lone_run(l, thread, values, count, unknown, n);
    if (l->stale || l->why) {
        free_nodes(n);
        return NULL;
    }
    n = realloc(n, offsetof(struct lone_node, step.event) + sizeof n->step.event[0] * (size_t)n->step.count);
    assert(n);
    n->parent = parent;
    if (parent) {
        n->value = values[count - 1];
        n->unknown = event_in(unknown, count - 1);
        n->sibling = parent->child;
        parent->child = n;
    } else {
        l->root[thread] = n;
    }
    note_waiting(n);
    n->step.rest = unknown || n->called ? 0 : rest_of(n);
    n->step.same = n->step.rest ? same_of(n) : 0;
    return n;
}

const struct lone_node *lone_step(struct lone *l, uint64_t thread, const uint64_t *values, int count, event_set unknown)
{
    struct lone_node *parent = NULL, *n = l->root[thread];
    for (int i = 0;; i++) {
        if (!n)
            n = run_to(l, thread, parent, values, i, unknown & (event_bit(i) - 1));
        if (!n || i == count)
            return n;
        parent = n;
        n = child_of(parent, values[i], event_in(unknown, i));
    }
}
