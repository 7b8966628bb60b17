/**
 * @file parsed_flow.c
 * A parsed function as analyse/ sees it: where each instruction leads, and the registers it touches.
 *
 * Slots are given to registers before operands are decoded into them, so this is the one analysis that
 * reads the text. Only plain arithmetic may write the slot of a source that dies there; other handlers
 * may write one result before they read the last operand, and so read late.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/stages.h"

static const struct ptx_instr *instr_at(const struct decoder *d, int i)
{
    return &d->info->source->instrs.data[i];
}

static bool is(const struct ptx_instr *pi, const char *mnemonic)
{
    return strcmp(pi->mnemonic, mnemonic) == 0;
}

static bool falls(const void *self, int i)
{
    const struct ptx_instr *pi = instr_at(self, i);
    return pi->guard >= 0 || !(is(pi, "bra") || is(pi, "brx") || is(pi, "ret") || is(pi, "exit"));
}

static int label_at(const struct decoder *d, const char *name)
{
    int at = name_table_find(&d->info->labels, name);
    return at >= 0 && at < d->info->source->instrs.count ? at : FLOW_NOWHERE;
}

static int target(const void *self, int i, int k)
{
    const struct decoder *d = self;
    const struct ptx_instr *pi = instr_at(d, i);
    if (is(pi, "bra") && k == 0 && pi->operand_count == 1 && pi->operands[0].kind == OPERAND_SYMBOL)
        return label_at(d, pi->operands[0].name);
    if (!is(pi, "brx") || pi->operand_count != 2 || pi->operands[1].kind != OPERAND_SYMBOL)
        return FLOW_NO_MORE;
    int list = name_table_find(&d->info->branch_lists, pi->operands[1].name);
    if (list < 0)
        return FLOW_NO_MORE;
    const struct ptx_branch_targets *t = &d->info->source->branch_targets.data[list];
    return k < t->targets.count ? label_at(d, t->targets.data[k]) : FLOW_NO_MORE;
}

/** Whom to tell about which instruction. */
struct telling {
    int i, registers;
    bool late;
    register_fn *note;
    void *context;
};

static enum register_use read_of(const struct telling *t)
{
    return t->late ? USE_READ_LATE : USE_READ;
}

/** A register, or what a vector, a pair, a list or an address is made of: an address is only read. */
static void tell_operand(const struct telling *t, const struct ptx_operand *o, enum register_use use,
                         int depth)
{
    if ((o->kind == OPERAND_REG || o->part) && o->reg >= 0 && o->reg < t->registers)
        t->note(t->context, t->i, o->reg, use);
    bool parts = o->kind == OPERAND_VECTOR || o->kind == OPERAND_PAIR || o->kind == OPERAND_LIST;
    for (int e = 0; e < o->count && depth < 4; e++)
        tell_operand(t, &o->element[e], parts ? use : read_of(t), depth + 1);
    if (o->kind == OPERAND_ADDRESS && o->count == 0 && o->element && depth < 4)
        tell_operand(t, o->element, read_of(t), depth + 1);
}

static void uses(const void *self, int i, register_fn *note, void *context)
{
    const struct decoder *d = self;
    const struct ptx_instr *pi = instr_at(d, i);
    const struct op_info *row = d->rows[i];
    bool defines = row && row->defines && pi->operand_count > 0;
    struct telling t = {.i = i, .registers = d->info->source->regs.count,
                        .late = !row || !row->plain, .note = note, .context = context};

    if (defines && row->insn_class == INSN_CALL && pi->operands[0].kind != OPERAND_LIST)
        defines = false;
    if (pi->guard >= 0 && pi->guard < t.registers)
        note(context, i, pi->guard, read_of(&t));
    for (int k = defines ? 1 : 0; k < pi->operand_count; k++)
        tell_operand(&t, &pi->operands[k], read_of(&t), 0);
    if (!defines)
        return;
    if (pi->guard >= 0)
        tell_operand(&t, &pi->operands[0], t.late ? USE_KEEP_LATE : USE_KEEP, 0);
    tell_operand(&t, &pi->operands[0], USE_WRITE, 0);
}

struct flow_source parsed_flow(const struct decoder *d)
{
    const struct ptx_function *f = d->info->source;
    return (struct flow_source){.self = d, .count = f->instrs.count, .registers = f->regs.count,
                                .falls = falls, .target = target, .uses = uses};
}
