/**
 * @file web.c
 * See plan.h: a register's webs. Each write is a node, and so is what a register holds where a block begins; nodes that some instruction may find in the
 * same place become one.
 */
#include <stdlib.h>
#include <string.h>

#include "compile/plan.h"

static int root(const struct plan *p, int node)
{
    while (p->parent[node] != node)
        node = p->parent[node];
    return node;
}

/** @return true if they were two */
static bool unite(struct plan *p, int a, int b)
{
    a = root(p, a), b = root(p, b);
    if (a == b)
        return false;
    p->parent[b > a ? b : a] = b > a ? a : b;
    if (p->varying)
        p->varying[a] = p->varying[b] = p->varying[a] | p->varying[b];
    return true;
}

static int *entry_of(const struct plan *p, int block, int slot)
{
    return &p->entry_web[(size_t)block * (size_t)p->slots + (size_t)slot];
}

static bool is_live_in(const struct plan *p, int block, int slot)
{
    return plan_bit(p->live_in + (size_t)block * p->slot_words, slot);
}

static int new_node(struct plan *p, int slot)
{
    int node = p->webs++;
    p->parent[node] = node;
    p->slot_of_web[node] = slot;
    return node;
}

/** Follows block `b`; `now`: what each slot holds. Writes become nodes if they are not yet. */
static void follow(struct plan *p, int b, int *now)
{
    for (int i = p->blocks->first[b]; i < p->blocks->first[b + 1]; i++) {
        const struct insn *in = p->f->entry + i;
        struct operand_iter it = operands_of(in);
        int at = p->first_operand[i], written = -1;
        for (struct operand o; operands_next(&it, &o); at++) {
            int slot = plan_slot(o.reg);
            if (o.reg & CONST_BIT)
                continue;
            if (o.write && written < 0)
                written = p->webs;
            if (now[slot] < 0) /* nobody reads what it held */
                now[slot] = new_node(p, slot);
            if (!o.write) {
                p->operand_web[at] = now[slot];
                continue;
            }
            int node = new_node(p, slot);
            if (insn_is_guarded(in) || now[slot] >= written) /* both halves of a register, say */
                unite(p, node, now[slot]);
            p->operand_web[at] = now[slot] = node;
        }
    }
}

static int count_operands(struct plan *p)
{
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        struct operand_iter it = operands_of(p->f->entry + i);
        p->first_operand[i] = count;
        for (struct operand o; operands_next(&it, &o);)
            count++;
    }
    return p->first_operand[p->count] = count;
}

static void *zeroed(struct plan *p, size_t count, size_t size)
{
    void *v = arena_alloc(&p->arena, count * size + 8);
    memset(v, 0, count * size + 8);
    return v;
}

void web_find(struct plan *p)
{
    const struct blocks *blocks = p->blocks;
    size_t entries = 0, all = (size_t)blocks->count * (size_t)p->slots;
    p->first_operand = zeroed(p, (size_t)p->count + 1, sizeof *p->first_operand);
    size_t operands = (size_t)count_operands(p);
    p->operand_web = zeroed(p, operands, sizeof *p->operand_web);
    p->entry_web = zeroed(p, all, sizeof *p->entry_web);
    for (int b = 0; b < blocks->count; b++)
        for (int slot = 0; slot < p->slots; slot++)
            entries += is_live_in(p, b, slot);
    size_t most = entries + 2 * operands;
    p->parent = zeroed(p, most, sizeof *p->parent);
    p->slot_of_web = zeroed(p, most, sizeof *p->slot_of_web);
    for (int b = 0; b < blocks->count; b++)
        for (int slot = 0; slot < p->slots; slot++)
            *entry_of(p, b, slot) = is_live_in(p, b, slot) ? new_node(p, slot) : -1;
    int *now = malloc(((size_t)p->slots + 1) * sizeof *now);
    if (!now)
        abort();
    for (int b = 0; b < blocks->count; b++) {
        memcpy(now, entry_of(p, b, 0), (size_t)p->slots * sizeof *now);
        follow(p, b, now);
        for (int e = blocks->next_from[b]; e < blocks->next_from[b + 1]; e++)
            for (int slot = 0; slot < p->slots; slot++)
                if (is_live_in(p, blocks->next[e], slot) && now[slot] >= 0)
                    unite(p, now[slot], *entry_of(p, blocks->next[e], slot));
    }
    free(now);
    p->varying = zeroed(p, (size_t)p->webs, sizeof *p->varying);
    for (int node = 0; node < p->webs; node++)
        p->varying[root(p, node)] |= p->in_memory[p->slot_of_web[node]];
    for (int slot = 0; slot < p->slots; slot++)
        if (is_live_in(p, 0, slot)) /* somebody else has written it */
            p->varying[root(p, *entry_of(p, 0, slot))] = true;
}

