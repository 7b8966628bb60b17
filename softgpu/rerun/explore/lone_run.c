/**
 * @file lone_run.c
 * A run of one thread: as chooser it gives reads their values, as observer it writes down what the thread does.
 */
#include "rerun/explore/lone_run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "execute/block.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/grid_life.h"
#include "execute/meeting.h"
#include "rerun/explore/lane_state.h"

/** Numbers of barriers in the model: those of the block come first, then those of its warps, the phases of its cluster's,
 *  exchanges by what they do. */
#define OF_WARP 16
#define OF_CLUSTER (1 << 15)
#define OF_EXCHANGE (1 << 16)

/** Instructions of one run of a thread. */
#define MAX_ISSUED 1000000

/* ---- Ends of a run ---- */

bool lone_stop(struct lone_watch *r)
{
    r->stopped = true;
    return false;
}

bool lone_cannot(struct lone_watch *r, enum incomplete_cause why)
{
    if (!r->lone->why && !r->stopped)
        r->lone->why = why;
    return lone_stop(r);
}

bool lone_endless(struct lone_watch *r, enum incomplete_cause why)
{
    bool again = r->lone->shares_freely && !r->stopped && !r->lone->why && lone_share_looked_at(r->lone);
    if (!again)
        return lone_cannot(r, why);
    r->lone->bound = why;
    return lone_stop(r);
}

bool lone_needs(struct lone_watch *r, event_set values)
{
    struct model_step *step = &r->node->step;
    values &= r->unknown & (event_bit(r->taken) - 1);
    if (!values)
        return false;
    step->stop = STOP_NEEDS;
    step->needs = values;
    step->binds = (values & r->depends.control) != 0;
    lone_stop(r);
    return true;
}

/** Registers and local memory of the thread, in one word. */
uint64_t lone_state(const struct warp *w, const struct insn *in)
{
    return lane_state(w, __builtin_ctz(w->mask), in, false);
}

/** The thread needs a value that it is not given. */
bool lone_stop_for_value(struct lone_watch *r, const struct warp *w, const struct insn *in, enum model_stop why)
{
    r->node->step.stop = why;
    r->node->state = mix_in(lone_state(w, in), (uint64_t)r->phases);
    r->node->live = mix_in(lane_state(w, __builtin_ctz(w->mask), in, true), (uint64_t)r->phases);
    r->node->called = w->activation_count > 1;
    return lone_stop(r);
}

/* ---- Fences, barriers, meetings ---- */

static void lone_fence(void *self, const struct warp *w, const struct insn *in, enum mem_order order,
                       enum mem_scope scope)
{
    struct lone_watch *r = self;
    (void)w;
    if (r->stopped)
        return;
    struct model_event e = lone_event(r, in, EVENT_FENCE, -1);
    e.scope = lone_scope(scope);
    e.sc = order == ORDER_SC;
    e.acquire = order != ORDER_RELEASE;
    e.release = order != ORDER_ACQUIRE;
    lone_emit(r, &e);
}

bool lone_barrier(void *self, const struct warp *w, const struct insn *in, const struct arrival *at,
                         uint32_t *result)
{
    struct lone_watch *r = self;
    struct model_step *step = &r->node->step;
    *result = 0;
    if (r->stopped)
        return false;
    r->node->changes++;
    if (lone_needs(r, r->depends.data))
        return false;
    if (r->taken < r->count) {
        *result = (uint32_t)r->values[r->taken];
        depends_result(&r->depends, w, in, event_bit(r->taken++));
        return true;
    }
    step->barrier = at->barrier;
    step->expected = (int)(at->count / WARP_LANES);
    step->arrive_only = at->kind == BARRIER_ARRIVE;
    step->cookie = in->site + 1;
    if (at->kind == BARRIER_RED) {
        uint32_t p = *(const uint32_t *)warp_reg(w, in->src[2]) >> __builtin_ctz(w->mask) & 1;
        step->given = p ^ (in->imm >> 1 & 1);
        step->reduces = (int)(in->imm >> 8) + 1;
    }
    return lone_stop_for_value(r, w, in, STOP_BARRIER);
}

/** Those of the members that the warp has. */
static uint32_t present(const struct warp *w, uint32_t members)
{
    uint32_t left = w->block->grid->threads_per_block - (uint32_t)w->index * WARP_LANES;
    return left < WARP_LANES ? members & ((1u << left) - 1) : members;
}

/** bar.warp.sync is a barrier of its own. */
static void meet(struct lone_watch *r, const struct warp *w, const struct insn *in)
{
    struct model_step *step = &r->node->step;
    r->node->changes++;
    if (lone_needs(r, r->depends.data))
        return;
    if (r->taken < r->count) {
        r->taken++;
        return;
    }
    step->barrier = OF_WARP + w->index;
    step->members = present(w, ((const uint32_t *)warp_reg(w, in->src[0]))[__builtin_ctz(w->mask)]);
    step->cookie = in->site + 1;
    lone_stop_for_value(r, w, in, STOP_BARRIER);
}

