/**
 * @file lone_run.c
 * A run of one thread: as chooser it gives reads their values, as observer it writes down what the thread does.
 */
#include "rerun/explore/lone_run.h"

#include <assert.h>
#include <string.h>

#include "base/mix.h"
#include "execute/chooser.h"
#include "execute/engine.h"
#include "rerun/explore/depends.h"

#define SHARED_KEY (1ull << 63)
/** Instructions of one run of a thread. */
#define MAX_ISSUED 1000000

struct undo {
    uint8_t *host;
    uint64_t value;
    uint32_t bytes;
};

struct lone_watch {
    struct lone *lone;
    uint64_t thread;
    const uint64_t *values;
    int count, taken;
    struct lone_node *node;
    struct depends depends;
    LIST(struct undo) undone;
    uint64_t issued;
    bool stopped;
    bool modelled;                /**< the read-modify-write at hand is of a shared location */
    struct model_event read;
};

/* ---- Ends of a run ---- */

static bool stop(struct lone_watch *r)
{
    r->stopped = true;
    return false;
}

static bool cannot(struct lone_watch *r, enum incomplete_cause why)
{
    if (!r->lone->why)
        r->lone->why = why;
    return stop(r);
}

static uint64_t lane_word(const struct warp *w, const uint8_t *slot, unsigned width, int lane)
{
    const uint64_t *wide = (const uint64_t *)slot;
    (void)w;
    switch (width) {
    case 1:
        return *(const uint32_t *)slot >> lane & 1;
    case 2:
        return ((const uint16_t *)slot)[lane];
    case 4:
        return ((const uint32_t *)slot)[lane];
    case 8:
        return wide[lane];
    default:
        return mix_in(wide[lane], wide[WARP_LANES + lane]);
    }
}

/** Registers and local memory of the thread, in one word. */
static uint64_t state_of(const struct warp *w, const struct insn *in)
{
    int lane = __builtin_ctz(w->mask);
    uint64_t h = (uint64_t)(uintptr_t)in;
    for (int a = 0; a < w->activation_count; a++) {
        const struct activation *act = &w->activations[a];
        uint32_t at = act->function->width_from[0];
        while (at < act->bytes) {
            unsigned width = function_register_width(act->function, at);
            h = mix_in(h, lane_word(w, w->file + act->offset + at, width, lane));
            at += width == 1 ? 4 : width * WARP_LANES;
        }
    }
    for (uint32_t i = 0; i < w->local_top[lane]; i++)
        h = mix_in(h, w->local[(size_t)lane * w->local_stride + i]);
    return h;
}

/** The thread needs a value that it is not given. */
static bool stop_for_value(struct lone_watch *r, const struct warp *w, const struct insn *in, enum model_stop why)
{
    r->node->step.stop = why;
    r->node->state = state_of(w, in);
    return stop(r);
}

/* ---- Locations ---- */

static bool watched(const struct mem_access *a)
{
    return a->space == SPACE_GLOBAL || a->space == SPACE_SHARED;
}

/** Adds a user of a location; `several` once there are two. */
static int add_user(int present, int thread)
{
    return present == -1 || present == thread ? thread : -2;
}

static bool is_shared(const struct lone_location *at)
{
    bool written = at->writer != -1;
    return written && (at->writer == -2 || at->reader == -2 || (at->reader != -1 && at->reader != at->writer));
}

/** Gives a location that has become shared its number in the model: all begins again. */
static void share(struct lone *l, int number)
{
    struct lone_location *at = &l->locations.data[number];
    if (at->model >= 0 || !(at->polled || is_shared(at)))
        return;
    if (l->shared_count == MODEL_LOCATIONS) {
        l->why = INCOMPLETE_LOCATIONS;
        return;
    }
    at->model = l->shared_count;
    l->initial[at->model] = at->initial;
    l->shared[l->shared_count++] = number;
    l->stale = true;
}

