/**
 * @file jumps.c
 * See jumps.h. What is looked for stands between the two in the text.
 */
#include "analyse/jumps.h"

#include "analyse/carried.h"
#include "analyse/origin.h"
#include "code/operands.h"

/** The load behind `check` that has made what the register holds at `at`; NULL: it is none. */
static const struct insn *loaded_by(const struct insn *check, const struct insn *at, uint32_t reg)
{
    for (const struct insn *in = at - 1; in > check && !(reg & CONST_BIT); in--) {
        if (!insn_writes(in, reg))
            continue;
        if (insn_is_guarded(in))
            return NULL;
        if (insn_class(in) == INSN_LOAD)
            return in;
        reg = insn_copies(in);
        if (reg == REG_NONE)
            return NULL;
    }
    return NULL;
}

static bool is_computed_from(const struct insn *check, const struct insn *access)
{
    struct carried c = carried_result(check);
    for (const struct insn *in = check + 1; in < access; in++)
        carried_compute(&c, in);
    return carried_in(&c, access->src[0]);
}

/** Is an index added to one beginning in both addresses? */
static bool are_of_one_array(const struct function *f, const struct insn *access, const struct insn *other)
{
    struct origin a, b;
    uint64_t more;
    if (!origin_of(f, access, &a) || !origin_of(f, other, &b) || !a.made || !b.made || a.offset != b.offset ||
        insn_row(a.made) != ROW_add_64 || insn_row(b.made) != ROW_add_64)
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (origins_differ_by(f, a.made, a.made->src[i], b.made, b.made->src[j], &more) && !more)
                return true;
    return false;
}

bool swap_jumps(const struct function *f, const struct insn *check, const struct insn *swap)
{
    const struct insn *load = loaded_by(check, swap, swap->src[2]);
    return load && load->mem.bytes == check->mem.bytes && is_computed_from(check, load) && are_of_one_array(f, check, load);
}
