/**
 * @file execution.c
 * Executes what has been issued: by the host thread that waits, or in the background.
 *
 * A round begins every operation whose dependencies are done, in issue order, and then runs the
 * started grids for a slice. Nothing here depends on real time, so a program with one host thread
 * replays; the exception is the background thread, which steps in only when the host may be
 * waiting for the device outside of CUDA: it polls memory it shares with the device, or waits for
 * a host function.
 */
#include "base/mix.h"
#include "execute/grid_life.h"
#include "report/progress.h"
#include "report/words/words.h"
#include "runtime/code/function.h"
#include "runtime/code/kernel.h"
#include "runtime/state/execution.h"
#include "runtime/state/unwaited.h"
#include "runtime/stream/instant.h"
#include "runtime/stream/beside.h"
#include "runtime/stream/interrupt.h"
#include "runtime/stream/patience.h"
#include "runtime/stream/programmatic.h"
#include "runtime/stream/relaunch.h"
#include "runtime/stream/together.h"
#include "runtime/state/value_op.h"
#include "runtime/time/record.h"

/** Warp instructions in one slice of machine_step(). */
#define SLICE_WAIT 2000000
#define SLICE_QUERY 100000
#define MAX_READY 128
/** Warp instructions after which an unfinished kernel that shares memory with the host counts as waiting for it. */
#define MAX_STEPS_UNASKED 50000000

/* ---- beginning operations ---- */

static void begin_kernel(struct operation *op)
{
    launch_configure(op);
    patience_begins(op);
    op->state = OP_RUNNING;
    op->grid = grid_start(runtime.machine, &op->config);
    if (!runtime.running_grids++)
        progress_begin(op->kernel->name, runtime.options.progress);
}

static void fault(struct operation *op)
{
    const char *message = grid_fault_message(op->grid);
    op->status = runtime.sticky = error_of_grid(op->grid->status);
    char kernel[160];
    put_kernel(kernel, sizeof kernel, op->kernel->name);
    if (message && *message)
        runtime_say("%s: %s", kernel, message);
}

/** Takes a grid's end: fault, counters, virtual time. */
void engine_grid_ended(struct operation *op)
{
    if (!--runtime.running_grids)
        progress_end();
    if (op->grid->status != GRID_DONE)
        fault(op), instant_beside_fault(op);
    operation_finish(op);
    if (runtime.sticky)
        operations_cancel(runtime.sticky);
}

/* Whether nobody can change what the device sees, or see what it does, while a kernel runs. */
static bool unobserved(const struct operation *kernel, enum drive drive)
{
    return !kernel->stood && !patience_needed(kernel, drive) && !runtime.shared_outside && (!runtime.host_visible || (drive == DRIVE_WAIT && runtime.host_threads <= 1));
}

/* Kernels of urgent streams get their blocks placed first. */
static void sort_by_priority(struct operation **ready, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && ready[j]->priority < ready[j - 1]->priority; j--) {
            struct operation *t = ready[j];
            ready[j] = ready[j - 1];
            ready[j - 1] = t;
        }
}

/* Begins what is ready, until nothing new is. @return whether anything began */
static bool begin_ready(enum drive drive)
{
    struct operation *kernels[MAX_READY], *next;
    bool any = false, again = true;
    int count = 0;
    while (again) {
        again = false;
        count = 0;
        for (struct operation *op = runtime.queue_head; op; op = next) {
            next = op->next;
            if (!operation_ready(op))
                continue;
            if (op->kind == OP_KERNEL) {
                if (count < MAX_READY)
                    kernels[count++] = op;
                continue;
            }
            again = any = true;
            if (op->kind == OP_HOST)
                engine_begin_host_call(op);
            else
                instant_execute(op);
        }
    }
    if (!count)
        return any;
    if (count == 1 && !runtime.running_grids && relaunch_wanted() && unobserved(kernels[0], drive)) {
        relaunch_run(kernels[0]);
        return true;
    }
    sort_by_priority(kernels, count);
    for (int i = 0; i < count && runtime.running_grids < MAX_READY; i++)
        begin_kernel(kernels[i]);
    return true;
}

/* ---- checked mode: any time that the rules allow ---- */

/* One word for each seed and operation. */
static uint64_t draw(uint64_t n)
{
    return mix64(runtime.options.seed + n * MIX_STEP);
}

