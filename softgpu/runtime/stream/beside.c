/**
 * @file beside.c
 * See beside.h. A kernel that polls is not run alone, to its end, as long as there is one that it may wait for.
 */
#include "runtime/stream/beside.h"

#include "analyse/communication.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

/* Neither comes after the other, and it has not begun? */
static bool is_apart(const struct operation *op, const struct operation *o)
{
    return o != op && o->state == OP_QUEUED && !op_set_has(&o->before, op->number) && !op_set_has(&o->behind, op->number);
}

/* Kernels, and writes of values, that neither come after `op` nor have begun. */
static struct operation *next_apart(const struct operation *op, struct operation *from)
{
    struct operation *o = from;
    while (o && !((o->kind == OP_KERNEL || o->kind == OP_VALUE) && is_apart(op, o)))
        o = o->next;
    return o;
}

bool beside_waits(const struct operation *op)
{
    if (!communication_of(op->config.kernel)->polls)
        return false;
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        if (o->kind != OP_MARK && (is_apart(op, o) || (o->kind == OP_HOST && o->state == OP_RUNNING)))
            return true;
    return false;
}

bool beside_needed(struct operation *op)
{
    struct operation *o = next_apart(op, runtime.queue_head);
    if (!o || !communication_of(op->config.kernel)->polls)
        return false;
    for (; o; o = next_apart(op, o->next))
        engine_need(o);
    return true;
}
