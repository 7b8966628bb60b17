/**
 * @file graph_launch.c
 * Launches: in the stream, a graph is what lies between two marks; its nodes come after those that they depend
 * on, and after nothing else. Launches of one instantiated graph follow each other, in whatever streams.
 */
#include "host/call_site.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/state/capture.h"
#include "runtime/state/execution.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_exec.h"
#include "runtime/graph/graph_condition.h"
#include "runtime/graph/graph_device.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/graph/graph_updatable.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"
#include "runtime/stream/programmatic.h"

/** A loop that goes on longer has no end. */
#define MAX_TURNS (1 << 20)

LIST_TYPE(operations, struct operation *);

/* What a record or wait node does to the host's book of events, at the launch. */
static void meet_event(const struct step *s, struct operation *op, struct operations *before)
{
    struct event *e = s->event ? event_find(s->event) : NULL;
    if (!e || s->off)
        return;
    if (s->type == cudaGraphNodeTypeWaitEvent) {
        operation_note(NOTE_WAIT, runtime.next_op, e->record ? e->record->number : 0, op->by);
        if (e->record)
            *LIST_PUSH(before) = e->record;
    } else if (s->type == cudaGraphNodeTypeEventRecord) {
        operation_note(NOTE_RECORD, runtime.next_op, 0, op->by);
        if (e->record)
            operation_unref(e->record);
        e->record = op;
        e->captured = 0;
        operation_ref(op);
    }
}

/** One launch. */
struct launch {
    const struct exec *x;
    struct stream *in;
    uint64_t start; /**< the number of the operation that begins it */
};

static struct operation *operation_of(const struct step *s, const struct launch *l)
{
    struct operation *op = s->off && !updatable_of(s->op) ? operation_new(OP_MARK, "disabled node") : template_copy(s->op);
    if (!(l->x->flags & cudaGraphInstantiateFlagUseNodePriority))
        op->priority = l->in->priority;
    op->by = (struct issuer){.stream = l->in->id,
                             .call = s->op->by.call,
                             .graph = l->start,
                             .launch = runtime_thread()->call,
                             .captured = s->op->by.captured,
                             .branch = s->branch};
    return op;
}

/* Kernels that come after others are on the device already; the rest costs the host a call of its own. */
static double call_us(const struct step *s)
{
    const struct device_timing *t = runtime.device->timing;
    return s->type == cudaGraphNodeTypeKernel && s->before.count ? t->graph_kernel_call_us
                                                                 : t->graph_other_call_us;
}

static void issue_steps(const struct launch *l, const struct steps *steps, struct operation *start,
                        struct operations *all);

/* A mark that comes after all steps which nothing else in the graph comes after. */
static struct operation *end_of(const struct launch *l, const struct steps *steps, struct operation *start,
                                const struct operations *all, double us, bool last)
{
    struct operations ends = {0};
    for (int i = 0; i < steps->count; i++)
        if (!steps->data[i].has_after)
            *LIST_PUSH(&ends) = all->data[i];
    if (!ends.count)
        *LIST_PUSH(&ends) = start;
    struct operation *end = operation_new(OP_MARK, "cudaGraphLaunch");
    end->time.mark_us = us;
    operation_ref(end);
    operation_issue_node(end, l->in, ends.data, ends.count, last);
    LIST_FREE(&ends);
    return end;
}

static void unref_all(struct operations *all)
{
    for (int i = 0; i < all->count; i++)
        operation_unref(all->data[i]);
    LIST_FREE(all);
}

/* A while node without an end: so many turns, each of which takes steps, are a launch's. */
static int most_turns(void)
{
    uint64_t most = runtime.options.step_limit;
    return most && most < MAX_TURNS ? (int)most : MAX_TURNS;
}

static void tell_endless(const struct step *s, int turns)
{
    const struct call_site *c = call_site(s->op->by.call, false);
    struct finding f = {.kind = FIND_STEP_LIMIT, .cause = CAUSE_ENDLESS_NODE, .access_count = 1, .facts.loop.turns = (uint64_t)turns};
    f.accesses[0] = (struct finding_access){.op = "cudaGraphAddNode", .file = c->file, .line = c->line};
    report_finding(machine_reporter(runtime.machine), &f);
    runtime.sticky = cudaErrorLaunchTimeout;
    operations_cancel(runtime.sticky);
}

/* Which body runs is known once all that the node comes after has been executed, so that is done now.
 * @return what comes last, with a reference; takes over that to `at` */
static struct operation *issue_bodies(const struct launch *l, const struct step *s, struct operation *at)
{
    for (int turn = 0;; turn++) {
        engine_execute(at, GIVE_UP_WAITING);
        if (at->state != OP_DONE && !runtime.sticky)
            runtime_unsupported("a condition of a graph that waits for the host");
        int body = runtime.sticky || at->state != OP_DONE ? -1 : condition_choose(s, turn);
        if (body >= 0 && turn == most_turns()) {
            tell_endless(s, turn);
            body = -1;
        }
        if (body < 0)
            return at;
        struct operations all = {0};
        issue_steps(l, &s->bodies[body], at, &all);
        struct operation *end = end_of(l, &s->bodies[body], at, &all, 0, false);
        unref_all(&all);
        operation_unref(at);
        at = end;
        if (s->condition_type != cudaGraphCondTypeWhile)
            return at;
    }
}

