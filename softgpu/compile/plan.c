/**
 * @file plan.c
 * See plan.h. What is uniform, which branches part lanes and where these wait depend on each other: all begin empty and
 * grow until nothing changes.
 */
#include "compile/plan.h"

#include <stdlib.h>
#include <string.h>

#include "compile/form.h"
#include "compile/way.h"

/** Beyond them compiling takes longer than it is worth. */
#define MAX_INSTRUCTIONS 4000
#define MAX_BLOCKS 600

static void set_bit(uint64_t *set, int i)
{
    set[i / 64] |= 1ull << (i % 64);
}

static uint64_t *block_set(uint64_t *sets, uint32_t words, int block)
{
    return sets + (size_t)block * words;
}

static const struct insn *insn_of(const struct plan *p, int i)
{
    return p->f->entry + i;
}

static int last_of(const struct plan *p, int b)
{
    return p->blocks->first[b + 1] - 1;
}

/* ---- Which registers are live */

/** Makes what is live behind an instruction into what is live before it. */
static void step_back(const struct plan *p, int i, uint64_t *live)
{
    const struct insn *in = insn_of(p, i);
    for (int round = 0; round < 2; round++) {
        struct operand_iter it = operands_of(in);
        for (struct operand o; operands_next(&it, &o);) {
            int slot = plan_slot(o.reg);
            if (o.reg & CONST_BIT)
                continue;
            if (round == 0 && o.write && !insn_is_guarded(in))
                live[slot / 64] &= ~(1ull << slot % 64);
            if (round == 1 && (!o.write || insn_is_guarded(in)))
                set_bit(live, slot);
        }
    }
}

static void find_live(struct plan *p)
{
    const struct blocks *b = p->blocks;
    uint64_t *live = arena_alloc(&p->arena, p->slot_words * sizeof *live);
    for (bool changed = true; changed;) {
        changed = false;
        for (int at = b->count - 1; at >= 0; at--) {
            uint64_t *out = block_set(p->live_out, p->slot_words, at), *in = block_set(p->live_in, p->slot_words, at);
            for (int e = b->next_from[at]; e < b->next_from[at + 1]; e++)
                for (uint32_t w = 0; w < p->slot_words; w++)
                    out[w] |= block_set(p->live_in, p->slot_words, b->next[e])[w];
            memcpy(live, out, p->slot_words * sizeof *live);
            for (int i = last_of(p, at); i >= b->first[at]; i--)
                step_back(p, i, live);
            changed |= memcmp(in, live, p->slot_words * sizeof *live) != 0;
            memcpy(in, live, p->slot_words * sizeof *live);
        }
    }
}

void plan_live_before(const struct plan *p, int i, uint64_t *live)
{
    int b = i < p->count ? p->blocks->of[i] : -1;
    memset(live, 0, p->slot_words * sizeof *live);
    if (b < 0)
        return;
    memcpy(live, block_set(p->live_out, p->slot_words, b), p->slot_words * sizeof *live);
    for (int at = last_of(p, b); at >= i; at--)
        step_back(p, at, live);
}

bool plan_writes_first(const struct plan *p)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < p->slot_words; w++)
        any |= p->live_in[w];
    for (int slot = 0; slot < p->slots; slot++)
        any |= p->in_memory[slot];
    return !any;
}

/* ---- Which registers are newer than the frame */

/** Makes what is newer before an instruction into what is newer behind it. */
static void step_on(const struct plan *p, int i, uint64_t *dirty)
{
    struct operand_iter it = operands_of(insn_of(p, i));
    if (p->way[i] == WAY_CALL || p->way[i] == WAY_OBSERVED || p->way[i] == WAY_LEAVE || p->way[i] == WAY_BARRIER)
        memset(dirty, 0, p->slot_words * sizeof *dirty); /* all that is live has been stored */
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            set_bit(dirty, plan_slot(o.reg));
    if (p->way[i] == WAY_CALL && i + 1 < p->count && p->entry[i + 1])
        memset(dirty, 0, p->slot_words * sizeof *dirty); /* it goes on as if it were entered there */
}

void plan_dirty_before(const struct plan *p, int i, uint64_t *dirty)
{
    int b = p->blocks->of[i];
    memcpy(dirty, p->dirty_in + (size_t)b * p->slot_words, p->slot_words * sizeof *dirty);
    for (int at = p->blocks->first[b]; at < i; at++)
        step_on(p, at, dirty);
}

