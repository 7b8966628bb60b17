/**
 * @file acts.c
 * See acts.h. What was read is followed along the flow, over at most MOST_FOLLOWED instructions.
 */
#include "analyse/acts.h"

#include "analyse/carried.h"
#include "analyse/choices.h"
#include "analyse/flow.h"
#include "analyse/goes.h"
#include "analyse/jumps.h"
#include "analyse/links.h"
#include "analyse/looked_at.h"
#include "analyse/made.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/sides.h"
#include "analyse/taken.h"
#include "analyse/tells.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MAX_ACTS 64
#define MOST_FORKS 3   /* branches that have nothing to do with the value, and whose both sides are followed */

static bool is_strong(const struct insn *in)
{
    return insn_is_memory(in) && in->mem.count == 1 && (in->mem.bytes == 4 || in->mem.bytes == 8) &&
           order_is_strong(&in->mem) && in->mem.space != SPACE_LOCAL && in->mem.space != SPACE_CONST && in->mem.space != SPACE_PARAM;
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

/** What is known on the way from a check on. */
struct view {
    const struct insn *check;
    struct carried value, depends;     /**< hold what was read; hold something computed from it */
    const struct insn *compare, *branch; /**< the last comparison of the value, and the branch by it that goes ahead */
    int side;
    const struct insn *to;             /**< the branch's other side is looked at, which begins at its target and goes up to there; NULL: the one behind it */
    struct choice choice;
    bool waits;                        /**< the check is made again until a comparison, */
    const struct insn *waited;         /**< this one, lets the thread go on */
    bool sums;                         /**< what decides is any predicate that is made of the value, not a comparison of the value itself */
    bool shares;                       /**< others may come there from behind the branch */
    int forks;
    struct on_way way;
    struct made compared;              /**< how that predicate is made */
    struct pieces pieces;              /**< of the way from the check on */
};

/** Does it name what the check has read, for who has come there this way? */
static bool same_place(const struct function *f, const struct view *v, const struct insn *in)
{
    return origins_agree(f, v->check, in) || origins_agree_on_way(f, v->check, &v->pieces, in);
}

/** Is a predicate made of what was read? */
static void look_at_sum(const struct function *f, struct view *v, const struct insn *in)
{
    struct made m;
    if (insn_class(in) != INSN_COMPUTE || in->dst == REG_NONE || function_register_width(f, in->dst) != 1 || !made_of(f, &v->way, v->check, in + 1, in->dst, &m))
        return;
    v->compare = in;
    v->compared = m;
    v->branch = NULL;
}

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

/** Is the instruction guarded by what the comparison has left? Another predicate may stand in the same place by then. */
static bool asks_comparison(const struct view *v, const struct insn *in)
{
    return v->compare && insn_is_guarded(in) && in->guard == v->compare->dst && !insns_write(v->compare + 1, in, in->guard);
}

/** Does the comparison decide whether `in` is executed? */
static bool is_decided(const struct function *f, const struct view *v, const struct insn *in)
{
    if (!v->compare || is_gone_round(v, in))
        return false;
    if (insn_is_guarded(in))
        return asks_comparison(v, in);
    if (v->shares && v->branch)
        return in >= v->branch->target && in < v->to && others_come_elsewhere(f, v->branch, v->check, in);
    return v->waits || (v->branch && (v->to ? in >= v->branch->target && in < v->to : in < v->branch->target));
}

/** Does an access behind the act name its place? Also where the act's may be one of several, and is named by the same register. */
static bool is_there(const struct function *f, const struct insn *in, const struct insn *act)
{
    return origins_agree(f, in, act) || (in > act && in->mem.address_bytes && in->mem.bytes == act->mem.bytes && in->src[0] == act->src[0] &&
                                         in->offset == act->offset && !insns_write(act, in, act->src[0]));
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
        bool same = is_there(f, in, a->act);
        if (!same)
            a->counts |= c == INSN_ATOMIC && in < end && (in->mem.atom == ATOM_ADD || in->mem.atom == ATOM_INC || in->mem.atom == ATOM_DEC);
        else if (in > a->act && !looked && (c == INSN_STORE || (c == INSN_ATOMIC && in->mem.atom == ATOM_EXCH)))
            a->locks = known && origin_number(f, in, c == INSN_ATOMIC ? element_operand(in, 0) : in->src[1], bytes, &stored) && stored == expected;
        looked |= same && c != INSN_STORE && in > a->act && !a->locks && path_find(f, a->act, in, NULL, NULL) != PATH_NONE;
    }
    return a->locks || (!looked && !store_is_looked_at_again(f, v->check, a->act));
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

/* Who comes too late spoils what the other has done. */
bool insn_is_step(const struct insn *in)
{
    int atom = in->mem.atom;
    return insn_class(in) == INSN_ATOMIC && (atom == ATOM_ADD || atom == ATOM_INC || atom == ATOM_DEC || atom == ATOM_XOR);
}

/** Is a place emptied, or filled with something else, by hand whose content has been taken? @return false if not */
static bool is_take(const struct function *f, const struct view *v, const struct insn *in, struct act *out)
{
    bool atomic = insn_class(in) == INSN_ATOMIC, stores = insn_class(in) == INSN_STORE || (atomic && in->mem.atom == ATOM_EXCH);
    bool has_taken = insn_class(v->check) == INSN_ATOMIC && v->check->mem.atom == ATOM_EXCH;
    uint32_t operand = atomic ? element_operand(in, 0) : in->src[1];
    bool decided = is_decided(f, v, in) && !v->waits;
    *out = (struct act){.check = v->check, .act = in, .kind = ACT_TAKES, .compare = decided ? v->compare : NULL, .side = v->side,
                        .branch = decided ? v->branch : NULL, .other_side = decided ? v->to : NULL};
    out->early = decided && !insns_write(v->check + 1, v->compare, v->compare->src[!v->side]);
    out->replaces = stores && is_replaced_by(f, v->check, in, operand) && !value_is_linked(f, v->check, in);
    return !v->sums && !has_taken && stores && is_strong(in) && in->mem.bytes == v->check->mem.bytes && !carried_in(&v->depends, operand) && same_place(f, v, in) &&
           !(atomic && result_is_looked_at(f, in)) && (out->replaces || is_emptied_by(f, in, operand)) && value_goes_elsewhere(f, v->check);
}

/** @return false if it is none */
static bool is_act(const struct function *f, const struct view *v, const struct insn *in, struct act *out)
{
    bool atomic = insn_class(in) == INSN_ATOMIC, exchanges = atomic && in->mem.atom == ATOM_EXCH;
    uint32_t operand = atomic ? element_operand(in, 0) : in->src[1];
    bool decided = is_decided(f, v, in), early = decided && !v->sums && !insns_write(v->check + 1, v->compare, v->compare->src[!v->side]);
    bool holds = decided && !v->sums && !insns_write(v->compare + 1, in, v->compare->src[!v->side]) && (early || !insn_writes(in, v->compare->src[!v->side]));
    *out = (struct act){.check = v->check, .act = in, .compare = v->compare, .side = v->side, .early = early, .branch = v->branch, .other_side = v->to};
    if (!is_strong(in) || in->mem.bytes != v->check->mem.bytes || insn_class(in) == INSN_LOAD)
        return false;
    bool bits = insn_sets_bits(in) && carried_in(&v->depends, operand);
    if (bits || (insn_is_step(in) && carried_in(&v->depends, operand))) {
        out->kind = ACT_MOVES;
        return (!bits || value_leads_on(f, v->check) || value_goes_elsewhere(f, v->check)) && !v->sums && !v->waits && same_place(f, v, in) && made_of(f, &v->way, v->check, in, operand, &out->made) && made_lasts(&out->made, in) && !result_is_looked_at(f, in);
    }
    if (insn_is_step(in)) {
        out->kind = ACT_ADDS;
        out->made = v->compared;
        return (holds || early || (v->sums && decided)) && (!v->waits || v->compare == v->waited) && made_lasts(&v->compared, in) && !result_is_looked_at(f, in);
    }
    if (v->sums)
        return false;
    if ((!atomic || exchanges) && carried_in(&v->depends, operand) && !carried_in(&v->value, operand)) {
        out->kind = ACT_STORES;
        return !v->waits && (!result_is_looked_at(f, in) || !atomic);
    }
    if (atomic && in->mem.atom == ATOM_CAS) {
        out->kind = ACT_SWAPS;
        out->jumps = write_jumps(f, v->check, in, in->src[2]);
        return !v->waits && carried_in(&v->value, operand) && !result_is_looked_at(f, in) && !swap_is_checked_again(f, v->check, in);
    }
    if ((!atomic || exchanges) && !carried_in(&v->value, operand) && same_place(f, v, in) && value_is_linked(f, v->check, in)) {
        out->kind = ACT_STORES;
        out->links = true;
        return !v->waits && !(atomic && result_is_looked_at(f, in));
    }
    if (!atomic || exchanges) {
        bool picks = decided && stores_compared(f, v, in, operand, holds, &out->more);
        out->kind = picks ? ACT_PICKS : ACT_CLAIMS;
        out->told = picks && is_told(f, v, in);
        out->jumps = picks && write_jumps(f, v->check, in, operand);
        if (insn_class(v->check) == INSN_ATOMIC && v->check->mem.atom == ATOM_ADD && decided && !picks && is_reset(f, v)) {
            out->kind = ACT_RESETS;
            return holds && !carried_in(&v->value, operand) && same_place(f, v, in) && !(atomic && result_is_looked_at(f, in));
        }
        return decided && !carried_in(&v->value, operand) && (picks ? !v->waits : (holds || early) && same_place(f, v, in) && is_claim(f, v, out)) && !(atomic && result_is_looked_at(f, in));
    }
    return false;
}

static void add_act(const struct function *f, const struct view *v, struct acts *all, const struct act *act)
{
    struct act *a = &all->list[all->count];
    for (int i = 0; i < all->count; i++) /* two ways may lead there */
        if (all->list[i].check == act->check && all->list[i].act == act->act && all->list[i].kind == act->kind && all->list[i].compare == act->compare &&
            all->list[i].branch == act->branch)
            return;
    if (all->count == MAX_ACTS)
        return;
    *a = *act;
    a->same = act->links || same_place(f, v, a->act);
    a->way = act_way(f, a);
    a->compared = act_compared(a);
    a->stored = act_stored(a);
    all->count++;
}

/** On the way from `in` on. */
static void find_from(const struct function *f, const struct insn *in, struct view v, struct acts *all)
{
    const struct insn *check = v.check;
    for (int n = 0; in && in < f->end && n < MOST_FOLLOWED && (!v.to || in < v.to); n++, in = way_next(in)) {
        struct act a;
        enum insn_class c = insn_class(in); /* behind a barrier the threads may have agreed on who acts */
        bool back = c == INSN_BRANCH && in->target <= check, waits = back && asks_comparison(&v, in);
        if (c == INSN_CALL || c == INSN_BARRIER || c == INSN_MEETING || c == INSN_TENSOR || (back && !waits))
            return;
        pieces_note(&v.pieces, in);
        v.waits |= waits;
        v.waited = waits ? v.compare : v.waited;
        if (is_act(f, &v, in, &a))
            add_act(f, &v, all, &a);
        if (is_take(f, &v, in, &a))
            add_act(f, &v, all, &a);
        if (insn_class(in) == INSN_BRANCH && asks_comparison(&v, in) && in->target > in) {
            struct view other = v;
            v.branch = other.branch = in;
            other.to = v.to ? NULL : side_ends(f, in);
            other.shares = !v.to && !other.to;
            if (other.shares)
                other.to = shared_side_ends(f, in);
            if (other.to)
                find_from(f, in->target, other, all);
        }
        if (c == INSN_BRANCH && !v.compare && insn_falls_through(in) && in->target > in && v.forks < MOST_FORKS) {
            struct view other = v;
            v.forks = ++other.forks;
            find_from(f, in->target, other, all);
        }
        if (c == INSN_BRANCH)
            choice_part(&v.choice, in, &v.depends, &v.value);
        choice_note(&v.choice, &v.depends, in);
        way_note(&v.way, f, &v.depends, in);
        value_follow(&v.value, in, true);
        value_follow(&v.depends, in, false);
        if (v.sums)
            look_at_sum(f, &v, in);
        else
            look_at_comparison(&v, in);
        if (!v.depends.count) /* no register holds it any more; that it has been taken stands */
            v.compare = v.branch = NULL;
    }
}

static void find_acts(const struct function *f, const struct insn *check, struct acts *all)
{
    struct view v = {.check = check};
    carried_put(&v.value, check->dst);
    carried_put(&v.depends, check->dst);
    find_from(f, check + 1, v, all);
    v.sums = true;
    find_from(f, check + 1, v, all);
    for (struct act a = {.check = check}; link_next(f, all, &a);)
        add_act(f, &v, all, &a);
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

/** Does an atomic between the two say who comes to the second? Then one does, mostly: the last of those who have come to a barrier. */
static bool is_let_in(const struct function *f, const struct act *a)
{
    bool lets = false;
    for (const struct insn *in = a->check + 1; in < a->act && !lets; in++)
        lets = insn_class(in) == INSN_ATOMIC && in->dst != REG_NONE && result_is_looked_at(f, in);
    return lets;
}

const struct insn *acts_losing(const struct function *f, const struct insn *look)
{
    const struct acts *acts = flow_holds(f, look) && insn_is_memory(look) ? acts_of(f) : NULL;
    for (int i = 0; acts && i < acts->count; i++)
        if (acts->list[i].kind == ACT_STORES && !acts->list[i].links && stores_sum(&acts->list[i]) && !is_let_in(f, &acts->list[i]) && origins_agree(f, look, acts->list[i].act) && origins_agree(f, look, acts->list[i].check))
            return acts->list[i].act;
    return NULL;
}
