/**
 * @file inline_graph.c
 * See inline_graph.h. Dominators by going up from both ways to a block until they meet.
 */
#include "decode/inline_graph.h"

#include <stdlib.h>

#include "decode/inline_parts.h"

int *numbers_new(int count, int value)
{
    int *n = malloc(((size_t)count + 1) * sizeof *n);
    if (!n)
        abort();
    for (int i = 0; i <= count; i++)
        n[i] = value;
    return n;
}

static void find_blocks(struct way_graph *g, const struct ptx_function *f)
{
    int count = f->instrs.count;
    bool *begins = calloc((size_t)count + 2, sizeof *begins);
    if (!begins)
        abort();
    for (int i = 0; i < count; i++) {
        if (g->target[i] >= 0)
            begins[g->target[i]] = true;
        if (g->target[i] >= 0 || !instr_falls(&f->instrs.data[i]))
            begins[i + 1] = true;
    }
    for (int i = 0; i < count; i++) {
        if (i == 0 || begins[i])
            g->first[g->count++] = i;
        g->of[i] = g->count - 1;
    }
    g->first[g->count] = count;
    free(begins);
}

/** Where a block leads; -1: nowhere. */
static void next_of(const struct way_graph *g, const struct ptx_function *f, int block, int next[2])
{
    int last = g->first[block + 1] - 1, to = g->target[last];
    next[0] = instr_falls(&f->instrs.data[last]) && last + 1 < f->instrs.count ? block + 1 : -1;
    next[1] = to >= 0 && to < f->instrs.count ? g->of[to] : -1;
}

/** The blocks in the order in which ways to them come last, from the end of `list` on. @return how many are reached */
static int find_turns(struct way_graph *g, const struct ptx_function *f, int *list)
{
    int *open = numbers_new(g->count, 0), *done = numbers_new(g->count, 0), depth = 0, place = g->count, next[2];
    for (open[depth++] = 0, g->turn[0] = 0; depth;) {
        int block = open[depth - 1];
        if (done[block] == 2) {
            list[--place] = block;
            depth--;
            continue;
        }
        next_of(g, f, block, next);
        int to = next[done[block]++];
        if (to >= 0 && g->turn[to] < 0) {
            g->turn[to] = 0;
            open[depth++] = to;
        }
    }
    for (int i = place; i < g->count; i++)
        g->turn[list[i]] = i - place;
    free(open);
    free(done);
    return g->count - place;
}

static int meet(const struct way_graph *g, int a, int b)
{
    while (a != b)
        if (g->turn[a] > g->turn[b])
            a = g->above[a];
        else
            b = g->above[b];
    return a;
}

static void find_above(struct way_graph *g, const struct ptx_function *f, const int *list, int count)
{
    bool changed = true;
    g->above[list[0]] = list[0];
    while (changed) {
        changed = false;
        for (int i = 0; i < count; i++) {
            int next[2];
            next_of(g, f, list[i], next);
            for (int k = 0; k < 2; k++) {
                int to = next[k], before = to >= 0 ? g->above[to] : -1;
                if (to < 0 || to == list[0])
                    continue;
                g->above[to] = before < 0 ? list[i] : meet(g, before, list[i]);
                changed |= g->above[to] != before;
            }
        }
    }
}

/** Numbers the blocks so that those whose ways all pass a block come behind it in one piece. */
static void find_pieces(struct way_graph *g, const int *list, int count)
{
    int *next = numbers_new(g->count, 0);
    for (int i = count - 1; i >= 0; i--) {
        g->size[list[i]]++;
        if (i)
            g->size[g->above[list[i]]] += g->size[list[i]];
    }
    for (int i = 0; i < count; i++) {
        int block = list[i], above = g->above[block];
        g->piece[block] = i ? next[above] : 0;
        next[above] += i ? g->size[block] : 0;
        next[block] = g->piece[block] + 1;
    }
    free(next);
}

bool way_graph_find(struct way_graph *g, const struct ptx_function *f)
{
    if (f->branch_targets.count || !f->instrs.count)
        return false;
    *g = (struct way_graph){.of = numbers_new(f->instrs.count, 0), .target = branch_targets_of(f), .first = numbers_new(f->instrs.count + 1, 0)};
    find_blocks(g, f);
    g->turn = numbers_new(g->count, -1);
    g->above = numbers_new(g->count, -1);
    int *list = numbers_new(g->count, 0), reached = find_turns(g, f, list);
    find_above(g, f, list + g->count - reached, reached);
    g->piece = numbers_new(g->count, -1);
    g->size = numbers_new(g->count, 0);
    find_pieces(g, list + g->count - reached, reached);
    free(list);
    return true;
}

void way_graph_free(struct way_graph *g)
{
    free(g->of);
    free(g->target);
    free(g->first);
    free(g->turn);
    free(g->above);
    free(g->piece);
    free(g->size);
}

bool way_passes(const struct way_graph *g, int a, int b)
{
    return g->turn[a] >= 0 && g->turn[b] >= 0 && g->piece[b] >= g->piece[a] && g->piece[b] < g->piece[a] + g->size[a];
}

/* ---- Who makes what ---- */

enum { UNWRITTEN = -1, MANY = -2 };

static void note_made(int *made, const struct ptx_operand *o, int at)
{
    if ((o->kind == OPERAND_REG || o->part) && o->reg >= 0)
        made[o->reg] = made[o->reg] == UNWRITTEN ? at : MANY;
    for (int i = 0; o->element && o->kind != OPERAND_ADDRESS && i < o->count; i++)
        note_made(made, &o->element[i], at);
}

bool instr_passed(const struct way_graph *g, int a, int b)
{
    int from = g->of[a], to = g->of[b];
    return from == to ? a < b : way_passes(g, from, to);
}

static void note_read(const struct way_graph *g, int *made, int reg, int at)
{
    if (reg >= 0 && made[reg] >= 0 && !instr_passed(g, made[reg], at))
        made[reg] = MANY;
}

static void note_reads(const struct way_graph *g, int *made, const struct ptx_operand *o, bool result, int at)
{
    if ((o->kind == OPERAND_REG || o->part) && !result)
        note_read(g, made, o->reg, at);
    for (int i = 0; o->element && i < (o->count ? o->count : 1); i++)
        note_reads(g, made, &o->element[i], result && o->kind != OPERAND_ADDRESS, at);
}

int *only_writers_of(const struct way_graph *g, const struct ptx_function *f)
{
    int *made = numbers_new(f->regs.count, UNWRITTEN);
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        if (pi->operand_count && !instr_only_reads(pi))
            note_made(made, &pi->operands[0], i);
    }
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        if (pi->guard >= 0)
            note_read(g, made, pi->guard, i);
        for (int k = 0; k < pi->operand_count; k++)
            note_reads(g, made, &pi->operands[k], k == 0 && !instr_only_reads(pi), i);
    }
    return made;
}