/* What `s` comes after of what its k-th edge begins at; marks made for it are added to `marks`, each with a reference. */
static struct operation *edge_of(const struct launch *l, const struct step *s, int k, struct operation *op, const struct operations *all,
                                 struct operations *marks)
{
    struct operation *from = all->data[s->before.data[k]];
    enum edge_kind kind = (enum edge_kind)s->kinds.data[k];
    if (op->programmatic && op->kind == OP_KERNEL && from->kind == OP_KERNEL && kind == EDGE_TRIGGER_AWAITED)
        programmatic_behind(op, from);
    if (kind == EDGE_END || from->kind != OP_KERNEL || op->prerequisite) /* a disabled kernel begins and ends at once */
        return from;
    return *LIST_PUSH(marks) = early_mark(from, kind == EDGE_TRIGGER_AWAITED ? EARLY_TRIGGER : EARLY_BEGUN, kind != EDGE_BEGUN, l->in);
}

/* Issues the steps; `all` gets the operations that stand for them, each with a reference. */
static void issue_steps(const struct launch *l, const struct steps *steps, struct operation *start,
                        struct operations *all)
{
    struct operations before = {0}, marks = {0};
    for (int i = 0; i < steps->count; i++) {
        const struct step *s = &steps->data[i];
        struct operation *op = operation_of(s, l);
        before.count = 0;
        for (int k = 0; k < s->before.count; k++)
            *LIST_PUSH(&before) = edge_of(l, s, k, op, all, &marks);
        if (!s->before.count)
            *LIST_PUSH(&before) = start;
        vtime_host(i ? call_us(s) : 0);
        meet_event(s, op, &before);
        operation_ref(op);
        operation_issue_node(op, l->in, before.data, before.count, false);
        if (op->prerequisite) /* so it stays until somebody executes it */
            operation_note(NOTE_TRIGGER, op->number, op->prerequisite->number, op->by);
        *LIST_PUSH(all) = s->body_count ? issue_bodies(l, s, op) : op;
    }
    LIST_FREE(&before);
    unref_all(&marks);
}

/* All of it is one operation. */
static void issue_whole(const struct launch *l, struct exec *x, struct operation *start, struct operations *all)
{
    struct operation *op = graph_device_operation(x);
    op->by = (struct issuer){.stream = l->in->id, .graph = l->start, .launch = runtime_thread()->call};
    op->priority = l->in->priority;
    operation_ref(op);
    operation_issue_node(op, l->in, &start, 1, false);
    *LIST_PUSH(all) = op;
}

/* Whether a step copies to or from the host's pageable memory. */
static bool has_pageable(const struct steps *steps)
{
    for (int i = 0; i < steps->count; i++) {
        const struct step *s = &steps->data[i];
        if (s->op->kind == OP_COPY && s->op->copy.pageable && !s->off)
            return true;
        for (unsigned body = 0; body < s->body_count; body++)
            if (has_pageable(&s->bodies[body]))
                return true;
    }
    return false;
}

/* A graph with pageable memory is done when its launch returns, whatever else it holds, as on an H100
 * (tests/runtime/graph_pageable_facts.gpu.txt); the host is held to know nothing of it, as with cudaMemcpyAsync(). */
static void pass(struct exec *x)
{
    if (has_pageable(&x->steps))
        engine_pass(x->last, "cudaGraphLaunch");
}

static void launch(struct exec *x, struct stream *in, bool whole)
{
    const struct device_timing *t = runtime.device->timing;
    struct operations all = {0};
    if (x->defaults.count && x->last)
        engine_execute(x->last, GIVE_UP_WAITING);
    conditions_begin(x);
    struct operation *start = operation_new(OP_MARK, "cudaGraphLaunch");
    vtime_host(t->graph_call_us);
    start->time.mark_us = t->graph_start_us;
    start->time.call_spent = true;
    start->writes = updatable_take(x);
    operation_ref(start);
    operation_issue(start, in, x->last);
    struct launch l = {x, in, start->number};
    struct steps one = {.data = &(struct step){0}, .count = 1};
    graph_device_upload(x);
    if (whole)
        issue_whole(&l, x, start, &all);
    else
        issue_steps(&l, &x->steps, start, &all);
    struct operation *end = end_of(&l, whole ? &one : &x->steps, start, &all, x->steps.count > 1 ? t->graph_end_us : 0, true);
    if (x->last)
        operation_unref(x->last);
    x->last = end;
    unref_all(&all);
    operation_unref(start);
    pass(x);
}

/* What is to be launched, and where. */
static cudaError_t resolve(cudaGraphExec_t handle, cudaStream_t stream, struct exec **x, struct stream **s)
{
    *x = exec_find(handle);
    if (!*x)
        return cudaErrorInvalidValue;
    cudaError_t e = stream_for_work(stream, true, s);
    return e || !(*s)->capture ? e : capture_allows_stream_wait(*s);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
    API_ENTER();
    struct exec *x;
    struct stream *s;
    cudaError_t e = resolve(handle, stream, &x, &s);
    bool whole = !e && graph_device_wanted(x, &e);
    if (!e)
        e = graph_memory_launch(x, s);
    if (!e)
        launch(x, s, whole);
    API_RETURN(e ? e : runtime.sticky);
}

/* The program is on the device as soon as there is one: only the order is left, and what kernels launch. */
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    API_ENTER();
    struct exec *x;
    struct stream *s;
    cudaError_t e = resolve(handle, stream, &x, &s);
    if (!e)
        graph_device_upload(x);
    if (!e) {
        struct operation *op = operation_new(OP_MARK, "cudaGraphUpload");
        op->writes = updatable_take(x);
        operation_issue(op, s, x->last);
    }
    API_RETURN(e);
}
