/**
 * @file inline_again.c
 * Code made for debugging computes the same again and again: an index for the look at a place, and once more for the store there. What a rule asks
 * of two accesses, whether they are of one place, and whether one stores what the other has compared, is seen where it is computed once.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline_parts.h"

#define MOST_LOOKED_AT 128 /* instructions back */

/** Do these leave a function of what they read, and nothing else? */
static bool is_pure(const char *mnemonic)
{
    static const char *const pure[] = {"add", "sub", "mul", "mad", "div", "rem", "abs", "neg", "min", "max", "shl", "shr",
                                       "and", "or", "xor", "not", "cvt", "cvta", "mov", "setp", "selp", "bfe", "bfi"};
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (!strcmp(mnemonic, pure[i]))
            return true;
    return false;
}

/** A special register that stays what it is while a thread runs. */
static bool is_constant(const char *name)
{
    return !strncmp(name, "%tid.", 5) || !strncmp(name, "%ctaid.", 7) || !strncmp(name, "%ntid.", 6) || !strncmp(name, "%nctaid.", 8);
}

static bool is_plain_source(const struct ptx_operand *o)
{
    return !o->part && (o->kind == OPERAND_REG || o->kind == OPERAND_INT || o->kind == OPERAND_FLOAT32 || o->kind == OPERAND_FLOAT64 ||
                        (o->kind == OPERAND_SYMBOL && !o->element) || (o->kind == OPERAND_SPECIAL && is_constant(o->name)));
}

bool instr_can_be_had(const struct ptx_function *f, const struct ptx_instr *pi)
{
    if (pi->guard >= 0 || pi->operand_count < 2 || pi->operands[0].kind != OPERAND_REG || pi->operands[0].part || !is_pure(pi->mnemonic))
        return false;
    enum ptx_type type = f->regs.data[pi->operands[0].reg].type;
    if (type != PTX_PRED && ptx_type_bytes(type) < 2)
        return false;
    for (int i = 0; i < pi->modifier_count; i++)
        if (!strcmp(pi->modifiers[i], "cc"))
            return false;
    for (int k = 1; k < pi->operand_count; k++)
        if (!is_plain_source(&pi->operands[k]))
            return false;
    return true;
}

static bool same_source(const struct ptx_operand *a, const struct ptx_operand *b)
{
    if (a->kind != b->kind || a->negated != b->negated)
        return false;
    switch (a->kind) {
    case OPERAND_REG: return a->reg == b->reg;
    case OPERAND_SPECIAL: return !strcmp(a->name, b->name);
    case OPERAND_SYMBOL: return !strcmp(a->name, b->name) && a->variable == b->variable && a->offset == b->offset;
    default: return a->bits == b->bits;
    }
}

static bool same_work(const struct ptx_instr *a, const struct ptx_instr *b)
{
    if (strcmp(a->mnemonic, b->mnemonic) || a->modifier_count != b->modifier_count || a->operand_count != b->operand_count)
        return false;
    for (int i = 0; i < a->modifier_count; i++)
        if (strcmp(a->modifiers[i], b->modifiers[i]))
            return false;
    for (int k = 1; k < a->operand_count; k++)
        if (!same_source(&a->operands[k], &b->operands[k]))
            return false;
    return true;
}

/** Is what the earlier instruction has computed, from what is still there, still where it has left it? */
static bool still_holds(const struct ptx_instr *pi, const int *written, int at)
{
    for (int k = 0; k < pi->operand_count; k++)
        if (pi->operands[k].kind == OPERAND_REG && written[pi->operands[k].reg] >= at + (k == 0))
            return false;
    return true;
}

static void becomes_copy(struct ptx_module *m, const struct ptx_function *f, struct ptx_instr *pi, const struct ptx_instr *of)
{
    enum ptx_type type = f->regs.data[pi->operands[0].reg].type;
    struct ptx_operand *operands = arena_alloc(&m->arena, 2 * sizeof *operands);
    operands[0] = pi->operands[0];
    operands[1] = of->operands[0];
    operands[1].negated = false;
    pi->mnemonic = "mov";
    pi->modifiers = arena_alloc(&m->arena, sizeof *pi->modifiers);
    pi->modifiers[0] = ptx_type_name(type);
    pi->modifier_count = 1;
    pi->operands = operands;
    pi->operand_count = 2;
}

/** Where registers have been written last, and which of them were made copies there. */
struct values {
    int *written, *copy_of, *copied;
};

static struct values values_new(int registers)
{
    size_t bytes = ((size_t)registers + 1) * sizeof(int);
    struct values v = {malloc(bytes), malloc(bytes), malloc(bytes)};
    if (!v.written || !v.copy_of || !v.copied)
        abort();
    memset(v.written, 0xff, bytes);
    memset(v.copied, 0xff, bytes);
    return v;
}

static void values_free(struct values *v)
{
    free(v->written);
    free(v->copy_of);
    free(v->copied);
}

/** A chain that is computed again hangs on copies of what the first one hangs on. */
static void use_first(const struct ptx_function *f, const struct values *v, int since, struct ptx_instr *pi)
{
    for (int k = 1; k < pi->operand_count; k++) {
        struct ptx_operand *o = &pi->operands[k];
        int at = o->kind == OPERAND_REG ? v->copied[o->reg] : -1;
        if (at < since || at < v->written[o->reg] || v->written[v->copy_of[o->reg]] > at)
            continue;
        o->reg = v->copy_of[o->reg];
        o->name = f->regs.data[o->reg].name;
    }
}

/** The instruction since `first` that has computed the same to a register of the same type; -1: none. */
static int computed_at(const struct ptx_function *f, const struct values *v, int first, int i)
{
    const struct ptx_instr *pi = &f->instrs.data[i];
    for (int k = i - 1; k >= first; k--) {
        const struct ptx_instr *of = &f->instrs.data[k];
        if (same_work(of, pi) && instr_can_be_had(f, of) && still_holds(of, v->written, k) && of->operands[0].reg != pi->operands[0].reg &&
            f->regs.data[of->operands[0].reg].type == f->regs.data[pi->operands[0].reg].type)
            return k;
    }
    return -1;
}

bool computed_again_is_copied(struct ptx_module *m, struct ptx_function *f, const bool *enters)
{
    struct values v = values_new(f->regs.count);
    bool copied = false;
    int since = 0;
    for (int i = 0; i < f->instrs.count; i++) {
        struct ptx_instr *pi = &f->instrs.data[i];
        since = enters[i] ? i : since;
        if (instr_can_be_had(f, pi) && !(instr_is(pi, "mov") && pi->operands[1].kind == OPERAND_REG)) {
            use_first(f, &v, since, pi);
            int at = computed_at(f, &v, i - MOST_LOOKED_AT > since ? i - MOST_LOOKED_AT : since, i);
            if (at >= 0) {
                becomes_copy(m, f, pi, &f->instrs.data[at]);
                copied = true;
                v.copy_of[pi->operands[0].reg] = pi->operands[1].reg;
                v.copied[pi->operands[0].reg] = i;
            }
        }
        if (pi->operand_count && !instr_only_reads(pi))
            note_results(v.written, &pi->operands[0], i);
    }
    values_free(&v);
    return copied;
}
