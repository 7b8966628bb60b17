/**
 * @file links.c
 * See links.h.
 */
#include "analyse/links.h"

#include "analyse/flow.h"
#include "analyse/goes.h"
#include "analyse/jumps.h"
#include "analyse/looked_at.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/taken.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MOST_MAKERS 16   /* instructions that make what is put there */

static bool ends_link(const struct insn *in, const void *check)
{
    enum insn_class c = insn_class(in);
    return in == check || c == INSN_BARRIER || c == INSN_MEETING || c == INSN_TENSOR || c == INSN_CALL;
}

/** Does it put there what the text does not say? */
static bool may_link(const struct function *f, const struct insn *check, const struct insn *in, uint32_t *operand)
{
    bool atomic = insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_EXCH;
    uint64_t number;
    if ((!atomic && insn_class(in) != INSN_STORE) || in->mem.bytes != check->mem.bytes || in->mem.count != 1 || !order_is_strong(&in->mem) ||
        in->mem.space == SPACE_LOCAL || in->mem.space == SPACE_PARAM || in->mem.call_slot)
        return false;
    *operand = atomic ? element_operand(in, 0) : in->src[1];
    return !origin_number(f, in, *operand, in->mem.bytes, &number);
}

/** Does what was read lead to where the same instruction looks in the next turn? */
static bool walks(const struct function *f, const struct insn *check)
{
    struct loop *l = loop_around(f, check, LOOP_INNERMOST);
    struct carried depends = carried_result(check);
    if (!l || !check->mem.address_bytes)
        return false;
    for (const struct insn *in = check + 1; in <= l->last; in++)
        value_follow(&depends, in, false);
    for (const struct insn *in = l->first; in < check; in++)
        value_follow(&depends, in, false);
    return carried_in(&depends, check->src[0]);
}

/** The comparison right behind the look of what it gives with a number, for equality, which decides a branch; NULL: there is none. */
static const struct insn *end_of_walk(const struct function *f, const struct insn *check)
{
    struct carried value = carried_result(check);
    for (const struct insn *in = check + 1; in < f->end && insn_class(in) != INSN_BRANCH; in++) {
        bool equality = (insn_row(in) == ROW_is_eq_32 || insn_row(in) == ROW_is_eq_64) && !insn_is_guarded(in);
        if (equality && carried_in(&value, in->src[0]) && in->src[1] & CONST_BIT)
            return in;
        value_follow(&value, in, true);
    }
    return NULL;
}

/** Does the thread put there what it has not come to by looking? */
static bool is_own(const struct function *f, const struct insn *in, uint32_t operand)
{
    const struct insn *todo[MOST_MAKERS] = {register_writer(f, in, operand)};
    for (int i = 0, count = 1; i < count; i++) {
        struct operand_iter it;
        if (!todo[i] || (insn_class(todo[i]) == INSN_LOAD && todo[i]->mem.space != SPACE_PARAM))
            return false;
        it = operands_of(todo[i]);
        for (struct operand o; insn_class(todo[i]) == INSN_COMPUTE && operands_next(&it, &o);)
            if (!o.write && o.role == ROLE_SOURCE && !(o.reg & CONST_BIT)) {
                if (count == MOST_MAKERS)
                    return false;
                todo[count++] = register_writer(f, todo[i], o.reg);
            }
    }
    return true;
}

static bool is_link(const struct function *f, struct act *a, const struct insn *in)
{
    uint32_t operand;
    if (!may_link(f, a->check, in, &operand) || path_find(f, a->check, in, ends_link, a->check) == PATH_NONE ||
        (insn_class(in) == INSN_ATOMIC && result_is_looked_at(f, in)))
        return false;
    *a = (struct act){.check = a->check, .act = in, .kind = ACT_STORES, .links = value_is_linked(f, a->check, in)};
    if (a->links || !walks(f, a->check) || write_jumps(f, a->check, in, operand) || !is_own(f, in, operand))
        return a->links;
    a->replaces = is_replaced_by(f, a->check, in, operand);
    a->kind = a->replaces ? ACT_TAKES : ACT_STORES;
    a->links = !a->replaces;
    a->compare = a->links ? end_of_walk(f, a->check) : NULL;
    a->early = a->compare;
    return a->replaces || a->compare;
}

static bool is_known(const struct acts *known, const struct insn *check, const struct insn *in)
{
    for (int i = 0; i < known->count; i++)
        if (known->list[i].check == check && known->list[i].act == in && (known->list[i].links || known->list[i].replaces))
            return true;
    return false;
}

bool link_next(const struct function *f, const struct acts *known, struct act *a)
{
    const struct insn *check = a->check, *end = check + MOST_FOLLOWED < f->end ? check + MOST_FOLLOWED : f->end;
    if (!a->act && !value_goes_elsewhere(f, check) && !value_leads_on(f, check) && !walks(f, check))
        return false;
    for (const struct insn *in = (a->act ? a->act : check) + 1; in < end; in++)
        if (!is_known(known, check, in) && is_link(f, a, in))
            return true;
    return false;
}
