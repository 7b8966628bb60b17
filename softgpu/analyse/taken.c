/**
 * @file taken.c
 * See taken.h.
 */
#include "analyse/taken.h"

#include "analyse/carried.h"
#include "analyse/looked_at.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/descriptions.h"
#include "code/operands.h"

/** The next instruction behind `in` that puts what was read at some other place. `kept`: what is carried, up to `in`; NULL: there is none */
static const struct insn *keeps_next(const struct function *f, const struct insn *check, const struct insn *in, struct carried *kept)
{
    for (in++; in < f->end && in <= check + MOST_FOLLOWED && kept->count; in++) {
        bool atomic = insn_class(in) == INSN_ATOMIC, writes = atomic || insn_class(in) == INSN_STORE;
        bool keeps = writes && in->mem.count == 1 && carried_in(kept, atomic ? element_operand(in, 0) : in->src[1]) && !origins_agree(f, in, check);
        value_follow(kept, in, true);
        if (keeps)
            return in;
    }
    return NULL;
}

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
    for (const struct insn *k = keeps_next(f, check, check, &value); k && !found; k = keeps_next(f, check, k, &value))
        found = k != in && k->mem.space != SPACE_LOCAL && k->mem.space != SPACE_PARAM && (insn_class(k) == INSN_STORE || k->mem.atom == ATOM_EXCH) &&
                path_find(f, k < in ? k : in, k < in ? in : k, is_check, check) != PATH_NONE;
    return found;
}
