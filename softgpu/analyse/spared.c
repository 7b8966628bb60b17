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

/** A plain load of one element, from where `value` does not lead? */
static bool is_plain_load(const struct insn *in, const struct carried *value)
{
    return insn_class(in) == INSN_LOAD && in->mem.order == ORDER_WEAK && in->mem.count == 1 && in->mem.bytes <= 8 && in->mem.address_bytes == 8 &&
           (in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_GENERIC) && !carried_in(value, in->src[0]);
}

/** Only computes what is not used at `other`, or loads plainly? */
static bool is_quiet(const struct function *f, const struct insn *in, const struct insn *other, const struct carried *value, struct spared *s)
{
    if (insn_class(in) == INSN_COMPUTE && !in->op->flags)
        return !is_used(f, in, other);
    if (!is_plain_load(in, value))
        return false;
    if (!is_used(f, in, other))
        return true;
    if (s->agains == SPARED_LOADS)
        return false;
    s->again[s->agains++] = in;
    return true;
}

/** Does a thread come from there to `other` and do no more on the way than is_quiet()? */
static bool leads_straight(const struct function *f, const struct insn *from, const struct insn *other, struct carried value, struct spared *s)
{
    const struct insn *in = from;
    for (int steps = 0; steps < SPARED_STEPS && flow_holds(f, in) && in != other && !insn_is_guarded(in); steps++) {
        if (insn_class(in) == INSN_BRANCH) {
            in = in->target;
            continue;
        }
        if (!is_quiet(f, in, other, &value, s))
            return false;
        carried_compute(&value, in);
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
        bool updates = !s.update && is_spared(in, &value);
        if (insn_is_guarded(in) || (updates ? is_used(f, in, other) : !is_quiet(f, in, other, &value, &s)))
            return none;
        s.update = updates ? in : s.update;
        carried_compute(&value, in);
    }
    if (!s.update || !flow_holds(f, in))
        return none;
    int before = s.agains;
    if (leads_straight(f, in, other, value, &s))
        return s;
    if (insn_class(in) != INSN_BRANCH || !insn_is_guarded(in))
        return none;
    s.agains = before;
    s.asks = in;
    s.jumps = leads_straight(f, in->target, other, value, &s);
    if (s.jumps)
        return s;
    s.agains = before;
    return leads_straight(f, in + 1, other, value, &s) ? s : none;
}
