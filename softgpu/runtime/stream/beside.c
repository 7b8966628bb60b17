/**
 * @file beside.c
 * See beside.h. A kernel that polls is not run alone, to its end, as long as there is one that it may wait for.
 */
#include "runtime/stream/beside.h"

#include "analyse/polls.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

static bool any_polls(const struct function *f)
{
    for (const struct insn *in = f->entry; in && in < f->end; in++) {
        enum insn_class c = insn_class(in);
        if ((c == INSN_LOAD || c == INSN_ATOMIC) && in->mem.space != SPACE_SHARED && order_is_strong(&in->mem) &&
            load_polls(f, in))
            return true;
    }
    return false;
}

static bool calls(const struct function *f)
{
    for (const struct insn *in = f->entry; in && in < f->end; in++)
        if (insn_class(in) == INSN_CALL)
            return true;
    return false;
}

/* Any function of its image is taken for called, where it calls. Launches come in series: the last answer is kept. */
static bool kernel_polls(const struct function *f)
{
    static const struct function *last;
    static bool answer;
    if (f == last)
        return answer;
    last = f;
    answer = any_polls(f);
    for (int i = 0; !answer && calls(f) && i < f->image->function_count; i++)
        answer = any_polls(f->image->functions[i]);
    return answer;
}

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
    if (!o || !kernel_polls(op->config.kernel))
        return false;
    for (; o; o = next_apart(op, o->next))
        engine_need(o);
    return true;
}
