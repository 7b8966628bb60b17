/**
 * @file inline_invariant.c
 * Code made for debugging makes in every turn of a loop what is the same in all of them: the address of x[i] from x, the arguments of a function
 * that is called. What a rule asks of a loop, whether it looks at one place again or at another, is seen where that is made before the loop.
 *
 * A register that one instruction writes has one value at a time, and all who read it where every way passes that instruction read that one. So a
 * copy is read under the name of what it was made of, and what is made of such registers, none of which is written in the loop, moves before it.
 * Nothing becomes defined by that which some way leaves unset: a register that is read where a way leads past its instruction is left alone.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline_graph.h"
#include "decode/inline_parts.h"

LIST_TYPE(instr_list, struct ptx_instr);

struct invariants {
    struct ptx_module *m;
    struct ptx_function *f;
    struct way_graph g;
    int *made;     /**< by register: only_writers_of() */
    int *into;     /**< by instruction: the loop, by its first block, before which it moves; -1: it stays */
    int *last;     /**< by block: the last one that leads back to it, as to a loop; -1: none */
    int *around;   /**< by block: the loop around it, which it may begin; -1: none */
    int *up;       /**< by block: the loop around it that it does not begin; -1: none */
    int *moved, *latest; /**< by block: the first and the latest of those that move before it; -1 */
    int *next;     /**< by instruction: the next that moves to the same place; -1 */
};

/* ---- Copies ---- */

/** What the register is a copy of, through copies of copies. */
static int copied_from(const struct invariants *v, int reg)
{
    const struct ptx_function *f = v->f;
    while (v->made[reg] >= 0) {
        const struct ptx_instr *pi = &f->instrs.data[v->made[reg]];
        const struct ptx_operand *from = &pi->operands[1];
        if (!instr_is(pi, "mov") || pi->guard >= 0 || pi->operand_count != 2 || from->kind != OPERAND_REG || from->negated || from->part ||
            pi->operands[0].part || from->reg < 0 || from->reg == reg || v->made[from->reg] < 0 || f->regs.data[reg].type == PTX_PRED ||
            !registers_alike(f->regs.data[from->reg].type, f->regs.data[reg].type))
            return reg;
        reg = from->reg;
    }
    return reg;
}

/** The number that the register always holds, where the instruction can have it instead. */
static void use_number(const struct invariants *v, const struct ptx_instr *pi, struct ptx_operand *o)
{
    bool made = o->kind == OPERAND_REG && !o->negated && !o->part && o->reg >= 0 && v->made[o->reg] >= 0;
    const struct ptx_instr *by = made ? &v->f->instrs.data[v->made[o->reg]] : NULL;
    if (!by || !instr_is(by, "mov") || by->guard >= 0 || by->operand_count != 2 || by->operands[1].kind != OPERAND_INT || !instr_takes_literal(pi, &by->operands[1]))
        return;
    int column = o->column;
    *o = by->operands[1];
    o->column = column;
}

static void use_copied(const struct invariants *v, struct ptx_operand *o, bool result)
{
    if (o->kind == OPERAND_REG && !o->negated && !o->part && o->reg >= 0 && !result) {
        o->reg = copied_from(v, o->reg);
        o->name = v->f->regs.data[o->reg].name;
    }
    for (int i = 0; o->element && (o->kind == OPERAND_ADDRESS || (o->kind == OPERAND_VECTOR && !result)) && i < (o->count ? o->count : 1); i++)
        use_copied(v, &o->element[i], false);
}

static void copies_are_named(const struct invariants *v)
{
    for (int i = 0; i < v->f->instrs.count; i++) {
        const struct ptx_instr *pi = &v->f->instrs.data[i];
        for (int k = 0; k < pi->operand_count; k++)
            use_copied(v, &pi->operands[k], k == 0 && !instr_only_reads(pi));
        for (int k = !instr_only_reads(pi); k < pi->operand_count; k++)
            use_number(v, pi, &pi->operands[k]);
    }
}

/* ---- Loops ---- */

/** Is the block left before the loop's first one comes by falling, from within the loop? Then nothing has room between. */
static bool falls_back_into(const struct invariants *v, int loop)
{
    return loop > 0 && instr_falls(&v->f->instrs.data[v->g.first[loop] - 1]) && way_passes(&v->g, loop, loop - 1);
}

/** The loop, from this one on outward, that stands around the block. */
static int loop_at(const struct invariants *v, int loop, int block)
{
    while (loop >= 0 && (v->last[loop] < block || !way_passes(&v->g, loop, block)))
        loop = v->up[loop];
    return loop;
}

static void find_loops(struct invariants *v)
{
    struct way_graph *g = &v->g;
    for (int i = 0; i < v->f->instrs.count; i++) {
        int to = g->target[i] >= 0 && g->target[i] < v->f->instrs.count ? g->of[g->target[i]] : -1;
        if (to >= 0 && to <= g->of[i] && way_passes(g, to, g->of[i]) && !falls_back_into(v, to))
            v->last[to] = g->of[i] > v->last[to] ? g->of[i] : v->last[to];
    }
    for (int b = 0; b < g->count; b++) {
        v->up[b] = b ? loop_at(v, v->around[b - 1], b) : -1;
        v->around[b] = v->last[b] >= 0 ? b : v->up[b];
    }
}

/** Is the register, wherever it is made, made before the loop begins? */
static bool is_before(const struct invariants *v, int reg, int loop)
{
    int at = v->made[reg];
    if (at < 0)
        return false;
    int into = v->into[at], block = v->g.of[at];
    return into >= 0 ? way_passes(&v->g, into, loop) : block != loop && way_passes(&v->g, block, loop);
}

