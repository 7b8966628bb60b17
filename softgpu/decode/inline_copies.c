/**
 * @file inline_copies.c
 * Code made for debugging, without what an optimising compiler would not have written: copies of copies, a predicate's contrary for a
 * branch, branches to what comes next. Whatever looks for a pattern in a function (analyse/) finds it there as elsewhere.
 *
 * Whoever uses a copy uses what it was made of, and a copy that nobody reads is gone: so an atomic that adds 0 has that 0 for its operand,
 * and what an atomic returns is thrown away where nothing takes it further. Only within stretches that are entered at their first
 * instruction alone: nothing is taken for defined that some way leaves unset.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline.h"

/** What a register was made a copy of, and when; by register. */
struct copy {
    struct ptx_operand of;
    bool negated;      /**< a predicate that is the other's contrary */
    int at;            /**< the instruction's number; -1: it is none */
    int written;       /**< the last instruction that wrote the register; -1 */
};

static bool is(const struct ptx_instr *pi, const char *mnemonic)
{
    return strcmp(pi->mnemonic, mnemonic) == 0;
}

/** Does it only copy to a register, or negate? */
static bool is_copy(const struct ptx_instr *pi)
{
    return (is(pi, "mov") || is(pi, "not")) && pi->operand_count == 2 && pi->operands[0].kind == OPERAND_REG;
}

/* ---- Uses of copies ---- */

static bool is_real(const struct ptx_instr *pi)
{
    const char *type = pi->modifier_count ? pi->modifiers[pi->modifier_count - 1] : "";
    return strchr(type, 'f') != NULL; /* f32, bf16x2, …: an integer is no operand of these */
}

/** May the operand be the literal? Asked where it matters, and where every form takes one. */
static bool takes_literal(const struct ptx_instr *pi, const struct ptx_operand *literal)
{
    if (is(pi, "mov"))
        return true;
    if (!is(pi, "atom") && !is(pi, "red") && !is(pi, "st"))
        return false;
    return literal->kind == OPERAND_INT ? !is_real(pi) : is_real(pi);
}

static enum ptx_type type_of(const struct ptx_function *f, int reg)
{
    return f->regs.data[reg].type;
}

static void use_source(const struct ptx_function *f, const struct copy *copies, int since, const struct ptx_instr *pi, struct ptx_operand *o, bool in_address)
{
    if (o->element && (o->kind == OPERAND_ADDRESS || o->kind == OPERAND_VECTOR))
        for (int i = 0; i < (o->count ? o->count : 1); i++)
            use_source(f, copies, since, pi, &o->element[i], o->kind == OPERAND_ADDRESS);
    if (o->kind != OPERAND_REG || o->negated || o->reg < 0 || type_of(f, o->reg) == PTX_PRED)
        return;
    const struct copy *c = &copies[o->reg];
    if (c->at < since || c->at < c->written)
        return;
    if (c->of.kind == OPERAND_REG && copies[c->of.reg].written < c->at) {
        o->reg = c->of.reg;
        o->name = c->of.name;
    } else if (c->of.kind != OPERAND_REG && !in_address && takes_literal(pi, &c->of)) {
        int column = o->column;
        *o = c->of;
        o->column = column;
    }
}

static void note_written(struct copy *copies, const struct ptx_operand *o, int at)
{
    if ((o->kind == OPERAND_REG || o->part) && o->reg >= 0)
        copies[o->reg].written = at;
    for (int i = 0; o->element && i < (o->count ? o->count : 1); i++)
        note_written(copies, &o->element[i], at);
}

/** A guard that is another predicate, or its contrary. */
static void use_guard(const struct copy *copies, int since, struct ptx_instr *pi)
{
    const struct copy *c = pi->guard >= 0 ? &copies[pi->guard] : NULL;
    if (!c || c->at < since || c->at < c->written || copies[c->of.reg].written >= c->at)
        return;
    pi->guard = c->of.reg;
    pi->guard_negated ^= c->negated;
}

static void note_copy(const struct ptx_function *f, struct copy *copies, const struct ptx_instr *pi, int at)
{
    if (!is_copy(pi) || pi->guard >= 0)
        return;
    const struct ptx_operand *from = &pi->operands[1];
    enum ptx_type type = type_of(f, pi->operands[0].reg);
    bool literal = from->kind == OPERAND_INT || from->kind == OPERAND_FLOAT32 || from->kind == OPERAND_FLOAT64;
    bool plain = from->kind == OPERAND_REG && !from->negated && from->reg >= 0 && from->reg != pi->operands[0].reg &&
                 (type_of(f, from->reg) == PTX_PRED) == (type == PTX_PRED) && ptx_type_bytes(type_of(f, from->reg)) == ptx_type_bytes(type);
    if (plain ? type == PTX_PRED || is(pi, "mov") : literal && type != PTX_PRED && is(pi, "mov")) {
        struct copy *c = &copies[pi->operands[0].reg];
        c->of = *from;
        c->negated = is(pi, "not");
        c->at = at;
    }
}

