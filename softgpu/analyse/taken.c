/**
 * @file taken.c
 * See taken.h.
 */
#include "analyse/taken.h"

#include "analyse/goes.h"
#include "analyse/origin.h"
#include "analyse/paths.h"

bool is_emptied_by(const struct function *f, const struct insn *in, uint32_t operand)
{
    uint64_t number;
    return origin_number(f, in, operand, in->mem.bytes, &number) && (!number || number == UINT64_MAX >> (64 - 8 * in->mem.bytes));
}

static bool is_check(const struct insn *in, const void *check)
{
    return in == check;
}

bool is_replaced_by(const struct function *f, const struct insn *check, const struct insn *in, uint32_t operand)
{
    struct carried value = carried_result(check);
    uint64_t number;
    bool found = false;
    if (origin_number(f, in, operand, in->mem.bytes, &number))
        return false;
    for (const struct insn *k = value_kept_next(f, check, check, &value, true); k && !found; k = value_kept_next(f, check, k, &value, true))
        found = k != in && k->mem.space != SPACE_LOCAL && k->mem.space != SPACE_PARAM && (insn_class(k) == INSN_STORE || k->mem.atom == ATOM_EXCH) &&
                path_find(f, k < in ? k : in, k < in ? in : k, is_check, check) != PATH_NONE;
    return found;
}
