/**
 * @file spin.c
 * A look at the code around an instruction: the shortest stretch from a branch's target to the branch
 * that holds it is its innermost loop, the longest the outermost. The guards of branches in there decide whether it goes on; they are
 * followed back, through whatever computes them, to registers, without regard to paths. That may add
 * a register that does not matter, and then a loop seems to get somewhere; it leaves none out.
 */
#include "check/spin.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mix.h"
#include "code/operands.h"
#include "execute/engine.h"

#define MAX_REGISTERS 64

struct loop {
    const struct insn *at;      /**< asked about */
    bool outermost;             /**< or innermost */
    const struct function *function;
    const struct insn *first, *last;   /**< NULL: in no loop */
    uint32_t reg[MAX_REGISTERS];
    int count;
    bool too_many;
};

struct spin_loops {
    LIST(struct loop *) found;
};

struct spin_loops *spin_loops_new(void)
{
    struct spin_loops *s = calloc(1, sizeof *s);
    assert(s);
    return s;
}

void spin_loops_free(struct spin_loops *s)
{
    for (int i = 0; i < s->found.count; i++)
        free(s->found.data[i]);
    LIST_FREE(&s->found);
    free(s);
}

/* ---- The loop and its registers ---- */

static void find_bounds(struct loop *l)
{
    for (const struct insn *b = l->at; b < l->function->end; b++)
        if (insn_class(b) == INSN_BRANCH && b->target <= l->at && b->target >= l->function->entry &&
            (!l->last || (b - b->target < l->last - l->first) != l->outermost)) {
            l->first = b->target;
            l->last = b;
        }
}

static bool has(const struct loop *l, uint32_t reg)
{
    for (int i = 0; i < l->count; i++)
        if (l->reg[i] == reg)
            return true;
    return false;
}

/** @return true if it was not there */
static bool add(struct loop *l, uint32_t reg)
{
    if (reg == REG_NONE || (reg & CONST_BIT) || has(l, reg))
        return false;
    if (l->count == MAX_REGISTERS) {
        l->too_many = true;
        return false;
    }
    l->reg[l->count++] = reg;
    return true;
}

static bool writes_one_of(const struct loop *l, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write && has(l, o.reg))
            return true;
    return false;
}

static void find_registers(struct loop *l)
{
    for (const struct insn *in = l->first; in <= l->last; in++) {
        enum insn_class c = insn_class(in);
        if (c == INSN_BRANCH || c == INSN_EXIT || c == INSN_RETURN)
            add(l, in->guard);
        if (c == INSN_SWITCH)
            add(l, in->src[0]);
    }
    for (bool more = true; more;) {
        more = false;
        for (const struct insn *in = l->first; in <= l->last; in++) {
            if (!writes_one_of(l, in))
                continue;
            struct operand_iter it = operands_of(in);
            for (struct operand o; operands_next(&it, &o) && !o.write;)
                more |= add(l, o.reg);
        }
    }
}

static const struct loop *loop_around(struct spin_loops *s, const struct warp *w,
                                      const struct insn *in, bool outermost)
{
    for (int i = 0; i < s->found.count; i++)
        if (s->found.data[i]->at == in && s->found.data[i]->outermost == outermost)
            return s->found.data[i];
    struct loop *l = calloc(1, sizeof *l);
    assert(l);
    l->at = in;
    l->outermost = outermost;
    l->function = image_function_at(w->block->grid->config.kernel->image, in);
    if (l->function)
        find_bounds(l);
    if (l->last)
        find_registers(l);
    *LIST_PUSH(&s->found) = l;
    return l;
}

/* ---- Their values ---- */

static uint64_t lane_value(const struct warp *w, uint32_t reg, unsigned width, int lane)
{
    const void *r = warp_reg(w, reg);
    switch (width) {
    case 1:
        return *(const uint32_t *)r >> lane & 1;
    case 2:
        return ((const uint16_t *)r)[lane];
    case 4:
        return ((const uint32_t *)r)[lane];
    case 16:
        return mix_in(((const uint64_t *)r)[lane], ((const uint64_t *)r)[WARP_LANES + lane]);
    default:
        return ((const uint64_t *)r)[lane];
    }
}

static uint64_t state_of(const struct loop *l, const struct warp *w, uint32_t mask)
{
    uint64_t h = mask;
    if (!l->last)
        return 0;
    if (l->too_many) /* as if it got somewhere each time */
        return mix_in(w->instructions, 1) | 1;
    for (int i = 0; i < l->count; i++) {
        unsigned width = function_register_width(l->function, l->reg[i]);
        for (uint32_t m = mask; m; m &= m - 1)
            h = mix_in(h, lane_value(w, l->reg[i], width, __builtin_ctz(m)));
    }
    return h | 1;
}

uint64_t spin_state(struct spin_loops *s, const struct warp *w, const struct insn *in, uint32_t mask)
{
    return state_of(loop_around(s, w, in, false), w, mask);
}

uint64_t spin_state_of_all(struct spin_loops *s, const struct warp *w, const struct insn *in,
                           uint32_t mask)
{
    return state_of(loop_around(s, w, in, true), w, mask);
}