/** By slot: a web that is live where lanes may wait while block `b` runs; others stay as they are. `join`: the plan, if these are to become one.
 *  @return true if any two did */
static bool waiting_webs(const struct plan *p, int b, int *webs, struct plan *join)
{
    const uint64_t *pending = p->pending + (size_t)b * p->block_words;
    bool changed = false;
    for (int c = b + 1; c < p->blocks->count; c++) {
        if (!plan_bit(pending, c))
            continue;
        for (uint32_t w = 0; w < p->slot_words; w++)
            for (uint64_t left = p->live_in[(size_t)c * p->slot_words + w]; left; left &= left - 1) {
                int slot = (int)(64 * w) + __builtin_ctzll(left);
                changed |= join && webs[slot] >= 0 && unite(join, webs[slot], *entry_of(p, c, slot));
                webs[slot] = *entry_of(p, c, slot);
            }
    }
    return changed;
}

/** What lanes hold that wait behind block `b`, and what running ones have there, is in one place if both need it. */
static bool join_block(struct plan *p, int b, int *webs)
{
    memset(webs, -1, (size_t)p->slots * sizeof *webs);
    bool changed = waiting_webs(p, b, webs, p);
    for (int slot = 0; slot < p->slots; slot++)
        if (webs[slot] >= 0 && is_live_in(p, b, slot))
            changed |= unite(p, webs[slot], *entry_of(p, b, slot));
    for (int i = p->blocks->first[b]; i < p->blocks->first[b + 1]; i++) {
        struct operand_iter it = operands_of(p->f->entry + i);
        int at = p->first_operand[i];
        for (struct operand o; operands_next(&it, &o); at++)
            if (o.write && !(o.reg & CONST_BIT) && webs[plan_slot(o.reg)] >= 0)
                changed |= unite(p, webs[plan_slot(o.reg)], p->operand_web[at]);
    }
    return changed;
}

bool web_join_waiting(struct plan *p)
{
    bool changed = false;
    int *webs = malloc(((size_t)p->slots + 1) * sizeof *webs);
    if (!webs)
        abort();
    for (int b = 0; b < p->blocks->count; b++) {
        bool some = false;
        for (uint32_t w = 0; w < p->block_words; w++)
            some |= p->pending[(size_t)b * p->block_words + w] != 0;
        changed |= some && join_block(p, b, webs);
    }
    free(webs);
    return changed;
}

void web_number(struct plan *p)
{
    int *number = malloc(((size_t)p->webs + 1) * sizeof *number), count = 0;
    if (!number)
        abort();
    for (int node = 0; node < p->webs; node++) { /* a root comes before all that it stands for */
        int r = root(p, node);
        number[node] = r == node ? count : number[r];
        if (r != node)
            continue;
        p->varying[count] = p->varying[node];
        p->slot_of_web[count++] = p->slot_of_web[node];
    }
    for (int at = 0; at < p->first_operand[p->count]; at++)
        p->operand_web[at] = number[p->operand_web[at]];
    for (size_t at = 0; at < (size_t)p->blocks->count * (size_t)p->slots; at++)
        if (p->entry_web[at] >= 0)
            p->entry_web[at] = number[p->entry_web[at]];
    for (int web = 0; web < count; web++)
        p->parent[web] = web;
    p->webs = count;
    free(number);
}

int plan_web(const struct plan *p, int i, uint32_t reg, bool write)
{
    struct operand_iter it = operands_of(p->f->entry + i);
    int at = p->first_operand[i];
    for (struct operand o; operands_next(&it, &o); at++)
        if (o.reg == reg && o.write == write)
            return root(p, p->operand_web[at]);
    abort();
}

void plan_webs_before(const struct plan *p, int i, int *webs)
{
    int b = p->blocks->of[i];
    memcpy(webs, entry_of(p, b, 0), (size_t)p->slots * sizeof *webs);
    for (int at = p->blocks->first[b]; at < i; at++) {
        struct operand_iter it = operands_of(p->f->entry + at);
        int operand = p->first_operand[at];
        for (struct operand o; operands_next(&it, &o); operand++)
            if (o.write && !(o.reg & CONST_BIT))
                webs[plan_slot(o.reg)] = p->operand_web[operand];
    }
    waiting_webs(p, b, webs, NULL);
}
