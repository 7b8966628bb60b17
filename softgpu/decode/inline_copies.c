/**
 * @file inline_copies.c
 * Code made for debugging, without what an optimising compiler would not have written: copies of copies, a predicate's contrary for a
 * branch, branches to what comes next (inline_branches.c). Whatever looks for a pattern in a function (analyse/) finds it there as elsewhere.
 *
 * Whoever uses a copy uses what it was made of, and a copy that nobody reads is gone: so an atomic that adds 0 has that 0 for its operand,
 * and what an atomic returns is thrown away where nothing takes it further. Only within stretches that are entered at their first
 * instruction alone: nothing is taken for defined that some way leaves unset.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline.h"
#include "decode/inline_parts.h"

#define MOST_ROUNDS 16 /* of pointers in places that a pointer in a place leads to */

#define MOST_CHOICES 4 /* within each other */

/** What a register was made a copy of, and when; by register. */
struct copy {
    struct ptx_operand of;
    bool negated;      /**< a predicate that is the other's contrary */
    int at;            /**< the instruction's number; -1: it is none */
};

/** By register; `written`: the last instruction that wrote it; -1. */
struct copies {
    struct copy *of;
    int *written;
};

/* ---- Uses of copies ---- */

static bool is_real(const struct ptx_instr *pi)
{
    const char *type = pi->modifier_count ? pi->modifiers[pi->modifier_count - 1] : "";
    return strchr(type, 'f') != NULL; /* f32, bf16x2, …: an integer is no operand of these */
}

bool instr_takes_literal(const struct ptx_instr *pi, const struct ptx_operand *literal)
{
    if (instr_is(pi, "mov"))
        return true;
    if (!instr_is(pi, "atom") && !instr_is(pi, "red") && !instr_is(pi, "st"))
        return false;
    return literal->kind == OPERAND_INT ? !is_real(pi) : is_real(pi);
}

static enum ptx_type type_of(const struct ptx_function *f, int reg)
{
    return f->regs.data[reg].type;
}

static void use_source(const struct ptx_function *f, const struct copies *all, int since, const struct ptx_instr *pi, struct ptx_operand *o, bool in_address)
{
    if (o->element && (o->kind == OPERAND_ADDRESS || o->kind == OPERAND_VECTOR))
        for (int i = 0; i < (o->count ? o->count : 1); i++)
            use_source(f, all, since, pi, &o->element[i], o->kind == OPERAND_ADDRESS);
    if (o->kind != OPERAND_REG || o->negated || o->reg < 0 || type_of(f, o->reg) == PTX_PRED)
        return;
    const struct copy *c = &all->of[o->reg];
    if (c->at < since || c->at < all->written[o->reg])
        return;
    if (c->of.kind == OPERAND_REG && all->written[c->of.reg] < c->at) {
        o->reg = c->of.reg;
        o->name = c->of.name;
    } else if (c->of.kind != OPERAND_REG && !in_address && instr_takes_literal(pi, &c->of)) {
        int column = o->column;
        *o = c->of;
        o->column = column;
    }
}

void note_results(int *written, const struct ptx_operand *o, int at)
{
    if ((o->kind == OPERAND_REG || o->part) && o->reg >= 0)
        written[o->reg] = at;
    for (int i = 0; o->element && i < (o->count ? o->count : 1); i++)
        note_results(written, &o->element[i], at);
}

/** A guard that is another predicate, or its contrary, which may be a copy as well: an earlier one, for nothing has written it since. */
static void use_guard(const struct copies *all, int since, struct ptx_instr *pi)
{
    while (pi->guard >= 0) {
        const struct copy *c = &all->of[pi->guard];
        if (c->at < since || c->at < all->written[pi->guard] || all->written[c->of.reg] >= c->at)
            return;
        pi->guard = c->of.reg;
        pi->guard_negated ^= c->negated;
    }
}

/** May one register stand where the other does? What computes integers takes none of floating point, nor the other way about. */
bool registers_alike(enum ptx_type a, enum ptx_type b)
{
    return (a == PTX_PRED) == (b == PTX_PRED) && (a >= PTX_F16) == (b >= PTX_F16) && ptx_type_bytes(a) == ptx_type_bytes(b);
}

static void note_copy(const struct ptx_function *f, struct copy *copies, const struct ptx_instr *pi, int at)
{
    if (!instr_copies(pi) || pi->guard >= 0)
        return;
    const struct ptx_operand *from = &pi->operands[1];
    enum ptx_type type = type_of(f, pi->operands[0].reg);
    bool literal = from->kind == OPERAND_INT || from->kind == OPERAND_FLOAT32 || from->kind == OPERAND_FLOAT64;
    bool plain = from->kind == OPERAND_REG && !from->negated && from->reg >= 0 && from->reg != pi->operands[0].reg && registers_alike(type_of(f, from->reg), type);
    if (plain ? type == PTX_PRED || instr_is(pi, "mov") : literal && type != PTX_PRED && instr_is(pi, "mov")) {
        struct copy *c = &copies[pi->operands[0].reg];
        c->of = *from;
        c->negated = instr_is(pi, "not");
        c->at = at;
    }
}

