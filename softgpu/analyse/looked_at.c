/**
 * @file looked_at.c
 * See looked_at.h.
 */
#include "analyse/looked_at.h"

#include "code/descriptions.h"
#include "code/operands.h"

/** Is the result what one source holds? `or` copies bytes, too, but of two. */
static bool copies_value(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_or_16: case ROW_or_32: case ROW_or_64: case ROW_bfi_32: case ROW_bfi_64:
        return false;
    default:
        return in->op->defined == DEFINED_COPIES;
    }
}

void value_follow(struct carried *r, const struct insn *in, bool copies)
{
    struct operand_iter it = operands_of(in);
    bool from = false, carries = !insn_is_memory(in) && (!copies || copies_value(in));
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write)
            from |= carries && o.role == ROLE_SOURCE && carried_in(r, o.reg);
        else if (from)
            carried_put(r, o.reg);
        else if (!insn_is_guarded(in))
            carried_drop(r, o.reg);
    }
}

/** Is this stored where the caller finds it? */
static bool is_returned(const struct insn *in, const struct carried *r)
{
    return insn_class(in) == INSN_STORE && (in->mem.space == SPACE_PARAM || in->mem.call_slot) && carried_in(r, in->src[1]);
}

const struct insn *way_next(const struct insn *in)
{
    if (insn_falls_through(in))
        return in + 1;
    return insn_class(in) == INSN_BRANCH && in->target > in ? in->target : NULL;
}

/** What still holds an atomic's result, and what holds it as it was. */
struct result {
    const struct insn *atomic;
    struct carried depends, same;
    const struct insn *back;     /**< the branch back, of a loop around the atomic, that this way has taken; NULL: none */
    int held;                    /**< by so many registers when it did */
};

/** Ways are followed up to that many branches deep; beyond, the result is taken for looked at. */
#define MAX_BRANCHES 4

static bool decides_from(const struct function *f, const struct insn *in, struct result r, int branches);

/** In the next turn of a loop around the atomic? What nobody uses there is over when the atomic is made again. A second time round nothing is new,
 *  unless more has been computed from it. */
static bool decides_later(const struct function *f, const struct insn *back, struct result r, int branches)
{
    if (r.back == back)
        return r.depends.count > r.held;
    if (r.back || branches == MAX_BRANCHES)
        return true;
    r.back = back;
    r.held = r.depends.count;
    return decides_from(f, back->target, r, branches + 1);
}

/** Does it decide anything, or leave the registers' sight, on some way from `in` on? */
static bool decides_from(const struct function *f, const struct insn *in, struct result r, int branches)
{
    for (int n = 0; in && in < f->end && n < MOST_FOLLOWED && r.depends.count; n++, in = way_next(in)) {
        bool branch = insn_class(in) == INSN_BRANCH;
        if ((insn_is_guarded(in) && carried_in(&r.depends, in->guard)) || insn_class(in) == INSN_CALL ||
            (branch && in->target <= r.atomic && decides_later(f, in, r, branches)) || (is_returned(in, &r.depends) && !is_returned(in, &r.same)))
            return true;
        if (branch && insn_falls_through(in) && in->target > in &&
            (branches == MAX_BRANCHES || decides_from(f, in->target, r, branches + 1)))
            return true;
        value_follow(&r.depends, in, false);
        value_follow(&r.same, in, true);
    }
    return false;
}

bool result_is_looked_at(const struct function *f, const struct insn *atomic)
{
    struct result r = {.atomic = atomic};
    if (atomic->dst == REG_NONE)
        return false;
    carried_put(&r.depends, atomic->dst);
    carried_put(&r.same, atomic->dst);
    return decides_from(f, atomic + 1, r, 0);
}
