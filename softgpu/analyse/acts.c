/**
 * @file acts.c
 * See acts.h. What was read is followed along the flow, over at most WINDOW instructions.
 */
#include "analyse/acts.h"

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/jumps.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/tells.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define WINDOW 128
#define MAX_ACTS 64

/** Is the result what one source holds? `or` copies bytes, too, but of two. */
static bool copies_value(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_or_16: case ROW_or_32: case ROW_or_64: case ROW_bfi_32: case ROW_bfi_64:
        return false;
    default:
        return in->op->defined == DEFINED_COPIES;
    }
}

/** Past one instruction. `copies`: only what copies the value keeps it. */
static void follow(struct carried *r, const struct insn *in, bool copies)
{
    struct operand_iter it = operands_of(in);
    bool from = false, carries = !insn_is_memory(in) && (!copies || copies_value(in));
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write)
            from |= carries && o.role == ROLE_SOURCE && carried_in(r, o.reg);
        else if (from)
            carried_put(r, o.reg);
        else if (!insn_is_guarded(in))
            carried_drop(r, o.reg);
    }
}

static bool is_strong(const struct insn *in)
{
    return insn_is_memory(in) && in->mem.count == 1 && (in->mem.bytes == 4 || in->mem.bytes == 8) &&
           order_is_strong(&in->mem) && in->mem.space != SPACE_LOCAL && in->mem.space != SPACE_CONST && in->mem.space != SPACE_PARAM;
}

/** Is this stored where the caller finds it? */
static bool is_returned(const struct insn *in, const struct carried *r)
{
    return insn_class(in) == INSN_STORE && (in->mem.space == SPACE_PARAM || in->mem.call_slot) && carried_in(r, in->src[1]);
}

/** Where it goes on from `in`; of a branch that may be taken, behind it. NULL: nowhere, or back. */
static const struct insn *next_of(const struct insn *in)
{
    if (insn_falls_through(in))
        return in + 1;
    return insn_class(in) == INSN_BRANCH && in->target > in ? in->target : NULL;
}

/** What still holds an atomic's result, and what holds it as it was. */
struct result {
    const struct insn *atomic;
    struct carried depends, same;
    const struct insn *back;     /**< the branch back, of a loop around the atomic, that this way has taken; NULL: none */
    int held;                    /**< by so many registers when it did */
};

/** Ways are followed up to that many branches deep; beyond, the result is taken for looked at. */
#define MAX_BRANCHES 4

static bool decides_from(const struct function *f, const struct insn *in, struct result r, int branches);

/** In the next turn of a loop around the atomic? What nobody uses there is over when the atomic is made again. A second time round nothing is new,
 *  unless more has been computed from it. */
static bool decides_later(const struct function *f, const struct insn *back, struct result r, int branches)
{
    if (r.back == back)
        return r.depends.count > r.held;
    if (r.back || branches == MAX_BRANCHES)
        return true;
    r.back = back;
    r.held = r.depends.count;
    return decides_from(f, back->target, r, branches + 1);
}

/** Does it decide anything, or leave the registers' sight, on some way from `in` on? */
static bool decides_from(const struct function *f, const struct insn *in, struct result r, int branches)
{
    for (int n = 0; in && in < f->end && n < WINDOW && r.depends.count; n++, in = next_of(in)) {
        bool branch = insn_class(in) == INSN_BRANCH;
        if ((insn_is_guarded(in) && carried_in(&r.depends, in->guard)) || insn_class(in) == INSN_CALL ||
            (branch && in->target <= r.atomic && decides_later(f, in, r, branches)) || (is_returned(in, &r.depends) && !is_returned(in, &r.same)))
            return true;
        if (branch && insn_falls_through(in) && in->target > in &&
            (branches == MAX_BRANCHES || decides_from(f, in->target, r, branches + 1)))
            return true;
        follow(&r.depends, in, false);
        follow(&r.same, in, true);
    }
    return false;
}

/** Does the result of an atomic decide anything, or leave the registers' sight? What is returned as it is, is none that the
 *  caller would check: the function has. */
static bool is_looked_at(const struct function *f, const struct insn *atomic)
{
    struct result r = {.atomic = atomic};
    if (atomic->dst == REG_NONE)
        return false;
    carried_put(&r.depends, atomic->dst);
    carried_put(&r.same, atomic->dst);
    return decides_from(f, atomic + 1, r, 0);
}

