/**
 * @file vtime.c
 * The clocks of host and device, and the operations in order of virtual time.
 *
 * The host's clock advances with each API call and jumps to the end of what it waits for. The
 * device's runs from event to event: an operation becomes ready when all before it have ended, goes
 * to its engine, and ends. A kernel must have been executed by then, since that tells how long it
 * is; one that cannot end before the host goes on (it polls memory) stays on the SMs meanwhile.
 */
#include <assert.h>
#include <math.h>

#include "runtime/state/execution.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/vtime.h"
#include "runtime/time/record.h"

#define NEVER UINT64_MAX

static uint64_t now_ns;                    /**< the device's clock */
static LIST(struct operation *) arrivals;  /**< ready at a known time: a heap, earliest first */
static bool running;                       /**< a host thread is in vtime_run() */

static uint64_t ns_of(double us)
{
    return (uint64_t)(us * 1000 + 0.5);
}

void vtime_host(double us)
{
    runtime.host_ns += ns_of(us);
}

/* ---- the heap ---- */

static bool earlier(const struct operation *a, const struct operation *b)
{
    if (a->time.ready_ns != b->time.ready_ns)
        return a->time.ready_ns < b->time.ready_ns;
    return a->number < b->number;
}

static void swap(int i, int j)
{
    struct operation *t = arrivals.data[i];
    arrivals.data[i] = arrivals.data[j];
    arrivals.data[j] = t;
}