/** Accesses of other sizes to the same bytes cannot be told apart as locations. */
static void check_overlap(struct lone *l, int number)
{
    const struct lone_location *at = &l->locations.data[number];
    for (int i = 0; i < l->locations.count; i++) {
        const struct lone_location *o = &l->locations.data[i];
        bool overlaps = i != number && o->key < at->key + at->bytes && at->key < o->key + o->bytes;
        bool same_user = at->reader != -2 && at->writer != -2 && o->reader != -2 && o->writer != -2 &&
                         (at->reader < 0 ? at->writer : at->reader) == (o->reader < 0 ? o->writer : o->reader);
        if (overlaps && !same_user && (at->writer != -1 || o->writer != -1))
            l->why = INCOMPLETE_OVERLAP;
    }
}

static int location_of(struct lone_watch *r, const struct warp *w, const struct mem_access *a, int lane, int element,
                       bool write)
{
    struct lone *l = r->lone;
    uint32_t bytes = a->insn->mem.bytes;
    uint64_t address = a->address[lane] + (uint64_t)element * bytes;
    uint64_t key = a->space == SPACE_SHARED ? SHARED_KEY | w->block->index << 32 | address : address;
    int number = 0;
    while (number < l->locations.count &&
           (l->locations.data[number].key != key || l->locations.data[number].bytes != bytes))
        number++;
    if (number == l->locations.count) {
        struct lone_location fresh = {.key = key, .bytes = bytes, .reader = -1, .writer = -1, .model = -1};
        memcpy(&fresh.initial, a->host[lane] + (size_t)element * bytes, bytes < 8 ? bytes : 8);
        if (a->space == SPACE_GLOBAL) {
            fresh.allocation = a->allocation[lane];
            fresh.offset = address - fresh.allocation->base;
        }
        *LIST_PUSH(&l->locations) = fresh;
    }
    struct lone_location *at = &l->locations.data[number];
    int *user = write ? &at->writer : &at->reader, before = *user;
    *user = add_user(before, (int)r->thread);
    if (*user != before) {
        check_overlap(l, number);
        share(l, number);
    }
    return number;
}

/** A private location is read. A thread that reads it again with nothing changed in between would wait for ever:
 *  somebody else must write it. */
static void note_poll_of(struct lone_watch *r, const struct warp *w, const struct insn *in, int number)
{
    struct lone_location *at = &r->lone->locations.data[number];
    if (!order_is_strong(&in->mem))
        return;
    uint64_t state = mix_in(state_of(w, in), r->thread);
    at->polled = at->state == state && at->changes == r->node->changes;
    at->state = state;
    at->changes = r->node->changes;
    share(r->lone, number);
}

/* ---- Events ---- */

static enum model_scope scope_of(const struct mem_desc *d)
{
    if (d->order == ORDER_VOLATILE || d->order == ORDER_MMIO || d->scope == SCOPE_SYS)
        return MODEL_SYS;
    return d->scope == SCOPE_CTA ? MODEL_CTA : d->scope == SCOPE_CLUSTER ? MODEL_CLUSTER : MODEL_GPU;
}

static struct model_event event_of(const struct lone_watch *r, const struct insn *in, enum event_kind kind,
                                   int location)
{
    const struct mem_desc *d = &in->mem;
    bool both = d->order == ORDER_ACQ_REL || d->order == ORDER_SC;
    return (struct model_event){
        .kind = kind,
        .location = location < 0 ? 0 : r->lone->locations.data[location].model,
        .strong = order_is_strong(d),
        .acquire = kind != EVENT_WRITE && (both || d->order == ORDER_ACQUIRE),
        .release = kind != EVENT_READ && (both || d->order == ORDER_RELEASE),
        .scope = scope_of(d),
        .pair = -1,
        .depends = r->depends.control | r->depends.address,
        .cookie = in->site + 1,
    };
}

