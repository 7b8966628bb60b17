/**
 * @file poll.c
 * Loads that poll: their value decides whether the loop around them goes on. An older value only makes
 * such a thread look once more, so it relies on no order.
 *
 * A look at the code behind the load, in program order: does the loaded register reach the guard of a
 * branch, and does a branch lead back to the load or before it?
 */
#include <string.h>

#include "check/race/race.h"
#include "decode/ops.h"
#include "execute/handlers.h"

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

static bool is_store(const struct insn *in)
{
    return in->op && in->op->mnemonic && !strcmp(in->op->mnemonic, "st");
}

/** Carries the value on from sources to results. */
static void follow(struct registers *r, const struct insn *in)
{
    bool from = false;
    for (int s = 0; s < 4; s++)
        from |= !(in->src[s] & CONST_BIT) && holds(r, in->src[s]);
    if (is_store(in))
        return;
    if (from) {
        put(r, in->dst);
        put(r, in->dst2);
    } else {
        take(r, in->dst);
        take(r, in->dst2);
    }
}

bool load_is_poll(const struct insn *load)
{
    struct registers value = {0};
    bool decides = false;
    if (load->mem.count != 1) {
        for (int e = 0; e < load->mem.count; e++)
            put(&value, ((const uint32_t *)load->extra)[e]);
    } else {
        put(&value, load->dst);
    }
    for (const struct insn *in = load + 1; in < load + WINDOW; in++) {
        bool branch = in->fn == op_bra;
        if (branch && in->guard != REG_NONE)
            decides |= holds(&value, in->guard);
        if (branch && in->target <= load)
            return decides;
        if (in->fn == op_exit || in->fn == op_ret || (branch && in->guard == REG_NONE && !decides))
            return false;
        if (!branch)
            follow(&value, in);
    }
    return false;
}