/** A comparison of numbers of 4 or 8 bytes, by one handler. */
static bool compares_numbers(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_is_eq_32: case ROW_is_eq_64: case ROW_is_lt_s32: case ROW_is_lt_u32: case ROW_is_lt_s64: case ROW_is_lt_u64:
    case ROW_is_eq_f32: case ROW_is_ne_f32: case ROW_is_lt_f32: case ROW_is_le_f32:
    case ROW_is_eq_f32_ftz: case ROW_is_ne_f32_ftz: case ROW_is_lt_f32_ftz: case ROW_is_le_f32_ftz:
    case ROW_is_eq_f64: case ROW_is_ne_f64: case ROW_is_lt_f64: case ROW_is_le_f64:
        return !insn_is_guarded(in);
    default:
        return false;
    }
}

static bool is_written_between(const struct insn *from, const struct insn *to, uint32_t reg)
{
    for (const struct insn *in = from; in < to && !(reg & CONST_BIT); in++)
        if (insn_writes(in, reg))
            return true;
    return false;
}

/** What is known on the way from a check on. */
struct view {
    const struct insn *check;
    struct carried value, depends;     /**< hold what was read; hold something computed from it */
    const struct insn *compare, *branch; /**< the last comparison of the value, and the branch by it that goes ahead */
    int side;
    const struct insn *to;             /**< the branch's other side is looked at, which begins at its target and goes up to there; NULL: the one behind it */
    const struct insn *choice, *same;  /**< a selp of which one arm, `arm`, depends on what was read, and a comparison of its result with that arm */
    uint32_t arm;
    bool waits;                        /**< the check is made again until that comparison lets the thread go on */
};

static void look_at_comparison(struct view *v, const struct insn *in)
{
    bool first = carried_in(&v->value, in->src[0]), second = carried_in(&v->value, in->src[1]);
    if (!compares_numbers(in) || first == second)
        return;
    v->compare = in;
    v->branch = NULL;
    v->side = second;
}

/** Does a way lead from the check to `in` that goes round the comparison, or round the branch by it? */
static bool is_gone_round(const struct view *v, const struct insn *in)
{
    for (const struct insn *b = v->check + 1; b < in; b++)
        if (insn_class(b) == INSN_BRANCH && b != v->branch && b->target > v->compare && b->target <= in &&
            (b < v->compare || (v->branch && b < v->branch)))
            return true;
    return false;
}

/** Does the comparison decide whether `in` is executed? */
static bool is_decided(const struct view *v, const struct insn *in)
{
    if (!v->compare || is_gone_round(v, in))
        return false;
    if (insn_is_guarded(in))
        return in->guard == v->compare->dst;
    return v->waits || (v->branch && (v->to ? in >= v->branch->target && in < v->to : in < v->branch->target));
}

/** Is it of something that one thread is to have, or to do? @return false if the thread looks at it again, or nothing hangs on it */
static bool is_claim(const struct function *f, const struct view *v, struct act *a)
{
    enum op_row row = insn_row(v->compare);
    size_t bytes = a->act->mem.bytes;
    uint64_t expected, stored;
    bool known = origin_number(f, v->compare, v->compare->src[!v->side], bytes, &expected), looked = false;
    const struct insn *end = v->waits || !v->branch ? f->end : v->to ? v->to : v->branch->target;
    if (row != ROW_is_eq_32 && row != ROW_is_eq_64)
        return false;
    for (const struct insn *in = v->branch && !v->waits ? v->branch : a->act + 1; in < f->end && !a->locks; in++) {
        enum insn_class c = insn_class(in);
        if (in == a->act || !insn_is_memory(in) || (c != INSN_STORE && c != INSN_LOAD && c != INSN_ATOMIC))
            continue;
        bool same = origins_agree(f, in, a->act);
        if (!same)
            a->counts |= c == INSN_ATOMIC && in < end && (in->mem.atom == ATOM_ADD || in->mem.atom == ATOM_INC || in->mem.atom == ATOM_DEC);
        else if (in > a->act && !looked && (c == INSN_STORE || (c == INSN_ATOMIC && in->mem.atom == ATOM_EXCH)))
            a->locks = known && origin_number(f, in, c == INSN_ATOMIC ? element_operand(in, 0) : in->src[1], bytes, &stored) && stored == expected;
        looked |= same && c != INSN_STORE && in > a->act && !a->locks;
    }
    return a->locks || !looked;
}

/** Who has counted past the number, and is not told, comes again and counts anew, if the addition is in a loop. */
static bool is_reset(const struct function *f, const struct view *v)
{
    enum op_row row = insn_row(v->compare);
    return (row == ROW_is_eq_32 || row == ROW_is_eq_64) && !v->waits && path_find(f, v->check, v->check, NULL, NULL) == PATH_NONE;
}