static bool emit(struct lone_watch *r, const struct model_event *e)
{
    struct model_step *step = &r->node->step;
    if (r->taken < r->count)
        return true;
    if (step->count == STEP_EVENTS)
        return cannot(r, INCOMPLETE_EVENTS);
    step->event[step->count++] = *e;
    return true;
}

/** A write to memory that is not shared: undone after the run. */
static void note_private(struct lone_watch *r, uint8_t *host, uint32_t bytes, int location, uint64_t value)
{
    struct undo u = {.host = host, .bytes = bytes};
    struct lone_node *n = r->node;
    uint64_t old = 0;
    memcpy(&old, host, bytes);
    r->node->changes += old != (bytes < 8 ? value & ((1ull << bytes * 8) - 1) : value);
    r->depends.memory |= r->depends.data;
    if (!r->lone->locations.data[location].allocation)
        return;
    u.value = old;
    *LIST_PUSH(&r->undone) = u;
    for (int i = 0; i < n->private_writes.count; i++)
        if (n->private_writes.data[i].location == location) {
            n->private_writes.data[i].value = value;
            return;
        }
    *LIST_PUSH(&n->private_writes) = (struct private_write){location, value};
}

static bool lone_load(void *self, const struct warp *w, struct mem_access *a)
{
    struct lone_watch *r = self;
    int lane = __builtin_ctz(a->mask);
    if (!watched(a) || r->stopped)
        return !r->stopped;
    if (a->insn->mem.bytes > 8)
        return cannot(r, INCOMPLETE_WIDE);
    for (int e = 0; e < a->insn->mem.count; e++) {
        int number = location_of(r, w, a, lane, e, false);
        if (r->lone->stale || r->lone->why)
            return stop(r);
        if (r->lone->locations.data[number].model < 0) {
            depends_result(&r->depends, w, a->insn, r->depends.memory);
            note_poll_of(r, w, a->insn, number);
            if (r->lone->stale || r->lone->why)
                return stop(r);
            continue;
        }
        if (r->taken == r->count) {
            r->node->step.read = event_of(r, a->insn, EVENT_READ, number);
            return stop_for_value(r, w, a->insn, STOP_READ);
        }
        a->value[e][lane] = r->values[r->taken];
        a->older[e] |= 1u << lane;
        depends_result(&r->depends, w, a->insn, event_bit(r->taken++));
    }
    return true;
}

static bool lone_store(void *self, const struct warp *w, const struct mem_access *a, uint32_t hidden[MAX_ELEMENTS])
{
    struct lone_watch *r = self;
    int lane = __builtin_ctz(a->mask);
    if (!watched(a) || r->stopped)
        return !r->stopped;
    if (a->insn->mem.bytes > 8)
        return cannot(r, INCOMPLETE_WIDE);
    for (int e = 0; e < a->insn->mem.count; e++) {
        int number = location_of(r, w, a, lane, e, true);
        if (r->lone->stale || r->lone->why)
            return stop(r);
        if (r->lone->locations.data[number].model < 0) {
            note_private(r, a->host[lane] + (size_t)e * a->insn->mem.bytes, a->insn->mem.bytes, number,
                         a->value[e][lane]);
            continue;
        }
        struct model_event write = event_of(r, a->insn, EVENT_WRITE, number);
        uint64_t bits = a->insn->mem.bytes * 8;
        write.value = bits < 64 ? a->value[e][lane] & ((1ull << bits) - 1) : a->value[e][lane];
        write.depends = r->depends.data | r->depends.control;
        hidden[e] |= 1u << lane;
        r->node->changes++;
        if (!emit(r, &write))
            return false;
    }
    return true;
}

