/**
 * @file host_calls.c
 * Host functions and callbacks: on a thread of their own, as on the real runtime, one after another.
 *
 * What a function knows to be done is what it comes after, not what the program's threads have waited for meanwhile. But it may
 * wait for one of these by means that cannot be seen (a flag, a condition variable). One that does is still running when they go on: so they
 * give it a little time to end first, and one that has not then learns what they learn.
 */
#include <pthread.h>

#include "runtime/memory/host_watch.h"
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/unwaited.h"

/** Real time in which a function ends that waits for nobody; and where the machine is so busy that it has not come to run. */
#define HOST_CALL_MS 20
#define HOST_CALL_BUSY_MS 200

static LIST(struct operation *) host_calls;
static bool host_worker_started;

static void run_host_call(const struct host_call *call, cudaError_t status)
{
    if (call->fn)
        call->fn(call->data);
    else
        call->callback(call->handle, status, call->data);
}

static bool others_follow(const struct operation *op);

/** Functions that hold work up and could begin by now do so, before one that does not runs. */
static void begin_what_holds_up(void)
{
    for (struct operation *o = runtime.options.check && !runtime.ending ? runtime.queue_head : NULL; o; o = o->next)
        if (o->kind == OP_HOST && operation_ready(o) && others_follow(o))
            engine_begin_host_call(o);
}

static void *host_worker(void *unused)
{
    (void)unused;
    runtime_thread()->in_host_function = true;
    runtime_thread()->counted = true; /* no thread of the program's */
    runtime_lock();
    for (;;) {
        while (!host_calls.count)
            runtime_wait_change(1000);
        begin_what_holds_up();
        struct operation *op = host_calls.data[0];
        for (int i = 1; i < host_calls.count; i++)
            host_calls.data[i - 1] = host_calls.data[i];
        host_calls.count--;
        host_watch_update(); /* the call that issued what it may touch has not ended yet, perhaps */
        if (runtime.options.check) /* what it does, and what others learn from it, comes after these */
            op_set_join(&runtime.host_done, &op->before);
        unwaited_check();
        runtime.host_function = op;
        runtime_unlock();
        run_host_call(&op->host, op->status);
        runtime_lock();
        runtime.host_function = NULL;
        if (op->host.heard) {
            op_set_join(&runtime.host_done, &op->before);
            operations_learn(op->number, &op->before);
        }
        operation_finish(op);
    }
    return NULL;
}

/* ---- What the host learns while functions run ---- */

/* That has begun, `i` = 0 the one that runs; NULL: no more. */
static struct operation *begun(int i)
{
    if (runtime.host_function && i == 0)
        return runtime.host_function;
    i -= runtime.host_function != NULL;
    return i < host_calls.count ? host_calls.data[i] : NULL;
}

static bool all_awaited(void)
{
    struct operation *op;
    for (int i = 0; (op = begun(i)); i++)
        if (!op->host.awaited)
            return false;
    return true;
}

bool host_call_waits(uint64_t since, enum give_up when)
{
    uint64_t spent = runtime_clock_ms() - since;
    bool rests = when == GIVE_UP_SOON && spent > HOST_CALL_MS && !host_thread_runs();
    return rests || spent > HOST_CALL_BUSY_MS;
}

bool host_calls_wait(void)
{
    if (runtime_thread()->in_host_function || all_awaited())
        return false;
    uint64_t since = runtime_clock_ms(), spent = 0;
    while (!all_awaited() && (spent < HOST_CALL_MS || (spent < HOST_CALL_BUSY_MS && host_thread_runs()))) {
        runtime_wait_change(5);
        spent = runtime_clock_ms() - since;
    }
    struct operation *op;
    for (int i = 0; (op = begun(i)); i++)
        op->host.awaited = true;
    return true;
}

void host_calls_hear(const struct operation *done)
{
    if (runtime_thread()->in_host_function)
        return;
    host_threads_beside();
    host_calls_wait();
    struct operation *op;
    for (int i = 0; (op = begun(i)); i++) {
        op->host.heard = true;
        operation_known(done, &op->before);
    }
}

void host_function_learns(const struct op_set *known)
{
    struct operation *op = runtime_thread()->in_host_function ? runtime.host_function : NULL;
    if (!op)
        return;
    op->host.heard = true;
    op_set_join(&op->before, known);
}

static int own_threads;

int runtime_threads(void)
{
    return own_threads;
}

void runtime_start_thread(void *(*body)(void *))
{
    pthread_t thread;
    own_threads++;
    if (pthread_create(&thread, NULL, body, NULL) != 0)
        abort();
    pthread_detach(thread);
}

/** Does work wait for it that is compared with what others do? */
static bool others_follow(const struct operation *op)
{
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        if (o->kind != OP_MARK && op_set_has(&o->before, op->number))
            return true;
    return !runtime.options.check && op->stream && op->stream->last != op;
}

void engine_begin_host_call(struct operation *op)
{
    op->state = OP_RUNNING;
    *LIST_PUSH(&host_calls) = op;
    /* Those that hold work up go first: what they touch can then be compared with what the others touch. */
    for (int i = host_calls.count - 1; i > 0 && others_follow(op) && !others_follow(host_calls.data[i - 1]); i--) {
        host_calls.data[i] = host_calls.data[i - 1];
        host_calls.data[i - 1] = op;
    }
    if (!host_worker_started)
        runtime_start_thread(host_worker);
    host_worker_started = true;
    runtime_changed();
}
