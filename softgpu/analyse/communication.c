/**
 * @file communication.c
 * See communication.h.
 */
#include "analyse/communication.h"

#include "analyse/flow.h"
#include "analyse/polls.h"
#include "base/arena.h"
#include "code/ops.h"

/** One by which a kernel speaks with others: a strong one, or a load that says it is to get what they have just stored. */
static bool is_meant_for_others(const struct insn *in)
{
    return in->mem.space != SPACE_SHARED && (order_is_strong(&in->mem) || in->mem.again);
}

static void add_accesses(struct communication *t, const struct function *f)
{
    for (const struct insn *in = f->entry; in && in < f->end; in++) {
        enum insn_class c = insn_class(in);
        if ((c != INSN_LOAD && c != INSN_STORE && c != INSN_ATOMIC) || !is_meant_for_others(in))
            continue;
        bool gets = c == INSN_LOAD || (c == INSN_ATOMIC && in->dst != REG_NONE);
        t->speaks = true;
        t->listens |= gets;
        t->polls |= gets && load_polls(f, in);
    }
}

static bool calls(const struct function *f)
{
    for (const struct insn *in = f->entry; in && in < f->end; in++)
        if (insn_class(in) == INSN_CALL)
            return true;
    return false;
}

static void *make_communication(struct arena *a, const void *context)
{
    const struct function *f = context;
    struct communication *t = arena_alloc(a, sizeof *t);
    *t = (struct communication){0};
    add_accesses(t, f);
    int others = calls(f) ? f->image->function_count : 0;
    for (int i = 0; i < others; i++)
        add_accesses(t, f->image->functions[i]);
    return t;
}

const struct communication *communication_of(const struct function *kernel)
{
    static const struct communication silent;
    return kernel->entry ? FLOW_ONCE(kernel, &flow_of(kernel)->communication, make_communication, kernel) : &silent;
}
