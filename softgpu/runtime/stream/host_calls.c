/**
 * @file host_calls.c
 * Host functions and callbacks: on a thread of their own, as on the real runtime, one after another.
 */
#include <pthread.h>

#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/unwaited.h"

static LIST(struct operation *) host_calls;
static bool host_worker_started;

static void run_host_call(const struct host_call *call, cudaError_t status)
{
    if (call->fn)
        call->fn(call->data);
    else
        call->callback(call->handle, status, call->data);
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
        struct operation *op = host_calls.data[0];
        for (int i = 1; i < host_calls.count; i++)
            host_calls.data[i - 1] = host_calls.data[i];
        host_calls.count--;
        if (runtime.options.check) /* what it does, and what others learn from it, comes after these */
            op_set_join(&runtime.host_done, &op->before);
        unwaited_check();
        runtime.host_function = op;
        runtime_unlock();
        run_host_call(&op->host, op->status);
        runtime_lock();
        runtime.host_function = NULL;
        operation_finish(op);
    }
    return NULL;
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

void engine_begin_host_call(struct operation *op)
{
    op->state = OP_RUNNING;
    *LIST_PUSH(&host_calls) = op;
    if (!host_worker_started)
        runtime_start_thread(host_worker);
    host_worker_started = true;
    runtime_changed();
}