static void note_targets(const struct ptx_function *f, bool *enters, const char *name)
{
    for (int i = 0; i < f->labels.count; i++)
        if (!strcmp(f->labels.data[i].name, name))
            enters[f->labels.data[i].instr] = true;
}

/** Instructions to which a branch may lead. */
static void find_entered(const struct ptx_function *f, bool *enters)
{
    for (int i = 0; i < f->instrs.count; i++)
        if (is(&f->instrs.data[i], "bra") && f->instrs.data[i].operand_count == 1 && f->instrs.data[i].operands[0].name)
            note_targets(f, enters, f->instrs.data[i].operands[0].name);
    for (int i = 0; i < f->branch_targets.count; i++)
        for (int k = 0; k < f->branch_targets.data[i].targets.count; k++)
            note_targets(f, enters, f->branch_targets.data[i].targets.data[k]);
}

static void copies_are_seen_through(struct ptx_function *f)
{
    struct copy *copies = malloc(((size_t)f->regs.count + 1) * sizeof *copies);
    bool *enters = calloc((size_t)f->instrs.count + 1, sizeof *enters);
    int since = 0;
    if (!copies || !enters)
        abort();
    for (int i = 0; i < f->regs.count; i++)
        copies[i].at = copies[i].written = -1;
    find_entered(f, enters);
    for (int i = 0; i < f->instrs.count; i++) {
        struct ptx_instr *pi = &f->instrs.data[i];
        bool stores = is(pi, "st") || is(pi, "red");
        since = enters[i] ? i : since;
        use_guard(copies, since, pi);
        for (int k = stores ? 0 : 1; k < pi->operand_count; k++)
            use_source(f, copies, since, pi, &pi->operands[k], false);
        if (pi->operand_count && !stores)
            note_written(copies, &pi->operands[0], i);
        note_copy(f, copies, pi, i);
    }
    free(copies);
    free(enters);
}

/* ---- Copies that nobody reads ---- */

static void count_reads(const struct ptx_function *f, int *reads, const struct ptx_operand *o, int count)
{
    for (int i = 0; i < count; i++) {
        if ((o[i].kind == OPERAND_REG || o[i].part) && o[i].reg >= 0 && o[i].reg < f->regs.count)
            reads[o[i].reg]++;
        if (o[i].element)
            count_reads(f, reads, o[i].element, o[i].count ? o[i].count : 1);
    }
}

static void unread_copies_vanish(struct ptx_function *f, int first)
{
    int *reads = calloc((size_t)f->regs.count + 1, sizeof *reads);
    if (!reads)
        abort();
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        if (pi->guard >= 0)
            reads[pi->guard]++;
        count_reads(f, reads, pi->operands + is_copy(pi), pi->operand_count - is_copy(pi));
    }
    for (int i = f->instrs.count - 1; i >= 0; i--) {
        struct ptx_instr *pi = &f->instrs.data[i];
        if (!is_copy(pi) || pi->operands[0].reg < first || reads[pi->operands[0].reg])
            continue;
        if (pi->operands[1].kind == OPERAND_REG)
            reads[pi->operands[1].reg]--;
        instruction_vanishes(pi);
    }
    free(reads);
}

/* ---- Branches that lead nowhere else ---- */

static int target_of(const struct ptx_function *f, const struct ptx_instr *pi)
{
    for (int i = 0; i < f->labels.count; i++)
        if (!strcmp(f->labels.data[i].name, pi->operands[0].name))
            return f->labels.data[i].instr;
    return -1;
}

static void branches_ahead_vanish(struct ptx_function *f)
{
    for (int i = f->instrs.count - 1; i >= 0; i--) {
        struct ptx_instr *pi = &f->instrs.data[i];
        if (!is(pi, "bra") || pi->guard >= 0 || pi->operand_count != 1 || pi->operands[0].kind != OPERAND_SYMBOL)
            continue;
        int to = target_of(f, pi), next = i + 1;
        while (next < to && next < f->instrs.count && !f->instrs.data[next].mnemonic[0])
            next++;
        if (to > i && next == to)
            instruction_vanishes(pi);
    }
}

/* ---- What has vanished ---- */

void instruction_vanishes(struct ptx_instr *pi)
{
    pi->mnemonic = "";
    pi->modifier_count = pi->operand_count = 0;
    pi->guard = -1;
}

/** Where a label stands alone there is nothing either. */
static void close_gaps(struct ptx_function *f)
{
    int left = 0, *place = calloc((size_t)f->instrs.count + 1, sizeof *place);
    if (!place)
        abort();
    for (int i = 0; i < f->instrs.count; i++) {
        place[i] = left;
        if (f->instrs.data[i].mnemonic[0])
            f->instrs.data[left++] = f->instrs.data[i];
    }
    place[f->instrs.count] = left;
    for (int i = 0; i < f->labels.count; i++)
        f->labels.data[i].instr = place[f->labels.data[i].instr];
    f->instrs.count = left;
    free(place);
}

void function_tidy(struct ptx_function *f, int first)
{
    if (!first)
        branches_ahead_vanish(f);
    copies_are_seen_through(f);
    unread_copies_vanish(f, first);
    close_gaps(f);
}
