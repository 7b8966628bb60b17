/**
 * @file instant.c
 * What takes effect at once: copies, fills, marks, memory that comes and goes.
 */
#include "runtime/stream/instant.h"

#include "execute/observer.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/graph_block.h"
#include "runtime/memory/pool.h"
#include "runtime/state/unwaited.h"
#include "runtime/state/value_op.h"
#include "runtime/stream/node_launch.h"

/* Memory that comes or goes in stream order: for others it is as if all of it was written. */
static void observe_range(const struct operation *op)
{
    const struct allocation *a = memory_find(machine_memory(runtime.machine), op->address);
    if (!runtime.options.check || !a || a->freed)
        return;
    struct host_op h = {.op = op->number, .name = op->name, .before = &op->before, .waited = &runtime.host_done,
                        .write_base = a->base, .write_bytes = a->bytes, .by = op->by};
    OBSERVE(machine_observers(runtime.machine), host_op, &h);
}

static void free_now(const struct operation *op)
{
    const struct graph_block *b = graph_block_at(op->address);
    struct allocation *a = memory_find(machine_memory(runtime.machine), op->address);
    if (a)
        a->freed_by = op->number;
    if (a && a->kind == ALLOC_HOST)
        host_freed(a->base);
    memory_free(machine_memory(runtime.machine), op->address);
    if (b)
        graph_block_end(b);
}

void instant_execute(struct operation *op)
{
    if (op->kind == OP_VALUE) {
        if (!value_go_on(op))
            return;
        operation_finish(op);
        if (runtime.sticky)
            operations_cancel(runtime.sticky);
        return;
    }
    node_writes_do(op->writes, op);
    if (op->kind == OP_COPY && runtime.options.check)
        unwaited_overwrites(op), unwaited_reads(op);
    if (op->kind == OP_ALLOC)
        graph_block_begin(graph_block_at(op->address));
    if (op->kind == OP_COPY)
        copy_execute(op);
    else if (op->kind == OP_SET)
        set_execute(op);
    else if (op->address)
        observe_range(op);
    if (op->kind == OP_FREE)
        free_now(op);
    operation_finish(op);
}

/* Whether it writes device memory, and nothing that it waits for is still to come or has failed. */
static bool unheld_write(const struct operation *op, const struct operation *failed)
{
    enum copy_path path = op->copy.path;
    if (op->state != OP_QUEUED || !(op->kind == OP_SET || (op->kind == OP_COPY && path != COPY_D2H && path != COPY_H2H)))
        return false;
    for (int i = 0; i < op->deps.count; i++)
        if (op->deps.data[i] == failed || op->deps.data[i]->state != OP_DONE)
            return false;
    return true;
}

void instant_beside_fault(const struct operation *failed)
{
    struct operation *next;
    for (bool again = runtime.options.check; again;) {
        again = false;
        for (struct operation *op = runtime.queue_head; op; op = next) {
            next = op->next;
            if (!unheld_write(op, failed))
                continue;
            again = true;
            if (op->kind == OP_COPY)
                copy_execute(op);
            else
                set_execute(op);
            operation_finish(op);
        }
    }
}
