/**
 * @file act_ways.c
 * What a check's comparison decides: how it comes out with another value, and whether the thread acts then.
 */
#include <string.h>

#include "analyse/acts.h"
#include "analyse/looked_at.h"
#include "analyse/origin.h"
#include "code/descriptions.h"
#include "code/operands.h"
#include "execute/numerics/numerics.h"

static bool compare_reals(enum op_row row, uint64_t a, uint64_t b)
{
    static const struct { enum op_row row; enum numeric_compare how; bool wide, ftz; } rows[] = {
        {ROW_is_eq_f32, COMPARE_EQ, false, false},    {ROW_is_ne_f32, COMPARE_NE, false, false},
        {ROW_is_lt_f32, COMPARE_LT, false, false},    {ROW_is_le_f32, COMPARE_LE, false, false},
        {ROW_is_eq_f32_ftz, COMPARE_EQ, false, true}, {ROW_is_ne_f32_ftz, COMPARE_NE, false, true},
        {ROW_is_lt_f32_ftz, COMPARE_LT, false, true}, {ROW_is_le_f32_ftz, COMPARE_LE, false, true},
        {ROW_is_eq_f64, COMPARE_EQ, true, false},     {ROW_is_ne_f64, COMPARE_NE, true, false},
        {ROW_is_lt_f64, COMPARE_LT, true, false},     {ROW_is_le_f64, COMPARE_LE, true, false},
    };
    size_t i = 0;
    while (rows[i].row != row)
        i++;
    return rows[i].wide ? f64_compare(rows[i].how, a, b, false) : f32_compare(rows[i].how, (uint32_t)a, (uint32_t)b, rows[i].ftz);
}

static bool compare(const struct insn *in, uint64_t a, uint64_t b)
{
    switch (insn_row(in)) {
    case ROW_is_eq_32:
        return (uint32_t)a == (uint32_t)b;
    case ROW_is_eq_64:
        return a == b;
    case ROW_is_lt_s32:
        return (int32_t)a < (int32_t)b;
    case ROW_is_lt_u32:
        return (uint32_t)a < (uint32_t)b;
    case ROW_is_lt_s64:
        return (int64_t)a < (int64_t)b;
    case ROW_is_lt_u64:
        return a < b;
    default:
        return compare_reals(insn_row(in), a, b);
    }
}

bool insn_sets_bits(const struct insn *in)
{
    return insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_OR || in->mem.atom == ATOM_AND);
}

bool act_bits_taken(const struct act *a, uint64_t operand, uint64_t seen, uint64_t now)
{
    uint64_t all = a->act->mem.bytes == 8 ? UINT64_MAX : UINT32_MAX, set = a->act->mem.atom == ATOM_OR ? operand & all : 0;
    uint64_t cleared = a->act->mem.atom == ATOM_AND ? ~operand & all : 0;
    return (set & ~seen & now) || (cleared & seen & ~now);
}

bool insn_claims_by_swap(const struct function *f, const struct insn *in)
{
    return f && insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS && result_is_looked_at(f, in);
}

bool act_turns(const struct act *a, uint64_t other, uint64_t seen, uint64_t now)
{
    const struct insn *in = a->compare;
    if (a->made.steps)
        return seen != now;
    return a->side ? compare(in, other, seen) != compare(in, other, now) : compare(in, seen, other) != compare(in, now, other);
}

bool act_compares_with(const struct function *f, const struct act *a, uint64_t *other)
{
    uint32_t reg = a->compare ? a->compare->src[!a->side] : REG_NONE;
    if (!a->compare || !(reg & CONST_BIT))
        return false;
    *other = 0;
    memcpy(other, f->image->constants + (reg & ~CONST_BIT), a->check->mem.bytes == 8 ? 8 : 4);
    return true;
}

bool act_holds(const struct act *a, uint64_t other, uint64_t value)
{
    if (a->made.steps && a->kind != ACT_MOVES)
        return value;
    bool holds = a->side ? compare(a->compare, other, value) : compare(a->compare, value, other);
    return holds != (a->compare->imm != 0);
}

/** Does each thread go from `from` to `to`, and change nothing there that the act is about? */
static bool goes_straight(const struct function *f, const struct act *a, const struct insn *from, const struct insn *to)
{
    for (const struct insn *in = from; in < to; in++) {
        enum insn_class c = insn_class(in);
        bool goes_on = c == INSN_COMPUTE || c == INSN_LOAD || c == INSN_STORE || c == INSN_ATOMIC || c == INSN_FENCE;
        if (!goes_on || ((c == INSN_STORE || c == INSN_ATOMIC) && origins_agree(f, in, a->act)))
            return false;
    }
    return true;
}

/** The branch back by which the thread checks again. NULL: there is none */
static const struct insn *waits_at(const struct act *a)
{
    for (const struct insn *in = a->check + 1; in < a->act; in++)
        if (insn_class(in) == INSN_BRANCH)
            return a->compare && in->guard == a->compare->dst && in->target <= a->check ? in : NULL;
    return NULL;
}

enum act_way act_way(const struct function *f, const struct act *a)
{
    bool guarded = insn_is_guarded(a->act);
    const struct insn *branch = a->branch ? a->branch : waits_at(a);
    if (a->act < a->check || (guarded && (branch || !a->compare || a->act->guard != a->compare->dst)))
        return ACT_PERHAPS;
    if ((branch || guarded) && (!a->made.steps || a->kind == ACT_MOVES) && (a->compare->imm & ~(uint64_t)PRED_INVERT)) /* it decides with something else */
        return ACT_PERHAPS;
    if ((branch || guarded) && !a->same) /* it may be about something else */
        return ACT_PERHAPS;
    if (!branch)
        return !goes_straight(f, a, a->check + 1, a->act) ? ACT_PERHAPS : !guarded ? ACT_ALWAYS : a->act->guard_negated ? ACT_UNLESS : ACT_IF;
    if (!goes_straight(f, a, a->check + 1, branch) || !goes_straight(f, a, a->other_side ? branch->target : branch + 1, a->act))
        return ACT_PERHAPS;
    return branch->guard_negated != (a->other_side != NULL) ? ACT_IF : ACT_UNLESS;
}

const struct insn *act_compared(const struct act *a)
{
    const struct insn *by = NULL;
    int writers = 0;
    for (const struct insn *in = a->check + 1; a->compare && !a->made.steps && !a->early && in < a->compare; in++)
        if (insn_writes(in, a->compare->src[!a->side])) {
            by = in;
            writers++;
        }
    bool loads = writers == 1 && insn_class(by) == INSN_LOAD && !insn_is_guarded(by) && by->mem.count == 1 && order_is_strong(&by->mem);
    return loads && by->mem.bytes == a->check->mem.bytes ? by : NULL;
}

uint32_t act_stored(const struct act *a)
{
    bool atomic = insn_class(a->act) == INSN_ATOMIC;
    uint32_t reg = atomic ? element_operand(a->act, 0) : a->act->src[1];
    if (insns_write(a->check, a->act, reg))
        return REG_NONE;
    return atomic && a->act->mem.atom != ATOM_EXCH ? REG_NONE : reg;
}
