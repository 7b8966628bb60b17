/**
 * @file block_ways.c
 * See block_ways.h.
 */
#include "analyse/block_ways.h"

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "analyse/varies.h"

/** Does it order memory, or do threads meet there? */
static bool orders(const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_FENCE: case INSN_BARRIER: case INSN_MEETING:
        return true;
    case INSN_LOAD: case INSN_STORE: case INSN_ATOMIC:
        return order_acquires(in->mem.order) || order_releases(in->mem.order);
    default:
        return false;
    }
}

/** An atomic that hands its thread something, from which a way leads to the instruction. */
static bool is_behind_ticket(const struct function *f, const struct insn *in)
{
    for (const struct insn *atomic = f->entry; atomic < f->end; atomic++)
        if (insn_class(atomic) == INSN_ATOMIC && atomic->dst != REG_NONE && path_find(f, atomic, in, NULL, NULL) != PATH_NONE)
            return true;
    return false;
}

/** Does a way of the branch pass by something that orders? */
static bool leaves_out(const struct function *f, const struct insn *branch)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (orders(in) && (path_passes_by(f, branch, branch + 1, in, NULL, false) || path_passes_by(f, branch, branch->target, in, NULL, false)))
            return true;
    return false;
}

static bool decides_by_block(const struct function *f, const struct insn *in)
{
    bool branch = insn_class(in) == INSN_BRANCH && in + 1 < f->end && flow_holds(f, in->target);
    return insn_is_guarded(in) && (branch || orders(in)) && branch_varies_by_block(f, in) && is_behind_ticket(f, in) && (!branch || leaves_out(f, in));
}

bool function_orders_by_block(const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (decides_by_block(f, in))
            return true;
    return false;
}