void engine_draw(struct operation *op)
{
    uint64_t z = draw(op->number);
    bool movable = op->kind == OP_COPY || op->kind == OP_SET || op->kind == OP_KERNEL;
    if (!runtime.options.check)
        return;
    /* Programmers think in the order of issue, so its reverse shows most of what is missing. */
    op->rank = draw(0) & 3 ? op->number : z >> 1;
    bool compared = op->kind == OP_COPY && op->copy.registered; /* with what it was at the call: the host's changes are not seen otherwise */
    op->late = movable && ((z & 7) != 0 || compared);
    if (op->kind == OP_FREE)
        op->rank = 0; /* after all that it is not ordered with, so that those are seen to use the memory */
    if (op->kind == OP_ALLOC)
        op->rank = UINT64_MAX; /* and this before all of them */
    if ((z & 15) == 0 && !compared && (op->kind == OP_COPY || op->kind == OP_SET) && operation_ready(op))
        instant_execute(op);
}

/* Without recursion: a graph may be a chain of any length. */
void engine_need(struct operation *op)
{
    static LIST(struct operation *) todo;
    *LIST_PUSH(&todo) = op;
    while (todo.count) {
        struct operation *next = todo.data[--todo.count];
        if (next->needed || next->state == OP_DONE)
            continue;
        next->needed = true;
        for (int i = 0; i < next->deps.count; i++)
            *LIST_PUSH(&todo) = next->deps.data[i];
    }
}

static struct operation *highest(bool everything)
{
    struct operation *best = NULL;
    for (struct operation *op = runtime.queue_head; op; op = op->next) {
        if ((op->late && !op->needed && !everything) || (op->kind == OP_HOST && runtime.ending) || !operation_ready(op))
            continue;
        if (!best || op->rank > best->rank)
            best = op;
    }
    return best;
}

/* Begins what may run, the highest rank first, and a kernel that waits for no other alone, so that it can be run again; what comes after a kernel waits for the next round, so that
 * the kernel can end first. @return whether anything began */
static bool begin_checked(enum drive drive, bool everything)
{
    struct operation *op;
    bool any = false, begun = false;
    while ((op = highest(everything)) && !(begun && op->kind != OP_KERNEL)) {
        if (op->kind == OP_FREE && !everything) {
            everything = true;
            continue;
        }
        bool beside = op->kind == OP_KERNEL && beside_needed(op);
        if (op->kind == OP_KERNEL && op->rank && (together_needed(op) || beside)) {
            op->rank = 0; /* after all that the other comes after */
            continue;
        }
        any = true;
        bool again = op->kind == OP_KERNEL && !runtime.running_grids && relaunch_wanted() && unobserved(op, drive);
        if (again && relaunch_together(op))
            return true;
        if (op->kind == OP_HOST) {
            engine_begin_host_call(op);
        } else if (op->kind != OP_KERNEL) {
            instant_execute(op);
        } else if (again && !beside && !programmatic_beside(op)) {
            relaunch_run(op);
            return true;
        } else if (runtime.running_grids < MAX_READY) {
            begin_kernel(op);
            begun = true;
        } else {
            break;
        }
    }
    return any;
}

static bool begin(enum drive drive, bool everything)
{
    return runtime.options.check ? begin_checked(drive, everything) : begin_ready(drive);
}

/* ---- rounds ---- */

static void abort_running(enum grid_status status)
{
    for (struct operation *op = runtime.queue_head; op; op = op->next)
        if (op->kind == OP_KERNEL && op->state == OP_RUNNING && op->grid->status == GRID_RUNNING)
            grid_abort(op->grid, status);
}

static void collect_ended(void)
{
    for (struct operation *op = runtime.queue_head; op;) {
        if (op->kind == OP_KERNEL && op->state == OP_RUNNING && op->grid->status != GRID_RUNNING &&
            !(op->grid->status == GRID_DONE && programmatic_waits(op))) {
            engine_grid_ended(op);
            op = runtime.queue_head; /* the queue has changed */
        } else {
            op = op->next;
        }
    }
}

/* Of several kernels at once the first one's. */
static void tell_progress(void)
{
    for (struct operation *op = runtime.queue_head; op; op = op->next)
        if (op->kind == OP_KERNEL && op->state == OP_RUNNING) {
            progress_tell(op->grid->finished, op->grid->blocks);
            return;
        }
}

bool engine_round(enum drive drive)
{
    static bool polls; /* the grids did not get to an end in the last round: perhaps they poll */
    bool stand = patience_stands();
    bool any = begin(drive, polls || stand || drive == DRIVE_BACKGROUND);
    any |= stand && begin(drive, true); /* what a kernel that has begun now may look for */
    any = any || (!runtime.running_grids && drive == DRIVE_WAIT && begin(drive, true));
    if (!runtime.running_grids)
        return any;
    bool alone = patience_round(drive, runtime.queued > runtime.running_grids && (any || !machine_is_stalled(runtime.machine)));
    uint64_t slice = drive == DRIVE_WAIT && runtime.host_threads <= 1 && alone ? SLICE_WAIT : SLICE_QUERY;
    enum step_result result = (drive == DRIVE_BACKGROUND ? machine_step_beside : machine_step)(runtime.machine, slice);
    polls = result == STEP_BUDGET;
    tell_progress();
    if (result == STEP_STUCK && !(runtime.options.check && begin(drive, true)))
        abort_running(GRID_DEADLOCK);
    collect_ended();
    return true;
}