/** Does the thread, where it has updated, also say so to others? */
static bool is_told(const struct function *f, const struct view *v, const struct insn *in)
{
    const struct insn *end = in + 1;
    if (!insn_is_guarded(in))
        return v->branch && act_tells(f, in, v->to ? v->branch->target : v->branch + 1, v->to ? v->to : v->branch->target);
    while (end < f->end && !insn_writes(end, in->guard))
        end++;
    return act_tells(f, in, v->compare + 1, end);
}

/** Does it store what the value was compared with? For `v < n + 1` the compiler asks `v <= n`: then what is stored is a number more. */
static bool stores_compared(const struct function *f, const struct view *v, const struct insn *in, uint32_t operand, bool holds, uint64_t *more)
{
    uint32_t other = v->compare->src[!v->side];
    enum op_row row = insn_row(v->compare);
    size_t bytes = v->check->mem.bytes;
    uint64_t stored, compared;
    *more = 0;
    if ((holds && operand == other) || row == ROW_is_eq_32 || row == ROW_is_eq_64)
        return holds && operand == other;
    if (origins_differ_by(f, in, operand, v->compare, other, more))
        return true;
    if (!origin_number(f, in, operand, bytes, &stored) || !origin_number(f, v->compare, other, bytes, &compared))
        return false;
    *more = stored - compared;
    return true;
}

/** Does such an atomic, made twice, change twice? Who comes too late then spoils what the other has done. */
static bool is_step(int atom)
{
    return atom == ATOM_ADD || atom == ATOM_INC || atom == ATOM_DEC || atom == ATOM_XOR;
}

/** @return false if it is none */
static bool is_act(const struct function *f, const struct view *v, const struct insn *in, struct act *out)
{
    bool atomic = insn_class(in) == INSN_ATOMIC, exchanges = atomic && in->mem.atom == ATOM_EXCH;
    uint32_t operand = atomic ? element_operand(in, 0) : in->src[1];
    bool decided = is_decided(v, in), early = decided && !is_written_between(v->check + 1, v->compare, v->compare->src[!v->side]);
    bool holds = decided && !is_written_between(v->compare + 1, in, v->compare->src[!v->side]) && (early || !insn_writes(in, v->compare->src[!v->side]));
    *out = (struct act){.check = v->check, .act = in, .compare = v->compare, .side = v->side, .early = early, .branch = v->branch, .other_side = v->to};
    if (!is_strong(in) || in->mem.bytes != v->check->mem.bytes || insn_class(in) == INSN_LOAD || (v->waits && atomic && !exchanges))
        return false;
    if ((!atomic || exchanges) && carried_in(&v->depends, operand) && !carried_in(&v->value, operand)) {
        out->kind = ACT_STORES;
        return !v->waits && (!is_looked_at(f, in) || !atomic);
    }
    if (atomic && in->mem.atom == ATOM_CAS) {
        out->kind = ACT_SWAPS;
        out->jumps = swap_jumps(f, v->check, in);
        return carried_in(&v->value, operand) && !is_looked_at(f, in) && !swap_is_checked_again(f, v->check, in);
    }
    if (!atomic || exchanges) {
        bool picks = decided && stores_compared(f, v, in, operand, holds, &out->more);
        out->kind = picks ? ACT_PICKS : ACT_CLAIMS;
        out->told = picks && is_told(f, v, in);
        if (insn_class(v->check) == INSN_ATOMIC && v->check->mem.atom == ATOM_ADD && decided && !picks && is_reset(f, v)) {
            out->kind = ACT_RESETS;
            return holds && !carried_in(&v->value, operand) && origins_agree(f, v->check, in) && !(atomic && is_looked_at(f, in));
        }
        return decided && !carried_in(&v->value, operand) && (picks ? !v->waits : holds && origins_agree(f, v->check, in) && is_claim(f, v, out)) && !(atomic && is_looked_at(f, in));
    }
    out->kind = ACT_ADDS;
    return holds && is_step(in->mem.atom) && !carried_in(&v->depends, operand) && !is_looked_at(f, in);
}

/** Where both sides of the branch meet again: who does not take it goes round the other side by a branch of its own. NULL: there is no other side */
static const struct insn *other_side_ends(const struct function *f, const struct insn *branch)
{
    const struct insn *round = branch->target - 1;
    bool goes_round = branch->target < f->end && round > branch && insn_class(round) == INSN_BRANCH && !insn_falls_through(round);
    return goes_round && round->target > branch->target ? round->target : NULL;
}

