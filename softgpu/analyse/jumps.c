/**
 * @file jumps.c
 * See jumps.h. What is looked for stands between the two in the text.
 */
#include "analyse/jumps.h"

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/polls.h"
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

bool write_jumps(const struct function *f, const struct insn *check, const struct insn *write, uint32_t stored)
{
    const struct insn *load = loaded_by(check, write, stored);
    return load && load->mem.bytes == check->mem.bytes && is_computed_from(check, load) && are_of_one_array(f, check, load);
}

/* ---- Loops that look again */

struct looked_again {
    const struct function *function;
    const struct insn *check, *swap;
};

/** Is it what the look has returned that the swap expects in the next turn? */
static bool is_expected_next(const struct function *f, const struct insn *look, const struct insn *swap)
{
    struct loop turns = loop_of_turns(f, look);
    struct carried same = carried_result(look);
    if (!turns.first || swap < turns.first || swap > look)
        return false;
    for (const struct insn *in = look + 1; in <= turns.last; in++)
        carried_copy(&same, in);
    for (const struct insn *in = turns.first; in < swap; in++)
        carried_copy(&same, in);
    return carried_in(&same, element_operand(swap, 0));
}

static bool looks_again(const struct insn *in, const void *context)
{
    const struct looked_again *l = context;
    if (insn_class(in) != INSN_LOAD || insn_is_guarded(in) || in->mem.count != 1 || !order_is_strong(&in->mem))
        return false;
    return (in == l->check || (origins_agree(l->function, l->check, in) && is_expected_next(l->function, in, l->swap))) && load_polls(l->function, in);
}

/** Is what the instruction leaves in a register read where the loop's turns are over? */
static bool is_read_outside(const struct function *f, struct loop turns, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        for (const struct insn *b = turns.first; b <= turns.last && o.write; b++) {
            bool leaves = insn_class(b) == INSN_BRANCH && (b->target < turns.first || b->target > turns.last);
            if ((leaves && flow_holds(f, b->target) && path_reads(f, b->target, o.reg)) ||
                (b == turns.last && insn_falls_through(b) && flow_holds(f, b + 1) && path_reads(f, b + 1, o.reg)))
                return true;
        }
    return false;
}

/** Does a turn leave no more than the look? Who counts turns, or does something in each, takes failed swaps for others. */
static bool leaves_only_look(const struct function *f, struct loop turns, const struct insn *swap)
{
    for (const struct insn *in = turns.first; in <= turns.last; in++)
        if (in != swap && (!insn_is_idle(f, in) || (insn_class(in) != INSN_LOAD && is_read_outside(f, turns, in))))
            return false;
    return true;
}

bool swap_is_checked_again(const struct function *f, const struct insn *check, const struct insn *swap)
{
    struct looked_again l = {f, check, swap};
    struct loop turns = loop_of_turns(f, swap);
    bool again = turns.first && leaves_only_look(f, turns, swap);
    for (const struct insn *in = f->entry; in < f->end && again; in++) {
        enum insn_class c = insn_class(in);
        again = (c != INSN_EXIT && c != INSN_RETURN && c != INSN_CALL) || path_find(f, swap, in, looks_again, &l) == PATH_NONE;
    }
    return again;
}

static bool looks_there_again(const struct insn *in, const void *context)
{
    const struct looked_again *l = context;
    return insn_class(in) == INSN_LOAD && !insn_is_guarded(in) && in->mem.count == 1 && order_is_strong(&in->mem) &&
           (origins_agree(l->function, in, l->swap) || are_of_one_array(l->function, in, l->swap));
}

bool store_is_looked_at_again(const struct function *f, const struct insn *check, const struct insn *store)
{
    struct looked_again l = {f, check, store};
    struct loop turns = loop_of_turns(f, store);
    bool again = turns.first && check >= turns.first && check <= turns.last && leaves_only_look(f, turns, store);
    for (const struct insn *in = f->entry; in < f->end && again; in++) {
        enum insn_class c = insn_class(in);
        again = (c != INSN_EXIT && c != INSN_RETURN && c != INSN_CALL) || path_find(f, store, in, looks_there_again, &l) == PATH_NONE;
    }
    return again;
}