static void copies_are_seen_through(struct ptx_function *f, const bool *enters)
{
    size_t registers = (size_t)f->regs.count + 1;
    struct copies all = {malloc(registers * sizeof *all.of), malloc(registers * sizeof *all.written)};
    int since = 0;
    if (!all.of || !all.written)
        abort();
    for (int i = 0; i < f->regs.count; i++)
        all.of[i].at = all.written[i] = -1;
    for (int i = 0; i < f->instrs.count; i++) {
        struct ptx_instr *pi = &f->instrs.data[i];
        bool stores = instr_is(pi, "st") || instr_is(pi, "red");
        since = enters[i] ? i : since;
        use_guard(&all, since, pi);
        for (int k = stores ? 0 : 1; k < pi->operand_count; k++)
            use_source(f, &all, since, pi, &pi->operands[k], false);
        if (pi->operand_count && !stores)
            note_results(all.written, &pi->operands[0], i);
        note_copy(f, all.of, pi, i);
    }
    free(all.of);
    free(all.written);
}

/* ---- What nobody reads ---- */

/** Is it for nothing, if nobody reads what it leaves? Of what may be shown to a debugger only copies are. */
static bool only_leaves(const struct ptx_function *f, const struct ptx_instr *pi, int first)
{
    return (instr_copies(pi) && pi->operands[0].reg >= first) || (!first && instr_can_be_had(f, pi));
}

static void unread_vanish(struct ptx_function *f, int first)
{
    int *reads = calloc((size_t)f->regs.count + 1, sizeof *reads);
    if (!reads)
        abort();
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        count_reads(f, reads, pi);
        if (only_leaves(f, pi, first) && !instr_copies(pi))
            reads[pi->operands[0].reg]--;
    }
    for (int i = f->instrs.count - 1; i >= 0; i--) {
        struct ptx_instr *pi = &f->instrs.data[i];
        if (!only_leaves(f, pi, first) || reads[pi->operands[0].reg])
            continue;
        for (int k = 1; k < pi->operand_count; k++)
            if (pi->operands[k].kind == OPERAND_REG)
                reads[pi->operands[k].reg]--;
        instruction_vanishes(pi);
    }
    free(reads);
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

/** What moves before a loop may be there already, and is a copy then, which names what it is. */
static void loops_settle(struct ptx_module *m, struct ptx_function *f)
{
    if (!invariants_move(m, f))
        return;
    bool *enters = entered_of(f), copied = computed_again_is_copied(m, f, enters);
    free(enters);
    if (copied)
        invariants_move(m, f);
}

static void note_named(const struct ptx_function *f, bool *named, const struct ptx_operand *o, int count)
{
    for (int i = 0; i < count; i++) {
        if (o[i].kind == OPERAND_SYMBOL && o[i].variable >= 0 && o[i].variable < f->variables.count)
            named[o[i].variable] = true;
        if (o[i].element)
            note_named(f, named, o[i].element, o[i].count ? o[i].count : 1);
    }
}

/** A local variable of which nothing is said any more takes no room. */
static void unnamed_variables_shrink(struct ptx_function *f)
{
    bool *named = calloc((size_t)f->variables.count + 1, sizeof *named);
    if (!named)
        abort();
    for (int i = 0; i < f->instrs.count; i++)
        note_named(f, named, f->instrs.data[i].operands, f->instrs.data[i].operand_count);
    for (int i = 0; i < f->variables.count; i++) {
        struct ptx_variable *v = &f->variables.data[i];
        if (!named[i] && (v->space == SPACE_LOCAL || v->space == SPACE_PARAM))
            v->bytes = 0;
    }
    free(named);
}

/** A choice inside another one first. */
static void choices_settle(struct ptx_module *m, struct ptx_function *f)
{
    for (int round = 0; round < MOST_CHOICES && branches_become_choices(m, f); round++) {
        close_gaps(f);
        bool *enters = entered_of(f);
        copies_are_seen_through(f, enters);
        free(enters);
        unread_vanish(f, 0);
        close_gaps(f);
    }
}

/** What goes through local memory goes through registers. */
static void memory_settles(struct ptx_module *m, struct ptx_function *f)
{
    for (int round = 0; round < MOST_ROUNDS && places_become_registers(m, f); round++) {
        branches_straighten(m, f);
        unread_vanish(f, 0);
        close_gaps(f);
    }
    unnamed_variables_shrink(f);
}

void function_tidy(struct ptx_module *m, struct ptx_function *f, int first)
{
    if (!first) {
        branches_straighten(m, f);
        memory_settles(m, f);
    }
    bool *enters = entered_of(f);
    copies_are_seen_through(f, enters);
    if (!first) {
        computed_again_is_copied(m, f, enters);
        copies_are_seen_through(f, enters);
    }
    free(enters);
    unread_vanish(f, first);
    close_gaps(f);
    if (first)
        return;
    choices_settle(m, f);
    loops_settle(m, f);
    unread_vanish(f, 0);
    close_gaps(f);
    branches_straighten(m, f);
    unread_vanish(f, 0);
    close_gaps(f);
}
