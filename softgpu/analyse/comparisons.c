/**
 * @file comparisons.c
 * See comparisons.h.
 */
#include "analyse/comparisons.h"

#include "code/descriptions.h"

static bool gives_one_predicate(const struct insn *in)
{
    return !insn_is_guarded(in) && in->dst2 == REG_NONE && !(in->imm & ~(uint64_t)PRED_INVERT);
}

bool compares_for_equality(const struct insn *in)
{
    enum op_row row = insn_row(in);
    return (row == ROW_is_eq_32 || row == ROW_is_eq_64) && gives_one_predicate(in);
}

bool compares_for_order(const struct insn *in)
{
    enum op_row row = insn_row(in);
    return (row == ROW_is_lt_s32 || row == ROW_is_lt_u32 || row == ROW_is_lt_s64 || row == ROW_is_lt_u64) && gives_one_predicate(in);
}
