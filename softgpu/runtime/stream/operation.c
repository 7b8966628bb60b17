/**
 * @file operation.c
 * Issuing operations: numbers, dependencies, the sets of what has completed before.
 */
#include <assert.h>
#include <string.h>

#include "execute/device_graph.h"
#include "execute/grid_life.h"
#include "execute/observer.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/host_watch.h"
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/unwaited.h"
#include "runtime/stream/node_launch.h"
#include "runtime/stream/programmatic.h"
#include "runtime/state/value_op.h"
#include "runtime/time/record.h"

/** A host that runs further ahead than this waits for the device, as on a real one. */
#define QUEUE_LIMIT 1024

struct operation *operation_new(enum op_kind kind, const char *name)
{
    struct operation *op = calloc(1, sizeof *op);
    if (!op)
        abort();
    op->kind = kind;
    const char *driver = runtime_thread()->driver_call; /* which called the runtime's function for it */
    op->name = driver && !strncmp(name, "cuda", 4) ? driver : name;
    op->refs = 1;
    op->by.call = runtime_thread()->call;
    op->device = device_now();
    return op;
}

void operation_note(int kind, uint64_t op, uint64_t record, struct issuer by)
{
    struct order_note n = {.kind = kind, .op = op, .record = record, .by = by};
    if (runtime.options.check)
        OBSERVE(machine_observers(runtime.machine), order_note, &n);
}

void operation_ref(struct operation *op)
{
    op->refs++;
}

void operation_unref(struct operation *op)
{
    assert(op->refs > 0);
    if (--op->refs)
        return;
    op_set_free(&op->before);
    op_set_free(&op->behind);
    op_set_free(&op->awaits);
    node_writes_free(op->writes);
    early_drop(op);
    if (op->prerequisite)
        operation_unref(op->prerequisite);
    LIST_FREE(&op->deps);
    LIST_FREE(&op->time.followers);
    if (op->kind == OP_VALUE)
        value_steps_drop(op->values);
    free(op);
}

/* `op` starts after `other` has ended. */
static void depend(struct operation *op, struct operation *other)
{
    if (!other)
        return;
    early_inherit(op, other);
    vtime_follow(op, other);
    if (other->state == OP_DONE)
        return;
    operation_ref(other);
    *LIST_PUSH(&op->deps) = other;
}

/* Everything issued to `s` so far precedes `op`. */
static void follow_stream(struct operation *op, struct stream *s)
{
    depend(op, s->last);
    if (runtime.options.check)
        op_set_join(op->prerequisite && s == op->stream ? &op->behind : &op->before, &s->ordered);
}

void operation_known(const struct operation *op, struct op_set *all)
{
    op_set_join(all, &op->before);
    op_set_join(all, &op->behind);
    op_set_add(all, op->number);
}

static void enqueue(struct operation *op)
{
    op->next = NULL;
    if (runtime.queue_tail)
        runtime.queue_tail->next = op;
    else
        runtime.queue_head = op;
    runtime.queue_tail = op;
    runtime.queued++;
    runtime.host_functions += op->kind == OP_HOST;
}

/* The call that issues it takes the host some time. */
static void spend_call(const struct operation *op)
{
    const struct device_timing *t = runtime.device->timing;
    const double calls[] = {[OP_KERNEL] = t->launch_call_us, [OP_COPY] = t->copy_call_us,
                            [OP_SET] = t->set_call_us,       [OP_HOST] = t->host_call_us,
                            [OP_MARK] = t->call_us,          [OP_FREE] = t->call_us,
                            [OP_ALLOC] = t->call_us,          [OP_VALUE] = t->call_us};
    if (op->time.call_spent)
        return;
    double us = op->time.mark_us > t->wait_us ? t->record_call_us : calls[op->kind];
    vtime_host(us - t->call_us); /* which each call has spent already */
}

static bool takes_no_time(const struct operation *op)
{
    return op->kind == OP_MARK || op->kind == OP_FREE || op->kind == OP_ALLOC || op->kind == OP_VALUE;
}

/* The engine that an operation runs on; events and the like count as part of what is before them in
 * their stream. */