static void find_dirty(struct plan *p)
{
    const struct blocks *b = p->blocks;
    uint64_t *dirty = arena_alloc(&p->arena, p->slot_words * sizeof *dirty);
    for (bool changed = true; changed;) {
        changed = false;
        for (int at = 0; at < b->count; at++) {
            plan_dirty_before(p, last_of(p, at), dirty);
            step_on(p, last_of(p, at), dirty);
            for (int e = b->next_from[at]; e < b->next_from[at + 1]; e++)
                for (uint32_t w = 0; w < p->slot_words; w++) {
                    uint64_t *in = block_set(p->dirty_in, p->slot_words, b->next[e]);
                    changed |= (dirty[w] & ~in[w]) != 0;
                    in[w] |= dirty[w];
                }
        }
    }
}

/* ---- Where lanes wait */

/** While control goes round from block `start` and stays before block `wait`, lanes may wait there.
 *  @return true if that was not known everywhere */
static bool wait_at(struct plan *p, int start, int wait)
{
    const struct blocks *b = p->blocks;
    int *work = malloc(((size_t)b->count + 1) * sizeof *work), count = 0;
    bool *seen = calloc((size_t)b->count + 1, sizeof *seen), changed = false;
    if (!work || !seen)
        abort();
    p->waits[wait] = true;
    if (start < wait)
        work[count++] = start, seen[start] = true;
    while (count) {
        int at = work[--count];
        uint64_t *pending = block_set(p->pending, p->block_words, at);
        changed |= !plan_bit(pending, wait);
        set_bit(pending, wait);
        for (int e = b->next_from[at]; e < b->next_from[at + 1]; e++)
            if (b->next[e] < wait && !seen[b->next[e]])
                work[count++] = b->next[e], seen[b->next[e]] = true;
    }
    free(work);
    free(seen);
    return changed;
}

/** Those who leave block `at` for one behind a place where others wait have to wait themselves; and of two
 *  places where lanes wait the first runs first. */
static bool pass_on(struct plan *p, int at)
{
    const struct blocks *b = p->blocks;
    const uint64_t *pending = block_set(p->pending, p->block_words, at);
    bool changed = false;
    for (int c = at + 1; c < b->count; c++) {
        if (!plan_bit(pending, c))
            continue;
        for (int e = b->next_from[at]; e < b->next_from[at + 1]; e++)
            if (b->next[e] > c)
                changed |= wait_at(p, c, b->next[e]);
        for (int d = c + 1; d < b->count; d++)
            if (plan_bit(pending, d))
                changed |= wait_at(p, c, d);
    }
    return changed;
}

static bool find_waits(struct plan *p)
{
    const struct blocks *b = p->blocks;
    bool any = false;
    for (int at = 0; at < b->count; at++) {
        const struct insn *in = insn_of(p, last_of(p, at));
        if (!p->parts[at])
            continue;
        int to = b->of[in->target - p->f->entry], next = at + 1;
        any |= to != next && wait_at(p, to < next ? to : next, to < next ? next : to);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int at = 0; at < b->count; at++)
            changed |= pass_on(p, at);
        any |= changed;
    }
    return any;
}

bool plan_keeps_others(const struct plan *p, int b, int slot)
{
    const uint64_t *pending = p->pending + (size_t)b * p->block_words;
    for (int c = b + 1; c < p->blocks->count; c++)
        if (plan_bit(pending, c) && plan_bit(p->live_in + (size_t)c * p->slot_words, slot))
            return true;
    return false;
}

/* ---- Which registers vary */

static bool reads_varying(const struct plan *p, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o) && !o.write;)
        if (!(o.reg & CONST_BIT) && p->varying[plan_web(p, (int)(in - p->f->entry), o.reg, false)])
            return true;
    return false;
}

static bool find_varying(struct plan *p)
{
    bool changed = false;
    for (int i = 0; i < p->count; i++) {
        const struct insn *in = insn_of(p, i);
        bool result = reads_varying(p, in) || !way_is_uniform(in, (enum plan_way)p->way[i]);
        struct operand_iter it = operands_of(in);
        for (struct operand o; operands_next(&it, &o);) {
            int web = o.write ? plan_web(p, i, o.reg, true) : 0;
            if (!o.write || p->varying[web])
                continue;
            if (result || plan_keeps_others(p, p->blocks->of[i], plan_slot(o.reg)))
                p->varying[web] = changed = true;
        }
    }
    return changed;
}

