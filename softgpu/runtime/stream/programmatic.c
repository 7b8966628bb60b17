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
    programmatic_behind(op, last);
}

void programmatic_behind(struct operation *op, struct operation *last)
{
    op->prerequisite = last;
    operation_ref(last);
    if (runtime.options.check) /* what the prerequisite came after, all that runs beside it comes after, too */
        op_set_join(&op->before, &last->before);
}

bool programmatic_open(const struct operation *op)
{
    return op->state == OP_RUNNING && op->grid && grid_lets_dependents(op->grid);
}

/* ---- Marks ---- */

static void early_note(const struct operation *op, const struct early *e)
{
    operation_note(e->awaited ? NOTE_TRIGGER : NOTE_BEGUN, op->number, e->kernel->number, op->by);
}

struct operation *early_mark(struct operation *kernel, enum early_point point, bool awaited, struct stream *s)
{
    struct operation *op = operation_new(OP_MARK, kernel->name);
    op->early_mark = point;
    op->by = kernel->by;
    op->priority = s->priority;
    op->device = s->device;
    operation_ref(kernel);
    *LIST_PUSH(&op->early) = (struct early){kernel, point, awaited};
    kernel->config.tells_start |= point == EARLY_BEGUN;
    if (runtime.options.check && kernel->state == OP_DONE && point == EARLY_TRIGGER && !kernel->lets_dependents)
        operation_known(kernel, &op->behind); /* as for those that were there at its end */
    operation_ref(op);
    operation_issue_node(op, s, &kernel, 1, false);
    early_note(op, &op->early.data[0]);
    return op;
}

static bool has_early(const struct operation *op, const struct early *e)
{
    for (int i = 0; i < op->early.count; i++)
        if (op->early.data[i].kernel == e->kernel && op->early.data[i].point == e->point && op->early.data[i].awaited == e->awaited)
            return true;
    return false;
}

/* A kernel's are its own: what comes after it comes after all of it. */
void early_inherit(struct operation *op, const struct operation *mark)
{
    for (int i = 0; mark->kind == OP_MARK && i < mark->early.count; i++) {
        const struct early *e = &mark->early.data[i];
        if (has_early(op, e) || op_set_has(&op->before, e->kernel->number))
            continue;
        operation_ref(e->kernel);
        *LIST_PUSH(&op->early) = *e;
        if (op->kind != OP_MARK)
            early_note(op, e);
    }
}

bool early_come(const struct operation *mark, const struct operation *kernel)
{
    return kernel->state == OP_RUNNING && kernel->grid &&
           (mark->early_mark == EARLY_BEGUN ? grid_has_begun(kernel->grid) : grid_lets_dependents(kernel->grid));
}

void early_drop(struct operation *op)
{
    for (int i = 0; i < op->early.count; i++)
        operation_unref(op->early.data[i].kernel);
    LIST_FREE(&op->early);
}

/* ---- Beginning ---- */

static void await(struct operation *op, const struct operation *kernel)
{
    op_set_add(&op->awaits, kernel->number);
    op->config.awaits = &op->awaits;
    op->config.awaited += kernel->state != OP_DONE;
}

static void begin_early(struct operation *op)
{
    for (int i = 0; i < op->early.count; i++) {
        const struct operation *k = op->early.data[i].kernel;
        op_set_join(&op->before, &k->before);
        if (op->early.data[i].awaited && !op_set_has(&op->awaits, k->number) && !op_set_has(&op->before, k->number))
            await(op, k);
    }
}

void programmatic_begin(struct operation *op)
{
    struct operation *p = op->prerequisite;
    begin_early(op);
    if (!p)
        return;
    op_set_join(&op->before, &p->before); /* which has grown, if it turned out to come after its own */
    if (p->state == OP_DONE && !p->lets_dependents) {
        op_set_join(&op->before, &op->behind);
        return;
    }
    if (!op_set_has(&op->awaits, p->number))
        await(op, p);
}

static bool waits_early(const struct operation *o, const struct operation *op)
{
    for (int i = 0; i < o->early.count; i++)
        if (o->early.data[i].kernel == op)
            return true;
    return false;
}

bool programmatic_beside(const struct operation *op)
{
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        if (o->state == OP_QUEUED && (o->prerequisite == op || (o->kind != OP_MARK && waits_early(o, op))) &&
            (mix64(runtime.options.seed + o->number * MIX_STEP) & 1))
            return true;
    return false;
}

bool programmatic_waits(const struct operation *op)
{
    return op->prerequisite && op->prerequisite->state != OP_DONE;
}

/* What turns out when a kernel has ended: it has waited for those beside which it ran, so that whoever comes after it comes after
 * them; it had no trigger, so that whoever waited for that comes after all of it. */
static void tell_known(struct operation *op)
{
    for (int i = 0; op->grid && op->grid->has_waited && i < op->early.count; i++)
        if (op->early.data[i].awaited)
            operation_known(op->early.data[i].kernel, &op->behind);
    if (op->early.count)
        operations_learn(op->number, &op->behind);
    for (struct operation *o = runtime.queue_head; o && !op->lets_dependents; o = o->next)
        if (o->early_mark == EARLY_TRIGGER && o->early.data[0].kernel == op) {
            operation_known(op, &o->behind);
            operations_learn(o->number, &o->behind);
        }
}

void programmatic_ended(struct operation *op)
{
    op->lets_dependents = op->grid && op->grid->lets_dependents;
    for (struct operation *o = runtime.queue_head; o; o = o->next)
        if (o->state == OP_RUNNING && o->kind == OP_KERNEL && o->grid && op_set_has(&o->awaits, op->number))
            grid_awaited_ended(o->grid);
    if (runtime.options.check)
        tell_known(op);
    early_drop(op);
    if (op->prerequisite) /* what it has to say is in the sets: no chain of all that was launched */
        operation_unref(op->prerequisite);
    op->prerequisite = NULL;
}
