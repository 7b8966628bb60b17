/**
 * @file inline_choices.c
 * Code made for debugging branches where other code chooses: `a > b ? a : b` is a branch round a copy, and another copy behind it. Whoever looks at what
 * decides whether a place is stored to, or looked at again, finds no branch there elsewhere.
 *
 * Both ways must come to the same place, and have nothing but copies, which are read behind it, and few computations, which are not. The latter are made
 * on both ways then, and of the former the predicate chooses.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline_parts.h"

#define MOST_ON_BOTH 8  /* instructions on each of the ways */
#define MOST_COMPUTED 4 /* that are no copies, on both */

/** By register but `target` and `comes`. */
struct choices {
    struct ptx_module *m;
    struct ptx_function *f;
    int *target;            /**< by instruction: branch_targets_of() */
    int *comes;             /**< by instruction: how many branches lead there */
    int *reads, *writes;
};

/** One of the ways between a branch and where both meet. */
struct way {
    int first, end;         /**< its instructions, without the branch at the end */
    int computed, count;    /**< those that are no copies; its copies that are read behind it */
    int copy[MOST_ON_BOTH]; /**< these, by their number */
};

/** The copies that a predicate chooses from; -1: what the register holds stays. */
struct choice {
    int reg, taken, passed;
};

static int reads_within(const struct ptx_function *f, int from, int end, int reg)
{
    int reads = 0;
    for (int i = from; i < end; i++)
        for (int k = 1; k < f->instrs.data[i].operand_count; k++)
            reads += f->instrs.data[i].operands[k].kind == OPERAND_REG && f->instrs.data[i].operands[k].reg == reg;
    return reads;
}

static int writes_within(const struct ptx_function *f, int from, int end, int reg)
{
    int writes = 0;
    for (int i = from; i < end; i++)
        writes += f->instrs.data[i].operand_count && f->instrs.data[i].operands[0].reg == reg;
    return writes;
}

static bool is_own(const struct choices *c, const struct way *w, int reg)
{
    return c->reads[reg] == reads_within(c->f, w->first, w->end, reg) && c->writes[reg] == writes_within(c->f, w->first, w->end, reg);
}

/** Are all of its instructions copies that are read behind it, or read on it alone? No copy is read on it once it is made. */
static bool is_quiet(const struct choices *c, struct way *w)
{
    const struct ptx_function *f = c->f;
    w->computed = w->count = 0;
    if (w->end - w->first > MOST_ON_BOTH)
        return false;
    for (int i = w->first; i < w->end; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        if (!instr_can_be_had(f, pi))
            return false;
        int reg = pi->operands[0].reg;
        if (is_own(c, w, reg)) {
            if (!writes_within(f, w->first, i, reg) && reads_within(f, w->first, i + 1, reg))
                return false; /* what it has from the last time */
            w->computed += !instr_is(pi, "mov");
            continue;
        }
        if (!instr_is(pi, "mov") || f->regs.data[reg].type == PTX_PRED || writes_within(f, w->first, w->end, reg) != 1 || reads_within(f, i, w->end, reg))
            return false;
        w->copy[w->count++] = i;
    }
    return true;
}

/** The ways that part at the branch. @return do they meet again, and does nobody else come there in between? */
static bool ways_of(const struct choices *c, int branch, struct way *passed, struct way *taken, int *meet)
{
    const struct ptx_function *f = c->f;
    int to = c->target[branch], last = to - 1;
    if (to <= branch + 1 || to >= f->instrs.count || f->instrs.data[branch].guard < 0)
        return false;
    bool jumps = last > branch && instr_is(&f->instrs.data[last], "bra") && f->instrs.data[last].guard < 0;
    *meet = jumps ? c->target[last] : to;
    *passed = (struct way){.first = branch + 1, .end = to - jumps};
    *taken = (struct way){.first = to, .end = *meet};
    if (*meet < to || *meet >= f->instrs.count || taken->end - taken->first > MOST_ON_BOTH || passed->end - passed->first > MOST_ON_BOTH)
        return false;
    for (int i = branch + 1; i < *meet; i++)
        if (c->comes[i] > (jumps && i == to))
            return false;
    return true;
}

/** The copies of one register on both ways. @return so many choices */
static int pair_up(const struct choices *c, const struct way *passed, const struct way *taken, struct choice *all)
{
    const struct ptx_function *f = c->f;
    int count = 0;
    for (int k = 0; k < passed->count; k++)
        all[count++] = (struct choice){f->instrs.data[passed->copy[k]].operands[0].reg, -1, passed->copy[k]};
    for (int k = 0; k < taken->count; k++) {
        int reg = f->instrs.data[taken->copy[k]].operands[0].reg, at = 0;
        while (at < count && all[at].reg != reg)
            at++;
        if (at == count)
            all[count++] = (struct choice){reg, -1, -1};
        all[at].taken = taken->copy[k];
    }
    return count;
}

