/**
 * @file together.c
 * See together.h. Kernels communicate by strong accesses to memory that both reach: an allocation that both are given, or the
 * variables of a module that both belong to.
 */
#include "runtime/stream/together.h"

#include <string.h>

#include "analyse/communication.h"
#include "analyse/effects.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"
#include "runtime/stream/programmatic.h"

/** Pointers among a kernel's arguments that are looked at. */
#define MAX_POINTERS 64

/* ---- What two kernels share ---- */

static int pointers_of(const struct operation *op, const struct allocation *out[MAX_POINTERS])
{
    int n = 0;
    for (uint32_t at = 0; at + 8 <= op->config.kernel->param_bytes && n < MAX_POINTERS; at += 8) {
        uint64_t value;
        memcpy(&value, (const char *)op->params + at, sizeof value);
        const struct allocation *a = memory_find(machine_memory(runtime.machine), value);
        if (a && !a->freed)
            out[n++] = a;
    }
    return n;
}

/* Strings of printf and the like have names that no program gives. */
static bool same_variables(const struct operation *a, const struct operation *b)
{
    const struct image *im = a->config.kernel->image, *other = b->config.kernel->image;
    for (int i = 0; i < im->variable_count; i++) {
        const struct image_variable *v = &im->variables[i];
        if (v->space == SPACE_GLOBAL && v->name[0] != '$' && (im == other || v->managed))
            return true;
    }
    return false;
}

static bool share_memory(const struct operation *a, const struct operation *b)
{
    const struct allocation *of_a[MAX_POINTERS], *of_b[MAX_POINTERS];
    int n = pointers_of(a, of_a), m = pointers_of(b, of_b);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            if (of_a[i] == of_b[k])
                return true;
    return same_variables(a, b);
}

/* ---- Who runs with whom ---- */

static bool may_take_part(const struct operation *op)
{
    return op->kind == OP_KERNEL && op->state == OP_QUEUED && !op->programmatic && !op->prerequisite && !op->early.count &&
           communication_of(op->config.kernel)->speaks && !kernel_launches(op->config.kernel);
}

static bool comes_after(const struct operation *o, const struct operation *op)
{
    return op_set_has(&o->before, op->number) || op_set_has(&o->behind, op->number);
}

static bool communicate(const struct operation *a, const struct operation *b)
{
    return (communication_of(a->config.kernel)->listens || communication_of(b->config.kernel)->listens) && share_memory(a, b);
}

static bool may_meet(const struct operation *op, const struct operation *o)
{
    return o != op && may_take_part(o) && !comes_after(o, op) && !comes_after(op, o) && communicate(op, o);
}

bool together_needed(struct operation *op)
{
    bool any = false;
    if (!may_take_part(op))
        return false;
    for (struct operation *o = runtime.queue_head; o; o = o->next)
        if (may_meet(op, o)) {
            engine_need(o);
            any = true;
        }
    return any;
}

static bool is_among(struct operation *const *ops, int count, const struct operation *o)
{
    for (int i = 0; i < count; i++)
        if (ops[i] == o)
            return true;
    return false;
}

/* Can some of them wait for what is not among them? */
static bool waits_for_others(struct operation *const *ops, int count)
{
    for (int i = 0; i < count; i++)
        if (communication_of(ops[i]->config.kernel)->polls)
            for (const struct operation *o = runtime.queue_head; o; o = o->next)
                if (o->kind != OP_MARK && !is_among(ops, count, o) && !comes_after(o, ops[i]))
                    return true;
    return false;
}

int together_find(struct operation *op, struct operation *ops[MAX_TOGETHER])
{
    int n = 1;
    ops[0] = op;
    if (!may_take_part(op) || programmatic_beside(op))
        return 1;
    for (struct operation *o = runtime.queue_head; o; o = o->next)
        if (may_meet(op, o) && operation_ready(o) && !programmatic_beside(o)) {
            if (n == MAX_TOGETHER)
                return 1;
            ops[n++] = o;
        }
    return waits_for_others(ops, n) ? 1 : n;
}