/** Is it a selp that takes what depends on the value by one arm only? */
static bool is_choice(const struct view *v, const struct insn *in, uint32_t *arm)
{
    bool first = carried_in(&v->depends, in->src[0]), second = carried_in(&v->depends, in->src[1]);
    *arm = in->src[first ? 0 : 1];
    return (insn_row(in) == ROW_selp_32 || insn_row(in) == ROW_selp_64) && !insn_is_guarded(in) && first != second && !carried_in(&v->depends, in->src[2]) &&
           in->dst != *arm;
}

static void look_at_choice(struct view *v, const struct insn *in)
{
    uint32_t arm;
    if (is_choice(v, in, &arm)) {
        v->choice = in;
        v->arm = arm;
        v->same = NULL;
    } else if (v->choice && (insn_writes(in, v->choice->dst) || insn_writes(in, v->arm))) {
        v->choice = v->same = NULL;
    } else if (v->choice && compares_numbers(in) && (insn_row(in) == ROW_is_eq_32 || insn_row(in) == ROW_is_eq_64) &&
               ((in->src[0] == v->choice->dst && in->src[1] == v->arm) || (in->src[1] == v->choice->dst && in->src[0] == v->arm))) {
        v->same = in;
    }
}

/** Behind a branch that a thread takes where the choice has fallen on that arm, it has fallen on the other. */
static void leave_arm(struct view *v, const struct insn *branch)
{
    bool by_it = v->choice && v->same && insn_is_guarded(branch) && branch->guard == v->same->dst && !(v->same->imm & ~(uint64_t)PRED_INVERT);
    if (!by_it || (v->same->imm == 0) == branch->guard_negated)
        return;
    carried_drop(&v->depends, v->choice->dst);
    carried_drop(&v->value, v->choice->dst);
}

/** On the way from `in` on. */
static void find_from(const struct function *f, const struct insn *in, struct view v, struct acts *all)
{
    const struct insn *check = v.check;
    for (int n = 0; in && in < f->end && n < WINDOW && v.depends.count && (!v.to || in < v.to); n++, in = next_of(in)) {
        struct act a;
        enum insn_class c = insn_class(in); /* behind a barrier the threads may have agreed on who acts */
        bool back = c == INSN_BRANCH && in->target <= check, waits = back && v.compare && insn_is_guarded(in) && in->guard == v.compare->dst;
        if (c == INSN_CALL || c == INSN_BARRIER || c == INSN_MEETING || c == INSN_TENSOR || (back && !waits))
            return;
        v.waits |= waits;
        if (all->count < MAX_ACTS && is_act(f, &v, in, &a)) {
            a.way = act_way(f, &a);
            a.compared = act_compared(&a);
            a.stored = act_stored(&a);
            all->list[all->count++] = a;
        }
        if (insn_class(in) == INSN_BRANCH && v.compare && in->guard == v.compare->dst && in->target > in) {
            struct view other = v;
            v.branch = other.branch = in;
            other.to = v.to ? NULL : other_side_ends(f, in);
            if (other.to)
                find_from(f, in->target, other, all);
        }
        if (c == INSN_BRANCH)
            leave_arm(&v, in);
        look_at_choice(&v, in);
        follow(&v.value, in, true);
        follow(&v.depends, in, false);
        look_at_comparison(&v, in);
    }
}

static void find_acts(const struct function *f, const struct insn *check, struct acts *all)
{
    struct view v = {.check = check};
    carried_put(&v.value, check->dst);
    carried_put(&v.depends, check->dst);
    find_from(f, check + 1, v, all);
}

static void *make_acts(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct acts *all = arena_alloc(a, sizeof *all);
    all->list = arena_alloc(a, MAX_ACTS * sizeof *all->list);
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (is_strong(in) && insn_class(in) != INSN_STORE && in->dst != REG_NONE)
            find_acts(f, in, all);
    return all;
}

const struct acts *acts_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->acts, make_acts, f);
}

/** Does it store a sum that was made since the check? A flag that is turned round has one who does it, mostly. */
static bool stores_sum(const struct act *a)
{
    for (const struct insn *in = a->act - 1; in > a->check; in--)
        if (insn_writes(in, a->act->src[1]))
            return insn_row(in) == ROW_add_32 || insn_row(in) == ROW_add_64;
    return false;
}

const struct insn *acts_losing(const struct function *f, const struct insn *look)
{
    const struct acts *acts = flow_holds(f, look) && insn_is_memory(look) ? acts_of(f) : NULL;
    for (int i = 0; acts && i < acts->count; i++)
        if (acts->list[i].kind == ACT_STORES && stores_sum(&acts->list[i]) && origins_agree(f, look, acts->list[i].act) && origins_agree(f, look, acts->list[i].check))
            return acts->list[i].act;
    return NULL;
}