static void push(struct operation *op)
{
    *LIST_PUSH(&arrivals) = op;
    for (int i = arrivals.count - 1; i && earlier(arrivals.data[i], arrivals.data[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap(i, (i - 1) / 2);
}

static void pop(void)
{
    arrivals.data[0] = arrivals.data[--arrivals.count];
    for (int i = 0;;) {
        int least = i;
        for (int c = 2 * i + 1; c <= 2 * i + 2 && c < arrivals.count; c++)
            if (earlier(arrivals.data[c], arrivals.data[least]))
                least = c;
        if (least == i)
            return;
        swap(i, least);
        i = least;
    }
}

/* ---- order ---- */

static void not_before(struct operation *op, uint64_t ns)
{
    if (ns > op->time.ready_ns)
        op->time.ready_ns = ns;
}

/* `before` has ended. Going on with another engine takes a while, from when the last one was in use:
 * events in between make no difference. */
static void comes_after(struct operation *op, const struct operation *before)
{
    const struct op_time *b = &before->time;
    not_before(op, b->end_ns);
    if (before->by.stream != op->by.stream || b->engine == ENGINE_NONE)
        return;
    if (b->engine == op->time.engine)
        op->time.engine_ns = b->engine_ns;
    else if (op->time.engine != ENGINE_NONE)
        not_before(op, b->engine_ns + ns_of(runtime.device->timing->engine_switch_us));
}

void vtime_follow(struct operation *op, struct operation *before)
{
    if (before->time.state == TIME_ENDED) {
        comes_after(op, before);
        return;
    }
    operation_ref(op);
    *LIST_PUSH(&before->time.followers) = op;
    op->time.awaited++;
}

/* From its dependencies to its beginning on the SMs. */
static double start_us(const struct operation *op)
{
    const struct device_timing *t = runtime.device->timing;
    if (op->kind == OP_KERNEL && op->by.graph)
        return t->graph_kernel_us + (op->time.joins ? t->graph_join_us : 0);
    if (op->kind == OP_KERNEL && (op->prerequisite ? op->prerequisite->lets_dependents : op->config.awaits != 0))
        return 0; /* it stands ready when the kernel before it ends */
    bool on_sms = op->kind == OP_KERNEL || op->kind == OP_SET ||
                  (op->kind == OP_COPY && op->copy.path == COPY_D2D);
    return on_sms ? t->kernel_start_us : 0;
}

static void arrive(struct operation *op)
{
    op->time.ready_ns += ns_of(start_us(op));
    not_before(op, now_ns);
    op->time.state = TIME_ARRIVES;
    push(op);
}

void vtime_issue(struct operation *op)
{
    operation_ref(op);
    op->time.issued_ns = runtime.host_ns;
    not_before(op, runtime.host_ns + ns_of(runtime.device->timing->submit_us));
    op->time.state = TIME_AWAITS;
    if (!op->time.awaited)
        arrive(op);
}

static void release_followers(struct operation *op)
{
    for (int i = 0; i < op->time.followers.count; i++) {
        struct operation *f = op->time.followers.data[i];
        comes_after(f, op);
        if (--f->time.awaited == 0 && f->time.state == TIME_AWAITS)
            arrive(f);
        operation_unref(f);
    }
    LIST_FREE(&op->time.followers);
}

static void end(struct operation *op)
{
    op->time.state = TIME_ENDED;
    op->time.end_ns = now_ns;
    if (op->bar_op == op->number)
        op->time.engine_ns = now_ns;
    if (op->status == cudaSuccess && runtime.options.counters)
        busy_add(op);
    timeline_add(op);
    release_followers(op);
    operation_unref(op);
}

/* ---- the clock runs ---- */

static bool must_be_executed(const struct operation *op)
{
    return (op->kind == OP_KERNEL || op->kind == OP_HOST || op->kind == OP_VALUE) && op->state != OP_DONE &&
           !op->time.work.known && !op->time.tried;
}

static void advance(uint64_t to)
{
    if (to > now_ns) {
        engines_advance(to - now_ns);
        now_ns = to;
    }
}

/* Nothing ends by itself any more, or nothing at all is left. @return whether to go on */
static bool go_on_executing(struct operation *target, bool execute)
{
    struct operation *op = target && execute ? engines_unknown() : NULL;
    if (!op)
        return false;
    operation_ref(op);
    engine_execute(op, GIVE_UP_STUCK);
    bool ended = op->state == OP_DONE;
    operation_unref(op);
    return ended;
}

/* The earliest event up to `limit`. @return false when there is none */
static bool step(uint64_t limit, struct operation *target, bool execute)
{
    struct operation *next = arrivals.count ? arrivals.data[0] : NULL, *op;
    uint64_t arrival = next ? next->time.ready_ns : NEVER, leaves = engines_next(now_ns);
    uint64_t at = arrival < leaves ? arrival : leaves;
    if (at == NEVER) /* a query waits for nobody: a host function may wait for what comes after it */
        return limit == NEVER && go_on_executing(target, execute);
    if (at > limit)
        return false;
    if (leaves > arrival && must_be_executed(next)) {
        if (!execute)
            return false;
        operation_ref(next);
        engine_execute(next, GIVE_UP_SOON);
        next->time.tried = true;
        operation_unref(next);
        return true; /* others may have issued operations meanwhile: look again */
    }
    advance(at);
    if (leaves <= arrival) {
        while ((op = engines_leave(now_ns)))
            end(op);
    } else {
        pop();
        engines_enter(next);
    }
    return true;
}

bool vtime_run(uint64_t limit, struct operation *target, bool execute)
{
    while (running && !runtime.sticky)
        runtime_wait_change(100);
    if (runtime.sticky)
        return false;
    running = true;
    while (!runtime.sticky && !(target && target->time.state == TIME_ENDED) &&
           step(limit, target, execute))
        ;
    if (!runtime.sticky && limit != NEVER && !(target && target->time.state == TIME_ENDED) &&
        (!arrivals.count || arrivals.data[0]->time.ready_ns > limit))
        advance(limit);
    running = false;
    runtime_changed();
    return target && target->time.state == TIME_ENDED;
}

void vtime_executed(struct operation *op)
{
    work_measure(op);
    if (op->time.state == TIME_ENGINE)
        engines_known(op, now_ns, runtime.host_ns);
}

/* ---- forgetting ---- */

static void drop(struct operation *op)
{
    op->time.state = TIME_ENDED;
    op->time.end_ns = now_ns;
    for (int i = 0; i < op->time.followers.count; i++) {
        struct operation *f = op->time.followers.data[i];
        if (--f->time.awaited == 0 && f->time.state == TIME_AWAITS)
            arrive(f); /* to be dropped in its turn */
        operation_unref(f);
    }
    LIST_FREE(&op->time.followers);
    operation_unref(op);
}

void vtime_drop(void)
{
    do {
        engines_clear(drop);
        while (arrivals.count) {
            struct operation *op = arrivals.data[0];
            pop();
            drop(op);
        }
    } while (arrivals.count);
}
