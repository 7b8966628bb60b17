/**
 * @file inline_branches.c
 * Code made for debugging goes round about: a branch to what comes next, round a branch, or to another that asks what is known already.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"
#include "decode/inline_graph.h"
#include "decode/inline_known.h"
#include "decode/inline_parts.h"

#define MOST_HOPS 8
#define ROUNDS 2 /* what the first leaves with one way in is known there to the second */

struct name_table labels_of(const struct ptx_function *f)
{
    struct name_table t = {.entries = calloc((size_t)f->labels.count + 1, sizeof *t.entries), .count = f->labels.count};
    if (!t.entries)
        abort();
    for (int i = 0; i < f->labels.count; i++)
        t.entries[i] = (struct name_entry){f->labels.data[i].name, f->labels.data[i].instr};
    name_table_sort(&t);
    return t;
}

static void note_target(const struct name_table *labels, bool *enters, const char *name)
{
    int at = name_table_find(labels, name);
    if (at >= 0)
        enters[at] = true;
}

/** Notes the instructions that lists of branches (`brx`) name. */
static void find_listed(const struct ptx_function *f, const struct name_table *labels, bool *listed)
{
    for (int i = 0; i < f->branch_targets.count; i++)
        for (int k = 0; k < f->branch_targets.data[i].targets.count; k++)
            note_target(labels, listed, f->branch_targets.data[i].targets.data[k]);
}

static void find_entered(const struct ptx_function *f, bool *enters)
{
    struct name_table labels = labels_of(f);
    for (int i = 0; i < f->instrs.count; i++)
        if (instr_is(&f->instrs.data[i], "bra") && f->instrs.data[i].operand_count == 1 && f->instrs.data[i].operands[0].name)
            note_target(&labels, enters, f->instrs.data[i].operands[0].name);
    find_listed(f, &labels, enters);
    free(labels.entries);
}

bool *entered_of(const struct ptx_function *f)
{
    bool *enters = calloc((size_t)f->instrs.count + 1, sizeof *enters);
    if (!enters)
        abort();
    find_entered(f, enters);
    return enters;
}

static void count_operands(const struct ptx_function *f, int *reads, const struct ptx_operand *o, int count)
{
    for (int i = 0; i < count; i++) {
        if ((o[i].kind == OPERAND_REG || o[i].part) && o[i].reg >= 0 && o[i].reg < f->regs.count)
            reads[o[i].reg]++;
        if (o[i].element)
            count_operands(f, reads, o[i].element, o[i].count ? o[i].count : 1);
    }
}

void count_reads(const struct ptx_function *f, int *reads, const struct ptx_instr *pi)
{
    if (pi->guard >= 0)
        reads[pi->guard]++;
    count_operands(f, reads, pi->operands + instr_copies(pi), pi->operand_count - instr_copies(pi));
}

/** The next instruction that is one. */
static int next_of(const struct ptx_function *f, int i)
{
    do
        i++;
    while (i < f->instrs.count && !f->instrs.data[i].mnemonic[0]);
    return i;
}

static bool is_branch(const struct ptx_instr *pi)
{
    return instr_is(pi, "bra") && pi->operand_count == 1 && pi->operands[0].kind == OPERAND_SYMBOL && !pi->operands[0].offset;
}

/** A function whose branches are led elsewhere; by instruction. */
struct ways {
    struct ptx_module *m;
    struct ptx_function *f;
    bool *enters;  /**< entered_of() */
    int *target;   /**< where the branch leads; -1: it is none, or leads nowhere */
    int *reads, *writes; /**< by register: count_reads(); instructions that write it */
    struct constants always;
};

int *branch_targets_of(const struct ptx_function *f)
{
    struct name_table labels = labels_of(f);
    int *target = calloc((size_t)f->instrs.count + 1, sizeof *target);
    if (!target)
        abort();
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        target[i] = is_branch(pi) ? name_table_find(&labels, pi->operands[0].name) : -1;
    }
    free(labels.entries);
    return target;
}

/** Is all that the branch goes round another one, which no other leads to? Then the contrary leads where that one does. */
static void turn_round(struct ways *w, int i)
{
    struct ptx_function *f = w->f;
    struct ptx_instr *pi = &f->instrs.data[i];
    int round = next_of(f, i), to = w->target[i];
    if (round >= f->instrs.count || !is_branch(&f->instrs.data[round]) || f->instrs.data[round].guard >= 0 || to <= round || to > next_of(f, round))
        return;
    for (int k = i + 1; k <= round; k++)
        if (w->enters[k])
            return;
    pi->guard_negated = !pi->guard_negated;
    pi->operands = f->instrs.data[round].operands;
    w->target[i] = w->target[round];
    instruction_vanishes(&f->instrs.data[round]);
}

/* ---- What no way leads to ---- */

