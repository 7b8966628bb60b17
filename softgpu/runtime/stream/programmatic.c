/**
 * @file programmatic.c
 * See programmatic.h. A kernel whose prerequisite never lets it begin early comes after it like any other.
 */
#include "runtime/stream/programmatic.h"

#include "base/mix.h"
#include "execute/grid_life.h"
#include "runtime/state/runtime.h"

void programmatic_issue(struct operation *op)
{
    struct operation *last = op->stream->last;
    if (!op->programmatic || !last || last->kind != OP_KERNEL || last->by.graph || last->status != cudaSuccess)
        return;
    op->prerequisite = last;
    operation_ref(last);
    if (runtime.options.check) /* what the prerequisite came after, all that runs beside it comes after, too */
        op_set_join(&op->before, &last->before);
}

bool programmatic_open(const struct operation *op)
{
    return op->state == OP_RUNNING && op->grid && grid_lets_dependents(op->grid);
}

void programmatic_begin(struct operation *op)
{
    struct operation *p = op->prerequisite;
    if (!p)
        return;
    op_set_join(&op->before, &p->before); /* which has grown, if it turned out to come after its own */
    if (p->state == OP_DONE && !p->lets_dependents) {
        op_set_join(&op->before, &op->behind);
        return;
    }
    op->config.awaits = p->number;
    op->config.awaited_ended = p->state == OP_DONE;
}

bool programmatic_beside(const struct operation *op)
{
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        if (o->prerequisite == op && o->state == OP_QUEUED &&
            (mix64(runtime.options.seed + o->number * MIX_STEP) & 1))
            return true;
    return false;
}

bool programmatic_waits(const struct operation *op)
{
    return op->prerequisite && op->prerequisite->state != OP_DONE;
}

void programmatic_ended(struct operation *op)
{
    op->lets_dependents = op->grid && op->grid->lets_dependents;
    for (struct operation *o = runtime.queue_head; o; o = o->next)
        if (o->prerequisite == op && o->state == OP_RUNNING && o->grid)
            grid_awaited_ended(o->grid);
    if (op->prerequisite) /* what it has to say is in the sets: no chain of all that was launched */
        operation_unref(op->prerequisite);
    op->prerequisite = NULL;
}
