/**
 * @file spared.c
 * See spared.h. The way is the text from there on, through branches that everybody takes.
 */
#include "analyse/spared.h"

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "code/operands.h"

/** Is anything that the instruction writes read at `other`, or later? */
static bool is_used(const struct function *f, const struct insn *in, const struct insn *other)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write && path_reads(f, other, o.reg))
            return true;
    return false;
}

static bool is_bound(const struct insn *in, const struct carried *value)
{
    return insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_MIN || in->mem.atom == ATOM_MAX) && in->mem.count == 1 &&
           in->mem.order == ORDER_RELAXED && in->mem.address_bytes && !carried_in(value, in->src[0]) &&
           !carried_in(value, element_operand(in, 0));
}

const struct insn *spared_update(const struct function *f, const struct insn *from, const struct insn *other, struct carried value)
{
    const struct insn *update = NULL, *in = from;
    for (int steps = 0; flow_holds(f, in) && in != other; steps++) {
        if (steps == SPARED_STEPS || insn_is_guarded(in))
            return NULL;
        if (insn_class(in) == INSN_BRANCH && update) {
            in = in->target;
            continue;
        }
        bool computes = insn_class(in) == INSN_COMPUTE && !in->op->flags;
        if ((!computes && (update || !is_bound(in, &value))) || is_used(f, in, other))
            return NULL;
        update = computes ? update : in;
        carried_compute(&value, in++);
    }
    return in == other ? update : NULL;
}
