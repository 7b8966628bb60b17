/**
 * @file made.c
 * See made.h.
 */
#include "analyse/made.h"

#include "analyse/flow.h"
#include "code/operands.h"

/** Is it a plain load of one element? */
static bool is_plain_load(const struct insn *in)
{
    bool follows = in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_SHARED || in->mem.space == SPACE_GENERIC || in->mem.space == SPACE_PARAM;
    return insn_class(in) == INSN_LOAD && follows && !in->mem.call_slot && !in->mem.cluster && !in->mem.texture && in->mem.count == 1 && in->mem.bytes <= 8 &&
           !order_is_strong(&in->mem);
}

/** Does it make one register from others, and memory, whatever the time? */
static bool can_be_made_again(const struct function *f, const struct insn *in)
{
    bool computes = insn_class(in) == INSN_COMPUTE && !in->op->flags;
    return (computes || is_plain_load(in)) && !insn_is_guarded(in) && in->dst != REG_NONE && in->dst2 == REG_NONE && function_register_width(f, in->dst) <= 8;
}

static bool reads_any(const struct insn *in, const struct carried *c)
{
    struct operand_iter it = operands_of(in);
    bool any = false;
    for (struct operand o; operands_next(&it, &o);)
        any |= !o.write && o.role == ROLE_SOURCE && carried_in(c, o.reg);
    return any;
}

void way_note(struct on_way *way, const struct function *f, const struct carried *depends, const struct insn *in)
{
    enum insn_class c = insn_class(in);
    bool again = can_be_made_again(f, in);
    if (c != INSN_COMPUTE && c != INSN_LOAD)
        return;
    way->lost |= (c == INSN_COMPUTE && !again && reads_any(in, depends)) || (again && way->count == MOST_ON_WAY);
    if (again && !way->lost)
        way->in[way->count++] = in;
}

/** Another register that goes into a step. @return false if there are too many */
static bool add_leaf(struct made *m, const struct function *f, const struct insn *read, const struct insn *step, uint32_t reg)
{
    bool early = !insns_write(read + 1, step, reg);
    unsigned width = function_register_width(f, reg);
    for (int i = 0; i < m->leaves; i++)
        if (m->leaf[i].reg == reg)
            return m->leaf[i].early && early;
    if (m->leaves == MOST_LEAVES || width > 8)
        return false;
    m->leaf[m->leaves++] = (struct leaf){reg, (uint8_t)width, early};
    return true;
}

/** The last of the first `count` on the way that writes it; -1: none does. */
static int made_by(const struct on_way *way, int count, uint32_t reg)
{
    int i = count - 1;
    while (i >= 0 && way->in[i]->dst != reg)
        i--;
    return i;
}

bool made_of(const struct function *f, const struct on_way *way, const struct insn *read, const struct insn *at, uint32_t reg, struct made *out)
{
    bool needed[MOST_ON_WAY] = {false}, from_it = false;
    int last = made_by(way, way->count, reg);
    *out = (struct made){.reg = reg, .width = (uint8_t)function_register_width(f, reg)};
    if (way->lost || last < 0 || insns_write(way->in[last] + 1, at, reg))
        return false;
    needed[last] = true;
    for (int i = last; i >= 0; i--) {
        struct operand_iter it = operands_of(way->in[i]);
        for (struct operand o; needed[i] && operands_next(&it, &o);) {
            int by = o.write || o.reg & CONST_BIT ? -1 : made_by(way, i, o.reg);
            bool is_value = by < 0 && o.reg == read->dst;
            if (o.write || o.reg & CONST_BIT)
                continue;
            if ((by >= 0 || is_value) && insns_write((by < 0 ? read : way->in[by]) + 1, way->in[i], o.reg))
                return false;
            from_it |= is_value;
            if (by >= 0)
                needed[by] = true;
            else if (!is_value && !add_leaf(out, f, read, way->in[i], o.reg))
                return false;
        }
    }
    for (int i = 0; i <= last; i++) {
        if (needed[i] && out->steps == MOST_STEPS)
            return false;
        if (needed[i])
            out->step[out->steps++] = way->in[i];
    }
    return from_it;
}

bool made_lasts(const struct made *m, const struct insn *act)
{
    for (int i = 0; i < m->leaves; i++)
        if (!m->leaf[i].early && insns_write(m->step[0], act, m->leaf[i].reg))
            return false;
    return true;
}
