/**
 * @file beside.c
 * See beside.h. A kernel that polls is not run alone, to its end, as long as there is one that it may wait for.
 */
#include "runtime/stream/beside.h"

#include "analyse/communication.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

/* Kernels, and writes of values, that neither come after `op` nor have begun. */
static struct operation *next_apart(const struct operation *op, struct operation *from)
{
    for (struct operation *o = from; o; o = o->next)
        if ((o->kind == OP_KERNEL || o->kind == OP_VALUE) && o != op && o->state == OP_QUEUED && !op_set_has(&o->before, op->number) &&
            !op_set_has(&o->behind, op->number))
            return o;
    return NULL;
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