static enum timeline_engine engine_of(const struct operation *op, enum timeline_engine before)
{
    static const enum timeline_engine copies[] = {
        [COPY_H2D] = ENGINE_COPY_IN, [COPY_D2H] = ENGINE_COPY_OUT, [COPY_D2D] = ENGINE_SMS,
        [COPY_H2H] = ENGINE_NONE, [COPY_PEER] = ENGINE_COPY_OUT};
    static const enum timeline_engine engines[] = {
        [OP_KERNEL] = ENGINE_SMS, [OP_SET] = ENGINE_SMS, [OP_HOST] = ENGINE_HOST};
    if (takes_no_time(op))
        return before;
    return op->kind == OP_COPY ? copies[op->copy.path] : engines[op->kind];
}

static void place_in_stream(struct operation *op, struct stream *s)
{
    s->engine = op->time.engine = engine_of(op, s->engine);
    if (!takes_no_time(op))
        s->bar_op = op->number;
    op->bar_op = s->bar_op;
}

/* The same for a graph's node, or the end of its graph: what is before it are other nodes. */
static void place_after(struct operation *op, const struct operation *before)
{
    op->time.engine = engine_of(op, before->time.engine);
    op->bar_op = takes_no_time(op) ? before->bar_op : op->number;
}

/* For the timeline: whom an operation waits for besides the one before it in its stream. */
static void note_waits(struct operation *op, struct stream *s, const struct operation *event)
{
    if (event && event->bar_op)
        *LIST_PUSH(&s->waits) = (struct stream_wait){event->bar_op, op->by.call};
    if (op->bar_op != op->number)
        return;
    for (int i = 0; i < s->waits.count; i++)
        timeline_wait(WAIT_EVENT, "cudaStreamWaitEvent", s->waits.data[i].from, op->number,
                      s->waits.data[i].at);
    s->waits.count = 0;
    for (struct stream *o = runtime.streams; o; o = o->next)
        if (o != s && o->device == s->device && s->blocking && o->blocking && (s->legacy || o->legacy) &&
            o->last && o->last->time.state != TIME_ENDED)
            timeline_wait(WAIT_DEFAULT_STREAM, "default stream", o->bar_op, op->number, op->by.call);
}

/* `other` is done before `op` begins, and so is all that was before it. */
static void follow(struct operation *op, struct operation *other)
{
    depend(op, other);
    if (!runtime.options.check)
        return;
    if (op->early_mark)
        op_set_join(&op->before, &other->before);
    else if (other == op->prerequisite)
        operation_known(other, &op->behind);
    else
        operation_known(other, &op->before);
}

/* Its number and what else does not depend on its place among others. */
static void enter(struct operation *op, struct stream *s)
{
    op->number = runtime.next_op++;
    op->by.stream = s->id;
    op->by.apart = !s->blocking;
    op->stream = s;
    op->settled = runtime.host_done.floor;
    if (runtime.options.check)
        op_set_copy(&op->before, &runtime.host_done);
}

/* What is issued to its stream from now on comes after `op`. */
static void becomes_last(struct operation *op, struct stream *s)
{
    if (runtime.options.check) {
        op_set_copy(&s->ordered, &op->before);
        operation_known(op, &s->ordered);
    }
    if (s->last)
        operation_unref(s->last);
    s->last = op;
    operation_ref(op);
}

static void go(struct operation *op)
{
    vtime_issue(op);
    enqueue(op);
    operation_ref(op);
    unwaited_note(op);
    engine_draw(op);
    operation_unref(op);
    host_watch_issued(op);
    engine_start_background();
}

/* The first in the queue that is not behind a wait for a value which somebody has still to write; the first of all if every one is. */
static struct operation *first_to_go_on(void)
{
    for (struct operation *op = runtime.queue_head; op; op = op->next) {
        op->held = op->kind == OP_VALUE && op->state == OP_QUEUED && !value_ready(op);
        for (int i = 0; i < op->deps.count; i++)
            op->held |= op->deps.data[i]->state != OP_DONE && op->deps.data[i]->held;
        if (!op->held)
            return op;
    }
    return runtime.queue_head;
}

static void wait_for_room(void)
{
    while (runtime.queued >= QUEUE_LIMIT && !runtime.sticky) {
        struct operation *op = first_to_go_on();
        operation_ref(op);
        engine_drain(op);
        operation_unref(op);
    }
}