static bool lone_rmw_read(void *self, const struct warp *w, const struct element_of_access *which, uint64_t *value)
{
    struct lone_watch *r = self;
    const struct mem_access *a = which->access;
    const struct insn *in = a->insn;
    r->modelled = false;
    if (!watched(a) || r->stopped)
        return !r->stopped;
    if (in->mem.bytes > 8)
        return cannot(r, INCOMPLETE_WIDE);
    location_of(r, w, a, which->lane, which->element, false);
    int number = location_of(r, w, a, which->lane, which->element, true);
    if (r->lone->stale || r->lone->why)
        return stop(r);
    if (r->lone->locations.data[number].model < 0) {
        note_poll_of(r, w, in, number);
        return !r->lone->stale && !r->lone->why ? true : stop(r);
    }
    r->modelled = true;
    r->read = event_of(r, in, EVENT_READ, number);
    r->read.silent = in->dst == REG_NONE && in->mem.count == 1 && !in->op->defines;
    if (r->taken == r->count) {
        r->node->step.read = r->read;
        return stop_for_value(r, w, in, STOP_READ);
    }
    *value = r->values[r->taken++];
    return true;
}

static bool lone_rmw_write(void *self, const struct warp *w, const struct element_of_access *which, bool wrote,
                           uint64_t value, bool *stays)
{
    struct lone_watch *r = self;
    const struct mem_access *a = which->access;
    uint32_t bytes = a->insn->mem.bytes;
    if (r->stopped)
        return false;
    if (!r->modelled) {
        uint8_t *host = a->host[which->lane] + (size_t)which->element * bytes;
        if (watched(a) && wrote)
            note_private(r, host, bytes, location_of(r, w, a, which->lane, which->element, true), value);
        return true;
    }
    event_set own = event_bit(r->taken - 1);
    depends_result(&r->depends, w, a->insn, own);
    if (!wrote)
        return true;
    struct model_event write = r->read;
    write.kind = EVENT_WRITE;
    write.value = bytes < 8 ? value & ((1ull << bytes * 8) - 1) : value;
    write.acquire = false;
    write.release = a->insn->mem.order == ORDER_RELEASE || a->insn->mem.order == ORDER_ACQ_REL;
    write.pair = 0;
    write.depends = r->depends.data | r->depends.control | own;
    *stays = false;
    r->node->changes += write.value != r->values[r->taken - 1];
    return emit(r, &write);
}

static void lone_fence(void *self, const struct warp *w, const struct insn *in, enum mem_order order,
                       enum mem_scope scope)
{
    struct lone_watch *r = self;
    (void)w;
    if (r->stopped)
        return;
    struct model_event e = event_of(r, in, EVENT_FENCE, -1);
    e.scope = scope == SCOPE_CTA ? MODEL_CTA : scope == SCOPE_CLUSTER ? MODEL_CLUSTER
              : scope == SCOPE_GPU ? MODEL_GPU : MODEL_SYS;
    e.sc = order == ORDER_SC;
    e.acquire = order != ORDER_RELEASE;
    e.release = order != ORDER_ACQUIRE;
    emit(r, &e);
}