static bool can_move(const struct invariants *v, const struct ptx_instr *pi, int loop)
{
    for (int k = 1; k < pi->operand_count; k++)
        if (pi->operands[k].kind == OPERAND_REG && !is_before(v, pi->operands[k].reg, loop))
            return false;
    return true;
}

/** Is it made of what differs from thread to thread, of a shared variable's address, or of what was made before? Numbers and other addresses, made where
 *  they are used, cost nothing there, and a register for all of the loop before it. */
static bool is_worth_it(const struct ptx_function *f, const struct ptx_instr *pi)
{
    for (int k = 1; k < pi->operand_count; k++) {
        const struct ptx_operand *o = &pi->operands[k];
        bool own = o->kind == OPERAND_SYMBOL && o->variable >= 0 && o->variable < f->variables.count;
        if (o->kind == OPERAND_REG || o->kind == OPERAND_SPECIAL || (own && f->variables.data[o->variable].space == SPACE_SHARED))
            return true;
    }
    return false;
}

/** The outermost loop around the instruction before which all that it is made of is there; -1: it stays. */
static int loop_to_leave(const struct invariants *v, int i)
{
    const struct ptx_instr *pi = &v->f->instrs.data[i];
    int into = -1;
    if (!instr_can_be_had(v->f, pi) || !is_worth_it(v->f, pi) || v->made[pi->operands[0].reg] != i || v->f->regs.data[pi->operands[0].reg].type == PTX_PRED)
        return -1;
    for (int loop = v->around[v->g.of[i]]; loop >= 0 && can_move(v, pi, loop); loop = v->up[loop])
        into = loop;
    return into;
}

static void choose_loops(struct invariants *v)
{
    int *order = numbers_new(v->g.count, 0), count = 0;
    for (int b = 0; b < v->g.count; b++)
        if (v->g.turn[b] >= 0)
            order[v->g.turn[b]] = b, count++;
    for (int k = 0; k < count; k++)
        for (int i = v->g.first[order[k]]; i < v->g.first[order[k] + 1]; i++) {
            int loop = v->into[i] = loop_to_leave(v, i);
            if (loop < 0)
                continue;
            *(v->moved[loop] < 0 ? &v->moved[loop] : &v->next[v->latest[loop]]) = i;
            v->latest[loop] = i;
        }
    free(order);
}

/* ---- What moves ---- */

/** Branches back to a loop go past what is put before it. */
static void lead_past(struct invariants *v, int loop, const char *label)
{
    for (int i = v->g.first[loop]; i < v->g.first[v->last[loop] + 1]; i++) {
        struct ptx_instr *pi = &v->f->instrs.data[i];
        if (v->g.target[i] != v->g.first[loop] || !way_passes(&v->g, loop, v->g.of[i]))
            continue;
        struct ptx_operand *to = arena_alloc(&v->m->arena, sizeof *to);
        *to = pi->operands[0];
        to->name = label;
        pi->operands = to;
    }
}

/** Puts the block behind what moves before it. `place`: by instruction, where a label stands now that stood before it. @return where its first one stands */
static int put_block(const struct invariants *v, int block, struct instr_list *made, int *place)
{
    int before = made->count, first;
    for (int i = v->moved[block]; i >= 0; i = v->next[i])
        *LIST_PUSH(made) = v->f->instrs.data[i];
    first = made->count;
    for (int i = v->g.first[block]; i < v->g.first[block + 1]; i++) {
        place[i] = i == v->g.first[block] ? before : made->count;
        if (v->into[i] < 0)
            *LIST_PUSH(made) = v->f->instrs.data[i];
    }
    return first;
}

static void move(struct invariants *v)
{
    struct ptx_function *f = v->f;
    struct instr_list made = {0};
    int labels = f->labels.count, label = labels, *place = numbers_new(f->instrs.count, 0);
    for (int b = 0; b < v->g.count; b++)
        if (v->moved[b] >= 0)
            lead_past(v, b, label_here(v->m, f, b));
    for (int b = 0; b < v->g.count; b++) {
        int first = put_block(v, b, &made, place);
        if (v->moved[b] >= 0)
            f->labels.data[label++].instr = first;
    }
    place[f->instrs.count] = made.count;
    for (int i = 0; i < labels; i++)
        f->labels.data[i].instr = place[f->labels.data[i].instr];
    free(f->instrs.data);
    f->instrs.data = made.data, f->instrs.count = made.count, f->instrs.cap = made.cap;
    free(place);
}

bool invariants_move(struct ptx_module *m, struct ptx_function *f)
{
    struct invariants v = {.m = m, .f = f};
    bool moved = false;
    if (!way_graph_find(&v.g, f))
        return false;
    int *all[] = {v.made = only_writers_of(&v.g, f), v.into = numbers_new(f->instrs.count, -1), v.next = numbers_new(f->instrs.count, -1),
                  v.last = numbers_new(v.g.count, -1), v.around = numbers_new(v.g.count, -1), v.up = numbers_new(v.g.count, -1),
                  v.moved = numbers_new(v.g.count, -1), v.latest = numbers_new(v.g.count, -1)};
    copies_are_named(&v);
    find_loops(&v);
    choose_loops(&v);
    for (int b = 0; b < v.g.count; b++)
        moved |= v.moved[b] >= 0;
    move(&v);
    way_graph_free(&v.g);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return moved;
}