/** Where both answers are known at once nobody asks any more. */
static void unreached_vanish(const struct ways *w)
{
    struct ptx_function *f = w->f;
    struct name_table labels = labels_of(f);
    int count = f->instrs.count, todo = 0, *list = malloc(((size_t)count + 1) * sizeof *list);
    bool *reached = calloc((size_t)count + 1, sizeof *reached);
    if (!list || !reached)
        abort();
    find_listed(f, &labels, reached);
    free(labels.entries);
    reached[0] = true;
    for (int i = 0; i < count; i++)
        if (reached[i])
            list[todo++] = i;
    while (todo) {
        int i = list[--todo];
        const struct ptx_instr *pi = &f->instrs.data[i];
        int next[2] = {instr_falls(pi) ? i + 1 : -1, is_branch(pi) ? w->target[i] : -1};
        for (int k = 0; k < 2; k++)
            if (next[k] >= 0 && next[k] < count && !reached[next[k]])
                reached[list[todo++] = next[k]] = true;
    }
    for (int i = 0; i < count; i++)
        if (!reached[i])
            instruction_vanishes(&f->instrs.data[i]);
    free(list);
    free(reached);
}

/* ---- Branches that are known to go on ---- */

static void find_known(const struct ways *w, int branch, struct known *k)
{
    const struct ptx_function *f = w->f;
    const bool *enters = w->enters;
    int first = branch;
    while (first > 0 && !enters[first] && !is_branch(&f->instrs.data[first - 1]))
        first--;
    *k = (struct known){.always = &w->always};
    for (int i = first; i < branch; i++)
        known_past(f, k, &f->instrs.data[i]);
}

/** `for (;;)` is a branch by a predicate that has just been set: it is always taken, or never. */
static void fold_known(const struct ways *w, int branch)
{
    struct ptx_instr *pi = &w->f->instrs.data[branch];
    struct known k;
    find_known(w, branch, &k);
    uint64_t value;
    if (pi->guard < 0 || !known_value(&k, pi->guard, &value))
        return;
    if (value == pi->guard_negated)
        instruction_vanishes(pi);
    else
        pi->guard = -1;
}

const char *label_here(struct ptx_module *m, struct ptx_function *f, int at)
{
    char text[32];
    int n = snprintf(text, sizeof text, "on%d@call", f->labels.count);
    const char *name = arena_strndup(&m->arena, text, (size_t)n);
    *LIST_PUSH(&f->labels) = (struct ptx_label){name, at};
    return name;
}

/** Copies and what else only makes values known, and the branch behind them by what is known there. */
struct hop {
    int first, asks;
    bool taken;
};

static int reads_of(const struct hop *h, const struct ptx_instr *pi, int at, int reg)
{
    int there = pi->guard == reg;
    for (int i = instr_copies(pi); at < h->asks && i < pi->operand_count; i++)
        there += pi->operands[i].kind == OPERAND_REG && pi->operands[i].reg == reg;
    return there;
}

/** The reads of a register in a hop that every way there comes to behind `made`, which writes it: an instruction of that hop, or -1 for one of an
 *  earlier hop. Then every way sets it, if more than one instruction does. */
static int reads_in(const struct ways *w, const struct hop *h, int reg, int made)
{
    int there = 0;
    bool set = made < 0 && w->writes[reg] > 1;
    for (int k = h->first; k <= h->asks; k++) {
        set = k == made + 1 && made >= 0 ? true : set && (made < 0 || !w->enters[k]);
        there += set ? reads_of(h, &w->f->instrs.data[k], k, reg) : 0;
        if (made >= 0 && k == made + 1 && w->enters[k])
            return 0;
    }
    return there;
}

/** Is what is made on the way read there alone? */
static bool are_only_there(const struct ways *w, const struct hop *hops, int count)
{
    for (int h = 0; h < count; h++)
        for (int i = hops[h].first; i < hops[h].asks; i++) {
            const struct ptx_instr *pi = &w->f->instrs.data[i];
            int reg = pi->mnemonic[0] ? pi->operands[0].reg : -1, there = 0;
            if (reg < 0)
                continue;
            for (int k = h; k < count; k++)
                there += reads_in(w, &hops[k], reg, k == h ? i : -1);
            if (there + (instr_copies(pi) ? 0 : 1) != w->reads[reg])
                return false;
        }
    return true;
}

/** The next hop from `at` on. @return whether the branch there is by something known */
static bool hop_from(const struct ptx_function *f, int at, struct known *k, struct hop *h)
{
    uint64_t value;
    h->first = at;
    while (at < f->instrs.count && (!f->instrs.data[at].mnemonic[0] || known_past(f, k, &f->instrs.data[at]) || instr_copies(&f->instrs.data[at])))
        at++;
    const struct ptx_instr *asks = at < f->instrs.count ? &f->instrs.data[at] : NULL;
    if (!asks || !is_branch(asks) || asks->guard < 0 || !known_value(k, asks->guard, &value))
        return false;
    h->asks = at;
    h->taken = value != asks->guard_negated;
    return true;
}

