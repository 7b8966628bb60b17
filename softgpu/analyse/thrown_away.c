/**
 * @file thrown_away.c
 * See thrown_away.h. The way is the text from the load on, through branches that everybody takes, as long as there are only
 * computations and other weak loads.
 */
#include "analyse/thrown_away.h"

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/paths.h"
#include "code/operands.h"

bool insn_may_drop(const struct insn *in, unsigned index, uint32_t *by)
{
    switch (in->op->defined) {
    case DEFINED_CHOOSES:
        *by = in->src[2];
        return index < 2;
    case DEFINED_FALSE_DECIDES:
    case DEFINED_TRUE_DECIDES:
        *by = in->src[1 - index];
        return true;
    default:
        return false;
    }
}

/** Registers on the way that depend on the load's value, and on what other loads get. */
struct tracked {
    struct carried value, other;
    struct carried whole;   /**< of the first those that hold it in every lane, whatever predicates say */
    bool dropped;   /**< something on the way may drop the value */
};

static void note_drops(struct tracked *t, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        uint32_t by;
        if (!o.write && o.role == ROLE_SOURCE && carried_in(&t->value, o.reg) && insn_may_drop(in, o.index, &by) && by != REG_NONE &&
            !carried_in(&t->value, by) && !carried_in(&t->other, by))
            t->dropped = true;
    }
}

/** Will all lanes have used the value to make the results? */
static bool makes_whole(const struct tracked *t, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    bool whole = in->op->defined == DEFINED_CHOOSES && carried_in(&t->whole, in->src[0]) && carried_in(&t->whole, in->src[1]);
    for (struct operand o; operands_next(&it, &o);) {
        uint32_t by = REG_NONE;
        if (!o.write && carried_in(&t->whole, o.reg))
            whole |= !insn_may_drop(in, o.index, &by) || by == REG_NONE;
    }
    return whole;
}

/** Past a computation or another load. @return false if the way ends before it */
static bool go_past(struct tracked *t, const struct insn *in, struct kept_way *way)
{
    bool loads = insn_class(in) == INSN_LOAD && !order_is_strong(&in->mem), of_value = false, of_other = loads;
    struct operand_iter it = operands_of(in);
    if (insn_is_guarded(in) || way->count == KEPT_STEPS || (!loads && (insn_class(in) != INSN_COMPUTE || in->op->flags)))
        return false;
    for (struct operand o; operands_next(&it, &o);) {
        of_value |= !o.write && carried_in(&t->value, o.reg);
        of_other |= !o.write && carried_in(&t->other, o.reg);
        way->results += o.write;
    }
    if ((loads && of_value) || way->results > KEPT_RESULTS)
        return false;
    note_drops(t, in);
    bool whole = of_value && makes_whole(t, in);
    it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write)
            continue;
        carried_drop(&t->value, o.reg);
        carried_drop(&t->other, o.reg);
        carried_drop(&t->whole, o.reg);
        if (whole)
            carried_put(&t->whole, o.reg);
        if (of_value || of_other)
            carried_put(of_value ? &t->value : &t->other, o.reg);
    }
    way->step[way->count++] = (struct kept_step){in, !of_value && !of_other};
    return t->value.count <= KEPT_VALUES && t->other.count < MAX_CARRIED;
}

/** Fills in the way. @return false if the value is always used */
static bool follow(const struct function *f, const struct insn *load, void *found)
{
    struct kept_way *way = found;
    struct tracked t = {.value = carried_result(load), .whole = carried_result(load)};
    const struct insn *in = load + 1;
    int branches = 0;
    if (insn_class(load) != INSN_LOAD || order_is_strong(&load->mem) || insn_is_guarded(load) || t.value.count > KEPT_VALUES)
        return false;
    for (; flow_holds(f, in); in++) {
        while (insn_class(in) == INSN_BRANCH && !insn_is_guarded(in) && flow_holds(f, in->target) && branches++ < 4)
            in = in->target;
        if (!go_past(&t, in, way))
            break;
    }
    for (int i = 0; t.dropped && flow_holds(f, in) && i < t.value.count; i++)
        if (path_reads(f, in, t.value.reg[i])) {
            t.dropped &= !carried_in(&t.whole, t.value.reg[i]);
            way->value[way->values++] = t.value.reg[i];
        }
    return t.dropped && flow_holds(f, in);
}

const struct kept_way *load_kept_way(const struct function *f, const struct insn *load)
{
    return f && flow_holds(f, load) ? flow_of_insn(f, load, &flow_of(f)->kept_ways, follow, sizeof(struct kept_way)) : NULL;
}
