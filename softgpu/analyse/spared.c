/**
 * @file spared.c
 * See spared.h. The way is the text from there on, behind the update through branches that everybody takes.
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

/** May it, made twice, leave what it leaves once? */
static bool may_be_vain(const struct insn *in)
{
    if (insn_class(in) == INSN_STORE)
        return in->mem.order == ORDER_RELAXED || in->mem.order == ORDER_VOLATILE;
    return insn_class(in) == INSN_ATOMIC && in->mem.order == ORDER_RELAXED &&
           (insn_is_bound(in) || in->mem.atom == ATOM_EXCH || in->mem.atom == ATOM_OR || in->mem.atom == ATOM_AND);
}

static bool is_spared(const struct insn *in, const struct carried *value)
{
    return may_be_vain(in) && in->mem.count == 1 && in->mem.address_bytes && !carried_in(value, in->src[0]) &&
           !carried_in(value, element_operand(in, 0));
}

/** Does a thread come from there to `other` and only compute on the way what is not used there? */
static bool leads_straight(const struct function *f, const struct insn *from, const struct insn *other)
{
    const struct insn *in = from;
    for (int steps = 0; steps < SPARED_STEPS && flow_holds(f, in) && in != other && !insn_is_guarded(in); steps++) {
        if (insn_class(in) == INSN_BRANCH)
            in = in->target;
        else if (insn_class(in) != INSN_COMPUTE || in->op->flags || is_used(f, in, other))
            return false;
        else
            in++;
    }
    return in == other;
}

struct spared spared_update(const struct function *f, const struct insn *from, const struct insn *other, struct carried value)
{
    static const struct spared none;
    struct spared s = {0};
    const struct insn *in = from;
    for (; flow_holds(f, in) && in - from < SPARED_STEPS && insn_class(in) != INSN_BRANCH && in != other; in++) {
        bool computes = insn_class(in) == INSN_COMPUTE && !in->op->flags;
        if (insn_is_guarded(in) || (!computes && (s.update || !is_spared(in, &value))) || is_used(f, in, other))
            return none;
        s.update = computes ? s.update : in;
        carried_compute(&value, in);
    }
    if (!s.update || !flow_holds(f, in))
        return none;
    if (leads_straight(f, in, other))
        return s;
    if (insn_class(in) != INSN_BRANCH || !insn_is_guarded(in))
        return none;
    s.asks = in;
    s.jumps = leads_straight(f, in->target, other);
    return s.jumps || leads_straight(f, in + 1, other) ? s : none;
}