void operation_issue(struct operation *op, struct stream *s, struct operation *also)
{
    wait_for_room();
    op->device = s->device;
    enter(op, s);
    op->priority = s->priority;
    spend_call(op);
    place_in_stream(op, s);
    programmatic_issue(op);
    follow_stream(op, s);
    if (s->legacy) {
        for (struct stream *o = runtime.streams; o; o = o->next)
            if (o->blocking && o != s && o->device == s->device)
                follow_stream(op, o);
    } else if (s->blocking) {
        follow_stream(op, runtime.devices[s->device].legacy);
    }
    if (also)
        follow(op, also);
    becomes_last(op, s);
    if (runtime.options.timeline_path)
        note_waits(op, s, also);
    go(op);
}

void operation_issue_node(struct operation *op, struct stream *s, struct operation *const *before,
                          int count, bool last)
{
    enter(op, s);
    place_after(op, before[0]);
    for (int i = 0; i < count; i++) {
        follow(op, before[i]);
        op->time.joins |= before[i]->by.graph && before[i]->by.branch != op->by.branch;
    }
    for (int i = 0; i < count && runtime.options.timeline_path && !takes_no_time(op); i++)
        if (before[i]->by.branch != op->by.branch)
            timeline_wait(WAIT_GRAPH, "graph edge", before[i]->bar_op, op->number, op->by.call);
    if (last) {
        becomes_last(op, s);
        s->engine = op->time.engine;
        s->bar_op = op->bar_op;
    }
    go(op);
}

bool operation_ready(struct operation *op)
{
    for (int i = 0; i < op->deps.count; i++) {
        struct operation *d = op->deps.data[i];
        if (d->state != OP_DONE && !(d == op->prerequisite && programmatic_open(d)) && !(op->early_mark && early_come(op, d)))
            return false;
    }
    return op->state == OP_QUEUED && (op->kind != OP_VALUE || value_ready(op));
}

static void learn(struct op_set *s, uint64_t number, const struct op_set *known)
{
    if (op_set_has(s, number))
        op_set_join(s, known);
}

void operations_learn(uint64_t number, const struct op_set *known)
{
    for (struct operation *o = runtime.queue_head; o; o = o->next) {
        learn(&o->before, number, known);
        learn(&o->behind, number, known);
    }
    for (struct stream *s = runtime.streams; s; s = s->next)
        learn(&s->ordered, number, known);
}

static void dequeue(struct operation *op)
{
    struct operation *previous = NULL;
    for (struct operation *o = runtime.queue_head; o != op; o = o->next)
        previous = o;
    if (previous)
        previous->next = op->next;
    else
        runtime.queue_head = op->next;
    if (runtime.queue_tail == op)
        runtime.queue_tail = previous;
    runtime.queued--;
    runtime.host_functions -= op->kind == OP_HOST;
}

static void drop_deps(struct operation *op)
{
    for (int i = 0; i < op->deps.count; i++)
        operation_unref(op->deps.data[i]);
    op->deps.count = 0;
}

void operation_finish(struct operation *op)
{
    drop_deps(op);
    if (op->status == cudaSuccess)
        counters_add(op);
    op->state = OP_DONE;
    vtime_executed(op);
    if (op->kind == OP_KERNEL) {
        free(op->params);
        device_graph_drop(op->config.graph);
        programmatic_ended(op);
        if (op->grid)
            grid_destroy(op->grid);
        op->params = NULL;
        op->config.graph = NULL;
        op->grid = NULL;
    } else if (op->kind == OP_COPY) {
        copy_unstage(op);
    }
    dequeue(op);
    op->stream = NULL;
    operation_unref(op);
    runtime_changed();
}

void operations_cancel(cudaError_t status)
{
    struct operation *next;
    for (struct operation *op = runtime.queue_head; op; op = next) {
        next = op->next;
        if (op->kind == OP_HOST && op->state == OP_RUNNING)
            continue; /* its thread finishes it */
        if (op->kind == OP_HOST && op->host.callback && status != cudaSuccess) {
            op->status = status; /* a callback is told of the fault; a host function is not */
            engine_begin_host_call(op);
            continue;
        }
        if (op->kind == OP_KERNEL && op->state == OP_RUNNING) {
            if (op->grid && op->grid->status == GRID_RUNNING)
                grid_abort(op->grid, GRID_CANCELLED);
            runtime.running_grids--;
        }
        op->status = status;
        operation_finish(op);
    }
    vtime_drop();
}