/** Can the predicate choose from it, whatever the choices before it have written? */
static bool can_choose_from(const struct choices *c, int copy, const struct choice *all, int before)
{
    if (copy < 0)
        return true;
    const struct ptx_operand *o = &c->f->instrs.data[copy].operands[1];
    bool real = c->f->regs.data[c->f->instrs.data[copy].operands[0].reg].type >= PTX_F16;
    for (int i = 0; i < before; i++)
        if (o->kind == OPERAND_REG && o->reg == all[i].reg)
            return false;
    return o->kind == OPERAND_REG || o->kind == (real ? OPERAND_FLOAT32 : OPERAND_INT);
}

static bool can_choose(const struct choices *c, const struct choice *all, int count)
{
    for (int i = 0; i < count; i++)
        if (!can_choose_from(c, all[i].taken, all, i) || !can_choose_from(c, all[i].passed, all, i))
            return false;
    return count > 0;
}

static struct ptx_operand source_of(const struct ptx_function *f, const struct choice *c, int copy)
{
    if (copy >= 0)
        return f->instrs.data[copy].operands[1];
    return (struct ptx_operand){.kind = OPERAND_REG, .name = f->regs.data[c->reg].name, .reg = c->reg, .variable = -1};
}

static struct ptx_instr chosen(const struct choices *c, const struct choice *from, const struct ptx_instr *branch)
{
    const struct ptx_function *f = c->f;
    enum ptx_type type = f->regs.data[from->reg].type;
    unsigned bytes = ptx_type_bytes(type);
    struct ptx_instr pi = f->instrs.data[from->taken >= 0 ? from->taken : from->passed];
    struct ptx_operand *operands = arena_alloc(&c->m->arena, 4 * sizeof *operands);
    operands[0] = pi.operands[0];
    operands[1] = source_of(f, from, branch->guard_negated ? from->passed : from->taken);
    operands[2] = source_of(f, from, branch->guard_negated ? from->taken : from->passed);
    operands[3] = (struct ptx_operand){.kind = OPERAND_REG, .name = f->regs.data[branch->guard].name, .reg = branch->guard, .variable = -1};
    pi.mnemonic = "selp";
    pi.modifiers = arena_alloc(&c->m->arena, sizeof *pi.modifiers);
    pi.modifiers[0] = ptx_type_name(type >= PTX_F32 ? type : bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : PTX_B16);
    pi.modifier_count = 1;
    pi.operands = operands;
    pi.operand_count = 4;
    return pi;
}

/** What is computed comes first, in its order, and the choices behind it. */
static void put_choices(const struct choices *c, int branch, int meet, const struct choice *all, int count)
{
    struct ptx_function *f = c->f;
    struct ptx_instr made[2 * MOST_ON_BOTH];
    int at = branch;
    for (int i = 0; i < count; i++)
        made[i] = chosen(c, &all[i], &f->instrs.data[branch]);
    for (int i = 0; i < count; i++) {
        if (all[i].taken >= 0)
            instruction_vanishes(&f->instrs.data[all[i].taken]);
        if (all[i].passed >= 0)
            instruction_vanishes(&f->instrs.data[all[i].passed]);
    }
    for (int i = branch + 1; i < meet; i++)
        if (f->instrs.data[i].mnemonic[0] && !instr_is(&f->instrs.data[i], "bra"))
            f->instrs.data[at++] = f->instrs.data[i];
    for (int i = 0; i < count; i++)
        f->instrs.data[at++] = made[i];
    while (at < meet)
        instruction_vanishes(&f->instrs.data[at++]);
}

static bool choose(const struct choices *c, int branch)
{
    const struct ptx_function *f = c->f;
    int guard = f->instrs.data[branch].guard, meet;
    struct way passed, taken;
    struct choice all[2 * MOST_ON_BOTH];
    if (!ways_of(c, branch, &passed, &taken, &meet) || !is_quiet(c, &passed) || !is_quiet(c, &taken) || passed.computed + taken.computed > MOST_COMPUTED)
        return false;
    int count = pair_up(c, &passed, &taken, all);
    if (!can_choose(c, all, count) || writes_within(f, branch + 1, meet, guard))
        return false;
    put_choices(c, branch, meet, all, count);
    return true;
}

bool branches_become_choices(struct ptx_module *m, struct ptx_function *f)
{
    struct choices c = {m, f, branch_targets_of(f), numbers_new(f->instrs.count, 0), numbers_new(f->regs.count, 0), numbers_new(f->regs.count, 0)};
    bool chose = false;
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        if (c.target[i] >= 0)
            c.comes[c.target[i]]++;
        count_reads(f, c.reads, pi);
        if (instr_can_be_had(f, pi) && !instr_copies(pi))
            c.reads[pi->operands[0].reg]--;
        if (pi->operand_count && pi->operands[0].kind == OPERAND_REG && !instr_only_reads(pi))
            c.writes[pi->operands[0].reg]++;
    }
    for (int i = f->instrs.count - 1; i >= 0 && !f->branch_targets.count; i--)
        if (c.target[i] >= 0)
            chose |= choose(&c, i);
    int *all[] = {c.target, c.comes, c.reads, c.writes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return chose;
}
