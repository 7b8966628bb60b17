/**
 * @file carried.c
 * See carried.h.
 */
#include "analyse/carried.h"

#include "analyse/flow.h"
#include "code/operands.h"

bool carried_in(const struct carried *c, uint32_t reg)
{
    for (int i = 0; i < c->count; i++)
        if (c->reg[i] == reg)
            return true;
    return false;
}

void carried_put(struct carried *c, uint32_t reg)
{
    if (!carried_in(c, reg) && c->count < MAX_CARRIED)
        c->reg[c->count++] = reg;
}

void carried_drop(struct carried *c, uint32_t reg)
{
    for (int i = 0; i < c->count; i++)
        if (c->reg[i] == reg)
            c->reg[i--] = c->reg[--c->count];
}

struct carried carried_result(const struct insn *load)
{
    struct carried c = {0};
    struct operand_iter it = operands_of(load);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            carried_put(&c, o.reg);
    return c;
}

void carried_compute(struct carried *c, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    bool from = false;
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write)
            from |= o.role != ROLE_GUARD && carried_in(c, o.reg);
        else if (from)
            carried_put(c, o.reg);
        else if (!insn_is_guarded(in))
            carried_drop(c, o.reg);
    }
}

uint32_t insn_copies(const struct insn *in)
{
    uint32_t from = REG_NONE;
    struct operand_iter it = operands_of(in);
    if (in->op->defined != DEFINED_COPIES || insn_is_guarded(in))
        return REG_NONE;
    for (struct operand o; operands_next(&it, &o) && !o.write;) {
        if (o.reg & CONST_BIT)
            continue;
        if (from != REG_NONE)
            return REG_NONE;
        from = o.reg;
    }
    return from;
}

void carried_copy(struct carried *c, const struct insn *in)
{
    uint32_t from = insn_copies(in);
    bool joins = from != REG_NONE && carried_in(c, from);
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (o.write && joins)
            carried_put(c, o.reg);
        else if (o.write)
            carried_drop(c, o.reg);
    }
}

struct carried carried_address(const struct function *f, const struct insn *access, uint32_t *origin)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *first = f->entry + b->first[b->of[access - f->entry]], *in = access;
    *origin = access->src[0];
    while (in > first) {
        if (insn_writes(in - 1, *origin)) {
            if (insn_copies(in - 1) == REG_NONE)
                break;
            *origin = insn_copies(in - 1);
        }
        in--;
    }
    struct carried c = {0};
    carried_put(&c, *origin);
    for (; in < access; in++)
        carried_copy(&c, in);
    return c;
}
