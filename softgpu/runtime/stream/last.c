/**
 * @file last.c
 * See last.h.
 */
#include "runtime/stream/last.h"

#include "memory/memory.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

static bool comes_after(const struct operation *o, const struct operation *op)
{
    return op_set_has(&o->before, op->number) || op_set_has(&o->behind, op->number);
}

/* May its execution let the host, or anybody else, issue something? */
static bool lets_others_in(const struct operation *o)
{
    return o->kind == OP_HOST || o->kind == OP_VALUE || o->by.graph;
}

bool operation_is_last(const struct operation *op)
{
    const struct operation *waited = runtime.joins;
    if (!runtime.options.check || !waited || (waited != op && !comes_after(waited, op)) || op->programmatic || op->prerequisite || op->early.count ||
        op->by.graph || runtime.options.devices > 1 || runtime.shared_outside || memory_has_client())
        return false;
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        if (o != op && (lets_others_in(o) || !op_set_has(&o->before, op->number)))
            return false;
    return !host_has_other_threads() /* they may issue something while this one waits */;
}

uint64_t operations_settled(void)
{
    return runtime.queue_head ? runtime.queue_head->settled : runtime.host_done.floor; /* the oldest that is still to end knows least */
}
