/**
 * @file bounds.c
 * Bounds tests; see rewrite.h.
 *
 * A bounds test is an ordered comparison of integers, or one of a kernel parameter with 0 (to which
 * nvcc turns "0 < n"). PTX does not say which comparisons were meant as bounds, and any may be one.
 */
#include <stdlib.h>
#include <string.h>

#include "mutants/rewrite.h"

static const char *const shifted[][2] = {{".lt", ".le"}, {".le", ".lt"}, {".gt", ".ge"},
                                         {".ge", ".gt"}, {".lo", ".ls"}, {".ls", ".lo"},
                                         {".hi", ".hs"}, {".hs", ".hi"}};

static bool is_integer(const char *opcode)
{
    static const char *const types[] = {".u16", ".u32", ".u64", ".s16", ".s32", ".s64"};
    size_t len = strlen(opcode);
    for (int i = 0; i < 6; i++)
        if (len > 4 && !strcmp(opcode + len - 4, types[i]))
            return true;
    return false;
}

/** The row of `shifted` of an ordered integer comparison; -1: it is none. */
static int ordered(const struct ptx_instruction *in)
{
    if (!ptx_is(in->opcode, "setp") || !is_integer(in->opcode))
        return -1;
    for (int i = 0; i < 8; i++)
        if (ptx_has(in->opcode, shifted[i][0]))
            return i;
    return -1;
}

bool rewrite_shift_bound(struct text *out, const struct rewrite *r)
{
    const struct ptx_instruction *in = r->in;
    int row = ordered(in);
    if (row < 0)
        return false;
    char *opcode = ptx_replace(in->opcode, shifted[row][0], shifted[row][1]);
    text_printf(out, "%s%s%s", in->guard, *in->guard ? " " : "", opcode);
    for (int i = 0; i < in->operands; i++)
        text_printf(out, "%s%s", i ? ", " : " ", in->operand[i]);
    text_puts(out, ";");
    free(opcode);
    return true;
}

/** The statement before `before` that last set a register, in the same function; -1: none. */
static int find_setter(const struct ptx_text *p, int before, const char *reg)
{
    struct ptx_instruction in;
    for (int i = before - 1; i >= 0 && p->list[i].function == p->list[before].function; i--)
        if (!p->list[i].label && ptx_instruction_read(&in, p, i) && in.operands &&
            !ptx_is(in.opcode, "st") && !strncmp(in.operand[0], reg, strlen(reg)) &&
            (!in.operand[0][strlen(reg)] || in.operand[0][strlen(reg)] == '|'))
            return i;
    return -1;
}

/** "setp.eq.s32 %p, %r, 0" of a parameter. */
static bool is_parameter_with_zero(const struct ptx_text *p, int at, const struct ptx_instruction *in)
{
    struct ptx_instruction setter;
    if (!ptx_is(in->opcode, "setp") || !is_integer(in->opcode) || in->operands != 3 ||
        strcmp(in->operand[2], "0") || *in->operand[1] != '%')
        return false;
    int i = find_setter(p, at, in->operand[1]);
    return i >= 0 && ptx_instruction_read(&setter, p, i) && ptx_is(setter.opcode, "ld") &&
           ptx_has(setter.opcode, ".param");
}

/** Whether a guard's predicate comes from a bounds test, also through and, or, not. */
static bool from_bound(const struct ptx_text *p, int at, const char *reg, int depth)
{
    struct ptx_instruction in;
    int i = depth < 8 ? find_setter(p, at, reg) : -1;
    if (i < 0 || !ptx_instruction_read(&in, p, i))
        return false;
    if (ordered(&in) >= 0 || is_parameter_with_zero(p, i, &in))
        return true;
    if (!ptx_has(in.opcode, ".pred") ||
        !(ptx_is(in.opcode, "and") || ptx_is(in.opcode, "or") || ptx_is(in.opcode, "not")))
        return false;
    for (int k = 1; k < in.operands; k++)
        if (from_bound(p, i, in.operand[k], depth + 1))
            return true;
    return false;
}

static bool is_forward(const struct ptx_text *p, int at, const char *label)
{
    struct ptx_instruction in;
    for (int i = at; i < p->count && p->list[i].function == p->list[at].function; i++)
        if (p->list[i].label && ptx_instruction_read(&in, p, i) && !strcmp(in.opcode, label))
            return true;
    return false;
}

bool rewrite_delete_bound(struct text *out, const struct rewrite *r)
{
    const struct ptx_instruction *in = r->in;
    const char *reg = in->guard + 1 + (in->guard[0] && in->guard[1] == '!');
    if (!*in->guard || !from_bound(r->ptx, r->statement, reg, 0))
        return false;
    if (ptx_is(in->opcode, "bra"))
        return in->operands == 1 && is_forward(r->ptx, r->statement, in->operand[0]);
    text_puts(out, in->opcode);
    for (int i = 0; i < in->operands; i++)
        text_printf(out, "%s%s", i ? ", " : " ", in->operand[i]);
    text_puts(out, ";");
    return true;
}