static bool find_parting(struct plan *p)
{
    bool changed = false;
    for (int at = 0; at < p->blocks->count; at++) {
        const struct insn *in = insn_of(p, last_of(p, at));
        bool parts = insn_class(in) == INSN_BRANCH && insn_is_guarded(in) && p->varying[plan_web(p, last_of(p, at), in->guard, false)];
        changed |= parts && !p->parts[at];
        p->parts[at] |= parts;
    }
    return changed;
}

/* ---- The whole */

static void *zeroed(struct plan *p, size_t count, size_t size)
{
    void *v = arena_alloc(&p->arena, count * size + 8);
    memset(v, 0, count * size + 8);
    return v;
}

/** Where the interpreter comes back to compiled code: the beginning, loops, and behind what it runs itself. */
static void find_entries(struct plan *p)
{
    p->entry[0] = true;
    for (int i = 0; i < p->count; i++) {
        const struct insn *in = insn_of(p, i);
        if ((p->way[i] == WAY_LEAVE || p->way[i] == WAY_CALL || p->way[i] == WAY_BARRIER) && i + 1 < p->count)
            p->entry[i + 1] = true;
        if (p->way[i] == WAY_BRANCH && in->target <= in)
            p->entry[in->target - p->f->entry] = true;
    }
    for (int i = 0; i < p->count; i++) /* nothing is gained where the first step leaves again */
        p->entry[i] &= p->way[i] != WAY_LEAVE && p->way[i] != WAY_CALL;
}

static bool choose_ways(struct plan *p)
{
    for (int i = 0; i < p->count; i++) {
        const struct insn *in = insn_of(p, i);
        p->way[i] = (uint8_t)way_of(p->f, in);
        if (p->way[i] == WAY_BRANCH && !flow_holds(p->f, in->target))
            return false;
        if (insn_row(in) == ROW_cp_tensor) /* it reads registers that operands.h does not tell */
            return false;
        if (insn_class(in) == INSN_TENSOR && p->f->image->checked) /* checkers look at each instruction around it */
            return false;
        struct operand_iter it = operands_of(in);
        for (struct operand o; operands_next(&it, &o);)
            if (!(o.reg & CONST_BIT) && function_register_width(p->f, o.reg) == 16)
                p->in_memory[plan_slot(o.reg)] = true;
    }
    return true;
}

bool plan_make(struct plan *p, const struct function *f)
{
    *p = (struct plan){.f = f, .count = (int)(f->end - f->entry), .slots = (int)(f->frame_bytes / FLOW_SLOT) + 1};
    if (p->count < 1 || p->count > MAX_INSTRUCTIONS)
        return false;
    p->blocks = &flow_of(f)->blocks;
    size_t blocks = (size_t)p->blocks->count;
    if (blocks > MAX_BLOCKS)
        return false;
    p->slot_words = (uint32_t)p->slots / 64 + 1;
    p->block_words = (uint32_t)blocks / 64 + 1;
    p->way = zeroed(p, (size_t)p->count, sizeof *p->way);
    p->entry = zeroed(p, (size_t)p->count, sizeof *p->entry);
    p->in_memory = zeroed(p, (size_t)p->slots, sizeof *p->in_memory);
    p->parts = zeroed(p, blocks, sizeof *p->parts);
    p->waits = zeroed(p, blocks, sizeof *p->waits);
    p->pending = zeroed(p, blocks * p->block_words, sizeof *p->pending);
    p->live_in = zeroed(p, blocks * p->slot_words, sizeof *p->live_in);
    p->dirty_in = zeroed(p, blocks * p->slot_words, sizeof *p->dirty_in);
    p->live_out = zeroed(p, blocks * p->slot_words, sizeof *p->live_out);
    if (!choose_ways(p)) {
        plan_free(p);
        return false;
    }
    find_live(p);
    web_find(p);
    for (bool changed = true; changed;) {
        changed = find_varying(p);
        changed |= find_parting(p) && find_waits(p);
        changed |= web_join_waiting(p);
    }
    web_number(p);
    find_entries(p);
    find_dirty(p);
    form_find(p);
    return true;
}

void plan_free(struct plan *p)
{
    arena_free(&p->arena);
}