/* ---- waiting ---- */

void host_joins(struct operation *op)
{
    if (!runtime.options.check)
        return;
    host_calls_hear(op);
    operation_known(op, &runtime.host_done);
    unwaited_joined(op);
}

/* Nothing that has been issued can go on. */
static void wait_for_others(int ms)
{
    bool values = values_wait();
    if (values)
        values_give_up();
    if (!runtime.sticky)
        runtime_wait_change(values ? 1 : ms);
}

/* Runs the device until `op` is executed. */
static void drive(struct operation *op)
{
    runtime.waiting++;
    engine_need(op);
    while (op->state != OP_DONE && !runtime.sticky) {
        if (!engine_round(DRIVE_WAIT))
            wait_for_others(100);
        else if (op->state != OP_DONE)
            machine_is_stalled(runtime.machine) ? runtime_wait_change(1) : runtime_yield();
    }
    runtime.waiting--;
}

void engine_execute(struct operation *op, enum give_up when)
{
    /* A kernel may poll memory until the host, which is here, goes on; a host function may wait for
     * it, too. Where that can be, there is a bound. */
    uint64_t begin = machine_steps(runtime.machine), since = runtime_clock_ms();
    engine_need(op);
    bool polls = op->kind == OP_KERNEL && op->state != OP_DONE && patience_needed(op, DRIVE_QUERY);
    bool bound = when != GIVE_UP_STUCK && (runtime.host_visible || op->kind == OP_HOST || polls);
    runtime.waiting++;
    patience_host_goes_on(bound);
    while (op->state != OP_DONE && !runtime.sticky) {
        if (bound && op->kind != OP_HOST &&
            (machine_is_stalled(runtime.machine) || machine_steps(runtime.machine) - begin > MAX_STEPS_UNASKED))
            break;
        if (bound && op->kind == OP_HOST && host_call_waits(since, when))
            break;
        if (!engine_round(DRIVE_WAIT)) {
            if (when != GIVE_UP_STUCK && values_wait())
                break;
            wait_for_others(bound && op->kind == OP_HOST ? 5 : 100);
        } else if (op->state != OP_DONE) {
            runtime_yield();
        }
    }
    patience_host_goes_on(false);
    runtime.waiting--;
}

/* `known`: the host has waited, by the rules. */
static cudaError_t join(struct operation *op, bool known)
{
    operation_ref(op);
    runtime.joins = known && !runtime.waiting ? op : NULL; /* of several that wait any may be the first to end: drive() lets go of the runtime's lock */
    drive(op);
    runtime.joins = NULL;
    if (!runtime.sticky)
        vtime_run(UINT64_MAX, op, true);
    if (op->state == OP_DONE && (op->time.state == TIME_ENDED || op->early_mark)) {
        if (op->time.end_ns > runtime.host_ns) {
            runtime.host_ns = op->time.end_ns;
            vtime_host(runtime.device->timing->notice_us);
        }
        if (known)
            host_joins(op);
    }
    operation_unref(op);
    return runtime.sticky;
}

cudaError_t engine_join(struct operation *op)
{
    return join(op, true);
}

cudaError_t engine_drain(struct operation *op)
{
    return join(op, false);
}

cudaError_t engine_pass(struct operation *op, const char *call)
{
    uint64_t from = runtime.host_ns;
    operation_ref(op);
    cudaError_t e = join(op, false);
    timeline_call(call, from, op);
    operation_unref(op);
    return e;
}

cudaError_t engine_wait(struct operation *op, const char *call)
{
    uint64_t from = runtime.host_ns;
    operation_ref(op);
    cudaError_t e = engine_join(op);
    timeline_call(call, from, op);
    operation_unref(op);
    return e;
}

cudaError_t engine_query(struct operation *op)
{
    operation_ref(op);
    vtime_host(runtime.device->timing->query_us);
    interrupt_host(op);
    if (op->state != OP_DONE && !runtime.sticky)
        engine_round(DRIVE_QUERY);
    bool ended = !runtime.sticky && vtime_run(runtime.host_ns, op, true);
    if (ended) {
        drive(op);
        host_joins(op);
    }
    operation_unref(op);
    return runtime.sticky ? runtime.sticky : ended ? cudaSuccess : cudaErrorNotReady;
}