static bool lone_barrier(void *self, const struct warp *w, const struct insn *in, const struct arrival *at,
                         uint32_t *result)
{
    struct lone_watch *r = self;
    struct model_step *step = &r->node->step;
    uint32_t threads = w->block->grid->threads_per_block;
    *result = 0;
    if (r->stopped)
        return false;
    r->node->changes++;
    if (r->taken < r->count) {
        *result = (uint32_t)r->values[r->taken];
        depends_result(&r->depends, w, in, event_bit(r->taken++));
        return true;
    }
    step->barrier = at->barrier;
    /* A count is of whole warps: one that the block's last warp fills up is the whole block. */
    step->expected = at->count >= (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES ? 0 : (int)at->count;
    step->arrive_only = at->kind == BARRIER_ARRIVE;
    step->cookie = in->site + 1;
    if (at->kind == BARRIER_RED) {
        uint32_t p = *(const uint32_t *)warp_reg(w, in->src[2]) >> __builtin_ctz(w->mask) & 1;
        step->given = p ^ (in->imm >> 1 & 1);
        step->reduces = (int)(in->imm >> 8) + 1;
    }
    return stop_for_value(r, w, in, STOP_BARRIER);
}

/** Lanes meet: bar.warp.sync is a barrier of its own; whatever passes values from lane to lane is not modelled. */
static void meet(struct lone_watch *r, const struct warp *w, const struct insn *in)
{
    struct model_step *step = &r->node->step;
    if (insn_row(in) != ROW_bar_warp) {
        cannot(r, INCOMPLETE_EXCHANGE);
        return;
    }
    uint32_t mask = ((const uint32_t *)warp_reg(w, in->src[0]))[__builtin_ctz(w->mask)];
    uint32_t left = w->block->grid->threads_per_block - (uint32_t)w->index * WARP_LANES;
    r->node->changes++;
    if (r->taken < r->count) {
        r->taken++;
        return;
    }
    step->barrier = 16 + w->index;
    step->members = left < WARP_LANES ? mask & ((1u << left) - 1) : mask;
    step->cookie = in->site + 1;
    stop_for_value(r, w, in, STOP_BARRIER);
}

static void lone_issue(void *self, const struct warp *w, const struct insn *in)
{
    struct lone_watch *r = self;
    if (r->stopped)
        return;
    if (++r->issued > MAX_ISSUED)
        cannot(r, INCOMPLETE_LONG);
    depends_issue(&r->depends, w, in);
    bool runs = !insn_is_guarded(in) ||
                ((*(const uint32_t *)warp_reg(w, in->guard) >> __builtin_ctz(w->mask) & 1) != in->guard_negated);
    if (!runs)
        return;
    if (insn_class(in) == INSN_MEETING)
        meet(r, w, in);
    else if (in->op->flags & OP_CONVERGED)
        cannot(r, INCOMPLETE_CONVERGED);
    if (r->stopped)
        grid_cut(w->block->grid);
}

static const struct chooser lone_chooser = {
    .name = "lone thread",
    .load = lone_load,
    .store = lone_store,
    .rmw_read = lone_rmw_read,
    .rmw_write = lone_rmw_write,
    .barrier = lone_barrier,
};

static const struct observer lone_observer = {
    .name = "lone thread",
    .wants_issue = true,
    .issue = lone_issue,
    .fence = lone_fence,
};

/* ---- The run ---- */

static void undo_all(struct lone_watch *r)
{
    for (int i = r->undone.count; i-- > 0;)
        memcpy(r->undone.data[i].host, &r->undone.data[i].value, r->undone.data[i].bytes);
    LIST_FREE(&r->undone);
}

void lone_run(struct lone *l, uint64_t thread, const uint64_t *values, int count, struct lone_node *n)
{
    struct lone_watch r = {.lone = l, .thread = thread, .values = values, .count = count, .node = n};
    uint64_t block = (uint64_t)l->config->block[0] * l->config->block[1] * l->config->block[2];
    struct lone_thread lone = {.block = thread / block, .thread = (uint32_t)(thread % block)};
    struct grid_config config = *l->config;
    struct observer_set *set = machine_observers(l->machine), all = *set;
    *set = (struct observer_set){.count = 1, .hooks = {&lone_observer}, .self = {&r}, .any_issue = true};
    config.lone = &lone;
    n->step.stop = STOP_END;
    machine_set_chooser(l->machine, &lone_chooser, &r);
    struct grid *g = grid_start(l->machine, &config);
    while (g->status == GRID_RUNNING)
        if (machine_step(l->machine, 0) == STEP_STUCK)
            grid_abort(g, GRID_DEADLOCK);
    if (!r.stopped && g->status != GRID_DONE)
        cannot(&r, INCOMPLETE_FAULT);
    grid_destroy(g);
    machine_set_chooser(l->machine, NULL, NULL);
    *set = all;
    undo_all(&r);
    depends_free(&r.depends);
    l->runs++;
}
