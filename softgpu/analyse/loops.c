/**
 * @file loops.c
 * See loops.h.
 */
#include "analyse/loops.h"

#include <string.h>

#include "analyse/flow.h"
#include "analyse/uses.h"
#include "code/operands.h"

/** What is known about an instruction; 0: nothing yet. Any thread that finds it out finds the same. */
enum { UNKNOWN, NO, YES };
struct known {
    int around[2];      /**< by enum loop_which: 1 + number of the loop, NO_LOOP */
};
#define NO_LOOP -1

struct loops {
    struct loop *list;      /**< in order of their last instruction */
    int count;
    struct known *known;    /**< by instruction */
};

static bool leads_back(const struct function *f, const struct insn *in)
{
    return insn_class(in) == INSN_BRANCH && in->target <= in && in->target >= f->entry;
}

static void *make_loops(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct loops *l = arena_alloc(a, sizeof *l);
    for (const struct insn *in = f->entry; in < f->end; in++)
        l->count += leads_back(f, in);
    l->list = arena_alloc(a, ((size_t)l->count + 1) * sizeof *l->list);
    l->known = arena_alloc(a, (size_t)(f->end - f->entry) * sizeof *l->known);
    int n = 0;
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (leads_back(f, in))
            l->list[n++] = (struct loop){.first = in->target, .last = in};
    return l;
}

static struct loops *loops_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->loops, make_loops, f);
}

/* ---- The loop around an instruction */

/** Does `longer` only do something idle, a pause say, before it goes back to where `l` has gone back to already? Then they are one loop. */
static bool only_pauses(const struct function *f, const struct loop *l, const struct loop *longer)
{
    if (l->first != longer->first || l->last >= longer->last || insn_is_guarded(longer->last))
        return false;
    for (const struct insn *in = l->last + 1; in < longer->last; in++)
        if (!insn_is_idle(f, in))
            return false;
    return true;
}

/** 1 + its number. Of loops of one length the innermost is the first, the outermost the last. */
static int find_around(const struct function *f, const struct loops *l, const struct insn *in, enum loop_which which)
{
    const struct loop *best = NULL;
    for (int i = 0; i < l->count; i++) {
        const struct loop *x = &l->list[i];
        if (x->first > in || x->last < in)
            continue;
        bool shorter = best && x->last - x->first < best->last - best->first;
        if (!best || shorter == (which == LOOP_INNERMOST))
            best = x;
    }
    for (int i = 0; best && i < l->count; i++) /* the longer ones come later */
        best = only_pauses(f, best, &l->list[i]) ? &l->list[i] : best;
    return best ? 1 + (int)(best - l->list) : NO_LOOP;
}

struct loop *loop_around(const struct function *f, const struct insn *in, enum loop_which which)
{
    if (!flow_holds(f, in))
        return NULL;
    struct loops *l = loops_of(f);
    int *known = &l->known[in - f->entry].around[which];
    int found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!found) {
        found = find_around(f, l, in, which);
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found == NO_LOOP ? NULL : &l->list[found - 1];
}

static bool may_meet(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_BARRIER || c == INSN_MEETING || c == INSN_TENSOR || c == INSN_CALL;
}

static bool may_meet_unseen(const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_BARRIER:
        return in->op->flags & (OP_CLUSTER | OP_ARRIVES);
    case INSN_MEETING: /* without a mask observers are told of none */
        return insn_row(in) != ROW_bar_warp && in->src[3] == REG_NONE;
    default:
        return may_meet(in);
    }
}

/** Does the loop hold such an instruction? What was found before is in *kept. */
static bool holds_any(const struct loop *l, bool (*is)(const struct insn *in), int *kept)
{
    int known = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (!known) {
        known = NO;
        for (const struct insn *i = l->first; i <= l->last; i++)
            known = is(i) ? YES : known;
        __atomic_store_n(kept, known, __ATOMIC_RELAXED);
    }
    return known == YES;
}

bool loop_meets(const struct function *f, const struct insn *in)
{
    struct loop *l = loop_around(f, in, LOOP_OUTERMOST);
    return l && holds_any(l, may_meet, &l->meets);
}

bool loop_meets_unseen(const struct function *f, const struct insn *in)
{
    struct loop *l = loop_around(f, in, LOOP_OUTERMOST);
    return l && holds_any(l, may_meet_unseen, &l->meets_unseen);
}

struct loop loop_of_turns(const struct function *f, const struct insn *in)
{
    const struct loops *l = loops_of(f);
    struct loop turns = {0};
    for (int i = 0; i < l->count; i++) {
        const struct loop *x = &l->list[i];
        if (x->first > in || x->last < in || (turns.first && x->first < turns.first))
            continue;
        if (!turns.first || x->first > turns.first || x->last > turns.last)
            turns = (struct loop){.first = x->first, .last = x->last};
    }
    return turns;
}

/* ---- Loops that nothing ends */

/** Does it no more than compute, order or wait? Then no other thread sees that it was executed. */
static bool only_computes(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_COMPUTE || c == INSN_FENCE || c == INSN_SLEEP || c == INSN_HINT;
}

/** The value of a constant operand, as wide as the atomic's. @return false if it is none */
static bool constant_of(const struct function *f, const struct insn *in, uint32_t reg, uint64_t *value)
{
    *value = 0;
    if (!(reg & CONST_BIT) || in->mem.bytes > 8)
        return false;
    memcpy(value, f->image->constants + (reg & ~CONST_BIT), in->mem.bytes);
    return true;
}

bool insn_only_reads(const struct function *f, const struct insn *in)
{
    uint64_t value;
    if (insn_class(in) != INSN_ATOMIC || in->mem.count != 1)
        return false;
    if (in->mem.atom == ATOM_CAS)
        return in->src[1] == in->src[2];
    return constant_of(f, in, in->src[1], &value) && atomic_keeps(&in->mem, value);
}

bool insn_is_idle(const struct function *f, const struct insn *in)
{
    return only_computes(in) || insn_class(in) == INSN_LOAD || insn_class(in) == INSN_BRANCH || insn_only_reads(f, in);
}

bool loop_is_endless(const struct insn *branch_back)
{
    const struct insn *first = branch_back->target;
    for (const struct insn *in = first; in < branch_back; in++) {
        bool inside = insn_class(in) == INSN_BRANCH && !insn_is_guarded(in) && in->target >= first &&
                      in->target <= branch_back;
        if (!inside && !only_computes(in))
            return false;
    }
    return !insn_is_guarded(branch_back);
}

bool loop_endless_from(const struct insn *in)
{
    const struct insn *from = in;
    while (only_computes(in))
        in++;
    return insn_class(in) == INSN_BRANCH && in->target <= from && loop_is_endless(in);
}