bool lone_exchange(void *self, const struct warp *w, const struct insn *in, uint32_t members, uint64_t *result)
{
    struct lone_watch *r = self;
    struct model_step *step = &r->node->step;
    *result = 0;
    if (r->stopped)
        return false;
    r->node->changes++;
    if (lone_needs(r, r->depends.data))
        return false;
    if (in->src[3] == REG_NONE || !present(w, members))
        return lone_cannot(r, INCOMPLETE_EXCHANGE);
    if (r->taken < r->count) {
        *result = r->values[r->taken];
        depends_result(&r->depends, w, in, event_bit(r->taken++));
        return true;
    }
    struct brought b = meeting_brings(w, in, __builtin_ctz(w->mask));
    step->exchanges = true;
    step->barrier = OF_EXCHANGE + (int)insn_row(in) * 256 + (int)(in->imm & 255);
    step->members = present(w, members);
    step->what = (uint64_t)(uintptr_t)in;
    step->brings[0] = b.a, step->brings[1] = (uint64_t)b.c << 32 | b.b;
    step->rests = r->depends.data | r->depends.control;
    step->cookie = in->site + 1;
    return lone_stop_for_value(r, w, in, STOP_BARRIER);
}

/** The cluster's barrier: an arrival, or the wait for its phase. */
static void cluster_barrier(struct lone_watch *r, const struct warp *w, const struct insn *in)
{
    struct model_step *step = &r->node->step;
    bool arrives = insn_row(in) == ROW_cluster_arrive;
    r->phases += arrives;
    r->node->changes++;
    if (r->taken < r->count) {
        r->taken++;
        return;
    }
    step->cluster = true;
    step->barrier = OF_CLUSTER + r->phases;
    step->arrive_only = arrives;
    step->wait_only = !arrives;
    step->relaxed = in->mem.order == ORDER_RELAXED;
    step->cookie = in->site + 1;
    lone_stop_for_value(r, w, in, STOP_BARRIER);
}

static void lone_issue(void *self, const struct warp *w, const struct insn *in)
{
    struct lone_watch *r = self;
    r->lone->issued++;
    if (!r->stopped && ++r->issued > MAX_ISSUED)
        lone_endless(r, INCOMPLETE_LONG);
    if (!r->stopped)
        depends_issue(&r->depends, w, in);
    if (!r->stopped)
        lone_needs(r, r->depends.decided);
    if (r->stopped) {
        grid_cut(w->block->grid);
        return;
    }
    bool runs = !insn_is_guarded(in) ||
                ((*(const uint32_t *)warp_reg(w, in->guard) >> __builtin_ctz(w->mask) & 1) != in->guard_negated);
    if (!runs)
        return;
    if (insn_row(in) == ROW_bar_warp)
        meet(r, w, in);
    else if (insn_row(in) == ROW_cluster_arrive || insn_row(in) == ROW_cluster_wait)
        cluster_barrier(r, w, in);
    else if (insn_class(in) == INSN_COPY || insn_row(in) == ROW_cp_mbarrier)
        lone_cannot(r, INCOMPLETE_ASYNC);
    else if (insn_class(in) == INSN_IMAGE)
        lone_cannot(r, INCOMPLETE_TEXTURES);
    else if (in->op->flags & OP_CONVERGED || insn_class(in) == INSN_TENSOR)
        lone_cannot(r, INCOMPLETE_CONVERGED);
    if (r->stopped)
        grid_cut(w->block->grid);
}

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

/** Of the thread's own: it may hang on values that no execution gives it. */
static bool is_fault(enum grid_status s)
{
    return s == GRID_ILLEGAL_ADDRESS || s == GRID_MISALIGNED || s == GRID_ASSERT || s == GRID_TRAP || s == GRID_ILLEGAL_INSTRUCTION;
}

void lone_run(struct lone *l, uint64_t thread, const uint64_t *values, int count, event_set unknown, struct lone_node *n)
{
    struct lone_watch r = {.lone = l, .thread = thread, .values = values, .count = count, .unknown = unknown, .node = n};
    struct lone_origin from = lone_origin(l, thread);
    uint64_t block = lone_block_threads(l, from.launch);
    struct lone_thread lone = {.block = from.thread / block, .thread = (uint32_t)(from.thread % block)};
    struct grid_config config = *l->configs[from.launch];
    struct observer_set *set = machine_observers(l->machine), all = *set;
    *set = (struct observer_set){.count = 1, .hooks = {&lone_observer}, .self = {&r}, .any_issue = true, .each_issue = true};
    if (l->mates && config.cluster[0])
        lone.mates = cluster_stand_ins(&config, lone.block);
    config.lone = &lone;
    r.first_block = from.block - lone.block;
    n->step.stop = STOP_END;
    machine_set_chooser(l->machine, &lone_chooser, &r);
    struct grid *g = grid_start(l->machine, &config);
    while (g->status == GRID_RUNNING)
        if (machine_step(l->machine, 0) == STEP_STUCK)
            grid_abort(g, GRID_DEADLOCK);
    n->faulted = !r.stopped && is_fault(g->status);
    if (!r.stopped && !n->faulted && g->status != GRID_DONE)
        lone_cannot(&r, INCOMPLETE_FAULT);
    grid_destroy(g);
    free(lone.mates);
    machine_set_chooser(l->machine, NULL, NULL);
    *set = all;
    undo_all(&r);
    depends_free(&r.depends);
    l->runs++;
}
