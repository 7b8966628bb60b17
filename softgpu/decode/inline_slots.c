/**
 * @file inline_slots.c
 * The parameters of calls that have been inlined become registers: what is stored and loaded whole is moved.
 *
 * A variable of a call that is still one stays, and so does one whose address is taken, of which a part is used, or whose value is of
 * another width than the register at either end.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline_parts.h"

/** By variable of the function: the register it has become. */
enum { UNSEEN = -1, STAYS = -2 };

static bool is_slot(const struct ptx_function *f, int variable)
{
    return variable >= 0 && variable < f->variables.count && f->variables.data[variable].space == SPACE_PARAM &&
           (f->variables.data[variable].bytes == 4 || f->variables.data[variable].bytes == 8);
}

/** The variable that a whole value of its size is stored in or loaded from; -1: it is something else. */
static int whole(const struct ptx_function *f, const struct ptx_instr *pi)
{
    bool load = !strcmp(pi->mnemonic, "ld");
    if ((!load && strcmp(pi->mnemonic, "st")) || pi->modifier_count != 2 || strcmp(pi->modifiers[0], "param") || pi->operand_count != 2 || pi->guard >= 0)
        return -1;
    const struct ptx_operand *address = &pi->operands[load], *value = &pi->operands[!load];
    const struct ptx_operand *base = address->kind == OPERAND_ADDRESS ? address->element : NULL;
    if (!base || base->kind != OPERAND_SYMBOL || base->offset || address->offset || !is_slot(f, base->variable))
        return -1;
    uint64_t bytes = f->variables.data[base->variable].bytes;
    if (ptx_type_bytes(ptx_type_of(pi->modifiers[1])) != bytes)
        return -1;
    if (value->kind == OPERAND_REG && (value->negated || ptx_type_bytes(f->regs.data[value->reg].type) != bytes))
        return -1;
    bool literal = value->kind == OPERAND_INT || (value->kind == OPERAND_FLOAT32 && bytes == 4) || (value->kind == OPERAND_FLOAT64 && bytes == 8);
    return value->kind == OPERAND_REG || (!load && literal) ? base->variable : -1;
}

static void note_stays(const struct ptx_function *f, int *slot, const struct ptx_operand *o, int count)
{
    for (int i = 0; i < count; i++) {
        if (o[i].kind == OPERAND_SYMBOL && o[i].variable >= 0 && o[i].variable < f->variables.count)
            slot[o[i].variable] = STAYS;
        if (o[i].element)
            note_stays(f, slot, o[i].element, o[i].count ? o[i].count : 1);
    }
}

static struct ptx_operand register_operand(const struct ptx_function *f, int reg)
{
    return (struct ptx_operand){.kind = OPERAND_REG, .name = f->regs.data[reg].name, .reg = reg, .variable = -1};
}

static int slot_register(struct ptx_function *f, int *slot, int variable)
{
    if (slot[variable] == UNSEEN) {
        const struct ptx_variable *v = &f->variables.data[variable];
        *LIST_PUSH(&f->regs) = (struct ptx_reg){v->name, v->bytes == 8 ? PTX_B64 : PTX_B32, v->scope};
        slot[variable] = f->regs.count - 1;
    }
    return slot[variable];
}

static void make_move(struct ptx_module *m, struct ptx_function *f, struct ptx_instr *pi, int reg)
{
    bool load = !strcmp(pi->mnemonic, "ld");
    const char **type = arena_alloc(&m->arena, sizeof *type);
    struct ptx_operand *operands = arena_alloc(&m->arena, 2 * sizeof *operands);
    *type = f->regs.data[reg].type == PTX_B64 ? "b64" : "b32";
    operands[load] = register_operand(f, reg);
    operands[!load] = pi->operands[!load];
    pi->mnemonic = "mov";
    pi->modifiers = type;
    pi->modifier_count = 1;
    pi->operands = operands;
}

void slots_become_registers(struct ptx_module *m, struct ptx_function *f)
{
    int *slot = malloc(((size_t)f->variables.count + 1) * sizeof *slot);
    if (!slot)
        abort();
    for (int i = 0; i < f->variables.count; i++)
        slot[i] = UNSEEN;
    for (int i = 0; i < f->instrs.count; i++)
        if (whole(f, &f->instrs.data[i]) < 0)
            note_stays(f, slot, f->instrs.data[i].operands, f->instrs.data[i].operand_count);
    for (int i = 0; i < f->instrs.count; i++) {
        int variable = whole(f, &f->instrs.data[i]);
        if (variable >= 0 && slot[variable] != STAYS)
            make_move(m, f, &f->instrs.data[i], slot_register(f, slot, variable));
    }
    free(slot);
}