/**
 * `a && b` is a predicate set to false, a branch round the second question, and a branch by that predicate where both ways meet; `a && b && c` asks so
 * more than once. Who comes there by the first goes where that leads at once, if only those branches read what is made on the way. So it is with a
 * function's `return true` that its caller asks for.
 */
static void lead_on(struct ways *w, int branch)
{
    struct ptx_function *f = w->f;
    struct ptx_instr *pi = &f->instrs.data[branch];
    struct hop hops[MOST_HOPS];
    struct known k;
    int at = w->target[branch], count = 0, last = -1;
    find_known(w, branch, &k);
    if (at <= branch || !k.count)
        return;
    while (count < MOST_HOPS && hop_from(f, at, &k, &hops[count])) {
        int to = hops[count].taken ? w->target[hops[count].asks] : hops[count].asks + 1;
        count++;
        if (are_only_there(w, hops, count))
            last = count - 1;
        if (to <= at)
            break;
        at = to;
    }
    if (last < 0)
        return;
    int asks = hops[last].asks;
    struct ptx_operand *to = arena_alloc(&w->m->arena, sizeof *to);
    *to = pi->operands[0];
    to->name = hops[last].taken ? f->instrs.data[asks].operands[0].name : label_here(w->m, f, asks + 1);
    pi->operands = to;
    w->target[branch] = hops[last].taken ? w->target[asks] : asks + 1;
    w->enters[asks + 1] |= !hops[last].taken;
}

static struct constants known_in(struct ptx_module *m, struct ptx_function *f)
{
    struct way_graph g;
    bool has_ways = way_graph_find(&g, f);
    int *made = has_ways ? only_writers_of(&g, f) : numbers_new(f->regs.count, -1);
    answers_are_asked_once(f, made);
    numbers_are_named(m, f, made);
    struct constants c = always_known(f, made);
    free(made);
    if (has_ways)
        way_graph_free(&g);
    return c;
}

static void lead_all_on(struct ways *w)
{
    struct ptx_function *f = w->f;
    unreached_vanish(w);
    w->always = known_in(w->m, f);
    memset(w->enters, 0, ((size_t)f->instrs.count + 1) * sizeof *w->enters);
    memset(w->reads, 0, ((size_t)f->regs.count + 1) * sizeof *w->reads);
    memset(w->writes, 0, ((size_t)f->regs.count + 1) * sizeof *w->writes);
    find_entered(f, w->enters);
    for (int i = 0; i < f->instrs.count; i++) {
        count_reads(f, w->reads, &f->instrs.data[i]);
        if (f->instrs.data[i].operand_count && f->instrs.data[i].operands[0].kind == OPERAND_REG)
            w->writes[f->instrs.data[i].operands[0].reg]++;
    }
    for (int i = 0; i < f->instrs.count; i++)
        if (is_branch(&f->instrs.data[i])) {
            fold_known(w, i);
            if (is_branch(&f->instrs.data[i]))
                lead_on(w, i);
        }
    always_known_free(&w->always);
}

/* ---- All of them ---- */

static bool leads_to_next(const struct ways *w, int i)
{
    const struct ptx_instr *pi = &w->f->instrs.data[i];
    int to = is_branch(pi) ? w->target[i] : -1;
    return to > i && to <= next_of(w->f, i);
}

static bool branches_to_next(const struct ptx_function *f)
{
    for (int i = 0; i < f->labels.count; i++) {
        const struct ptx_label *l = &f->labels.data[i];
        const struct ptx_instr *pi = l->instr > 0 ? &f->instrs.data[l->instr - 1] : NULL;
        if (pi && is_branch(pi) && pi->guard < 0 && !strcmp(pi->operands[0].name, l->name))
            return true;
    }
    return false;
}

bool module_in_haste(const struct ptx_module *m)
{
    for (int i = 0; i < m->functions.count; i++)
        if (branches_to_next(&m->functions.data[i]))
            return true;
    return false;
}

void branches_straighten(struct ptx_module *m, struct ptx_function *f)
{
    size_t count = (size_t)f->instrs.count + 1;
    size_t registers = (size_t)f->regs.count + 1;
    struct ways w = {m, f, calloc(count, sizeof *w.enters), branch_targets_of(f), calloc(registers, sizeof *w.reads), calloc(registers, sizeof *w.writes), {0}};
    if (!w.enters || !w.reads || !w.writes)
        abort();
    for (int round = 0; round < ROUNDS; round++)
        lead_all_on(&w);
    unreached_vanish(&w);
    for (int i = f->instrs.count - 1; i >= 0; i--)
        if (leads_to_next(&w, i))
            instruction_vanishes(&f->instrs.data[i]);
    memset(w.enters, 0, count * sizeof *w.enters);
    find_entered(f, w.enters);
    for (int i = 0; i < f->instrs.count; i++)
        if (is_branch(&f->instrs.data[i]) && f->instrs.data[i].guard >= 0)
            turn_round(&w, i);
    free(w.enters);
    free(w.target);
    free(w.reads);
    free(w.writes);
}
