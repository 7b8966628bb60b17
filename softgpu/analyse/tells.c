/**
 * @file tells.c
 * See tells.h. What was set is followed in the order of the text.
 */
#include "analyse/tells.h"

#include "analyse/acts.h"
#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/operands.h"

static bool is_with(const struct insn *in, const struct insn *act)
{
    return in->guard == act->guard && in->guard_negated == act->guard_negated;
}

/** Does it change memory that others see? */
static bool writes(const struct insn *in)
{
    return (insn_class(in) == INSN_STORE && in->mem.space != SPACE_PARAM && in->mem.space != SPACE_LOCAL) || insn_class(in) == INSN_ATOMIC;
}

bool insn_writes_number(const struct function *f, const struct insn *in)
{
    uint64_t number;
    bool atomic = insn_class(in) == INSN_ATOMIC;
    return writes(in) && in->mem.count == 1 && in->mem.bytes <= 8 && (!atomic || in->mem.atom != ATOM_CAS) &&
           origin_number(f, in, atomic ? element_operand(in, 0) : in->src[1], in->mem.bytes, &number);
}

/** A number, stored or added somewhere else. */
static bool says_so(const struct function *f, const struct insn *in, const struct insn *act)
{
    return in != act && insn_writes_number(f, in) && !origins_agree(f, in, act);
}

/** Is a register set to a number, or counted up? */
static bool sets(const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    bool numbers = insn_class(in) == INSN_COMPUTE && in->dst != REG_NONE;
    for (struct operand o; operands_next(&it, &o);)
        numbers &= o.write || o.role != ROLE_SOURCE || o.reg & CONST_BIT || o.reg == in->dst;
    return numbers;
}

/** Is it counted up in a loop whose variables have a register more each: from one that the loop's next turn gets from this one? */
static bool counts_round(const struct function *f, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    struct carried count = {0};
    uint32_t from = REG_NONE;
    for (struct operand o; operands_next(&it, &o);) {
        if (o.write || o.role != ROLE_SOURCE || o.reg & CONST_BIT)
            continue;
        if (from != REG_NONE)
            return false;
        from = o.reg;
    }
    if (insn_class(in) != INSN_COMPUTE || in->dst == REG_NONE || from == REG_NONE)
        return false;
    carried_put(&count, in->dst);
    for (const struct insn *next = in + 1; next < f->end && count.count; next++) {
        carried_copy(&count, next);
        if (insn_class(next) != INSN_BRANCH || next->target > in || next->target < f->entry)
            continue;
        for (next = next->target; next < in; next++)
            carried_copy(&count, next);
        return carried_in(&count, from);
    }
    return false;
}

/** Does a branch that goes ahead pass by something that changes memory? */
static bool decides(const struct insn *branch)
{
    bool any = false;
    for (const struct insn *in = branch + 1; in < branch->target && !any; in++)
        any = writes(in) || insn_class(in) == INSN_BARRIER;
    return any;
}

/** What a loop's next turn makes of what the registers hold at its end. That it decides there whether it goes on tells nobody. */
static void go_round(struct carried *set, const struct insn *first, const struct insn *back)
{
    for (const struct insn *in = first; in < back; in++)
        if (!sets(in))
            carried_compute(set, in);
}

/** Does somebody learn of what the registers hold? */
static bool is_told(const struct function *f, const struct insn *from, struct carried set)
{
    for (const struct insn *in = from; in < f->end && set.count; in++) {
        enum insn_class c = insn_class(in);
        struct operand_iter it = operands_of(in);
        bool reads = false, guarded = insn_is_guarded(in) && carried_in(&set, in->guard);
        for (struct operand o; operands_next(&it, &o);)
            reads |= !o.write && o.role == ROLE_SOURCE && carried_in(&set, o.reg);
        if ((reads && (c == INSN_ATOMIC || c == INSN_BARRIER)) || (guarded && (writes(in) || (c == INSN_BRANCH && decides(in)))))
            return true;
        if (c == INSN_BRANCH && in->target < in && in->target >= f->entry)
            go_round(&set, in->target, in);
        if (!sets(in)) /* it may be one of several that set it */
            carried_compute(&set, in);
    }
    return false;
}

bool act_tells(const struct function *f, const struct insn *act, const struct insn *from, const struct insn *end)
{
    struct carried set = {0};
    for (const struct insn *in = from; in < end; in++) {
        if (!is_with(in, act))
            continue;
        if (says_so(f, in, act))
            return true;
        if (sets(in) || counts_round(f, in))
            carried_put(&set, in->dst);
        else
            carried_compute(&set, in);
    }
    return is_told(f, end, set);
}

bool look_finds_said(const struct function *f, const struct insn *look, uint64_t number)
{
    uint64_t said;
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == INSN_STORE && in->mem.count == 1 && in->mem.bytes == look->mem.bytes && origins_agree(f, in, look) && path_find(f, look, in, NULL, NULL) != PATH_NONE &&
            origin_number(f, in, in->src[1], in->mem.bytes, &said) && said == number)
            return true;
    return false;
}

bool store_is_told(const struct function *f, const struct insn *store)
{
    const struct acts *acts = acts_of(f);
    for (int i = 0; i < acts->count; i++)
        if (acts->list[i].act == store && acts->list[i].kind == ACT_PICKS && acts->list[i].told)
            return true;
    return false;
}

bool look_is_told(const struct function *f, const struct insn *look)
{
    const struct acts *acts = f ? acts_of(f) : NULL;
    for (int i = 0; acts && i < acts->count; i++)
        if (acts->list[i].check == look && acts->list[i].told)
            return true;
    return false;
}
