/**
 * @file poll.c
 * Loads that poll: their value decides whether the loop around them goes on. An older value only makes
 * such a thread look once more, so it relies on no order.
 *
 * A look at the code behind the load, in program order: does the loaded register reach the guard of a
 * branch, and does a branch lead back to the load or before it?
 */
#include "check/race/race.h"
#include "code/operands.h"

#define WINDOW 96
#define MAX_TAINTED 32

struct registers {
    uint32_t at[MAX_TAINTED];
    int count;
};

static bool holds(const struct registers *r, uint32_t reg)
{
    for (int i = 0; i < r->count; i++)
        if (r->at[i] == reg)
            return reg != REG_NONE;
    return false;
}

static void put(struct registers *r, uint32_t reg)
{
    if (reg != REG_NONE && !holds(r, reg) && r->count < MAX_TAINTED)
        r->at[r->count++] = reg;
}

static void take(struct registers *r, uint32_t reg)
{
    for (int i = 0; i < r->count; i++)
        if (r->at[i] == reg)
            r->at[i--] = r->at[--r->count];
}

/** Carries the value on from sources to results. */
static void follow(struct registers *r, const struct insn *in)
{
    bool from = false;
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write)
            from |= o.role != ROLE_GUARD && holds(r, o.reg);
        else if (from)
            put(r, o.reg);
        else
            take(r, o.reg);
    }
}

bool load_is_poll(const struct insn *load)
{
    struct registers value = {0};
    bool decides = false;
    for (unsigned e = 0; e < load->mem.count; e++)
        put(&value, element_target(load, e));
    for (const struct insn *in = load + 1; in < load + WINDOW; in++) {
        bool branch = insn_class(in) == INSN_BRANCH;
        if (branch && insn_is_guarded(in))
            decides |= holds(&value, in->guard);
        if (branch && in->target <= load)
            return decides;
        bool ends = branch ? !decides : insn_class(in) == INSN_EXIT || insn_class(in) == INSN_RETURN;
        if (ends && !insn_is_guarded(in))
            return false;
        if (!branch)
            follow(&value, in);
    }
    return false;
}
