/**
 * @file belongs.c
 * See belongs.h.
 */
#include "analyse/belongs.h"

#include "analyse/carried.h"
#include "analyse/comparisons.h"
#include "analyse/flow.h"
#include "analyse/looked_at.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MAX_BELONGINGS 16
#define MOST_COPIES 8

static bool is_strong(const struct insn *in)
{
    return insn_is_memory(in) && in->mem.count == 1 && (in->mem.bytes == 4 || in->mem.bytes == 8) && order_is_strong(&in->mem) && !insn_is_guarded(in) &&
           (in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_SHARED || in->mem.space == SPACE_GENERIC);
}

static bool is_best_of(const struct insn *in)
{
    return is_strong(in) && insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_MIN || in->mem.atom == ATOM_MAX);
}

static bool is_note(const struct function *f, const struct insn *in)
{
    bool exchange = insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_EXCH;
    return is_strong(in) && (insn_class(in) == INSN_STORE || (exchange && !result_is_looked_at(f, in)));
}

/** Where a comparison of what was read parts who goes on from who does not. */
struct parting {
    const struct function *f;
    const struct insn *look, *compare;
    int side;                       /**< its source that is the value read */
    const struct insn *from, *other; /**< where those go for whom the comparison, as its handler makes it, holds; and the others */
};

/** The first branch behind the look, by a comparison of what it gives. @return false: there is none */
static bool part(const struct function *f, const struct insn *look, bool (*compares)(const struct insn *in), struct parting *p)
{
    struct carried value = carried_result(look);
    *p = (struct parting){.f = f, .look = look};
    for (const struct insn *in = look + 1; in < f->end && in <= look + MOST_FOLLOWED; in++) {
        enum insn_class c = insn_class(in);
        if (c == INSN_BRANCH) {
            if (!p->compare || !insn_is_guarded(in) || in->guard != p->compare->dst || !flow_holds(f, in->target) || !flow_holds(f, in + 1))
                return false;
            bool ahead = (p->compare->imm == 0) != in->guard_negated;
            p->from = ahead ? in->target : in + 1;
            p->other = ahead ? in + 1 : in->target;
            return true;
        }
        if (c != INSN_COMPUTE && c != INSN_LOAD && c != INSN_STORE && c != INSN_ATOMIC && c != INSN_FENCE)
            return false;
        if (p->compare && insn_writes(in, p->compare->dst))
            return false;
        if (!p->compare && compares(in) && carried_in(&value, in->src[0]) != carried_in(&value, in->src[1])) {
            p->compare = in;
            p->side = carried_in(&value, in->src[1]);
        }
        value_follow(&value, in, true);
    }
    return false;
}

static bool is_look(const struct insn *in, const void *look)
{
    return in == look;
}

/** Does the thread come there only behind the comparison, as it wants it? */
static bool is_behind(const struct parting *p, const struct insn *in)
{
    return in != p->other && path_find(p->f, p->other, in, is_look, p->look) == PATH_NONE &&
           (in == p->from || path_find(p->f, p->from, in, is_look, p->look) != PATH_NONE);
}

/** Turns it so that `from` is where those go whose value is the better one. */
static void turn_to_better(struct parting *p, bool maximum)
{
    bool found_is_less = !p->side; /* what was read, of those for whom the comparison holds */
    if (found_is_less == maximum)
        return;
    const struct insn *from = p->from;
    p->from = p->other;
    p->other = from;
}

/** Is it what the value read was compared with, but for a number that the text adds? */
static bool is_compared(const struct parting *p, const struct insn *at, uint32_t reg)
{
    uint64_t more;
    uint32_t other = p->compare->src[!p->side];
    return reg == other || origins_differ_by(p->f, at, reg, p->compare, other, &more);
}

/** Is what is stored the thread's own, and not the value itself? */
static bool is_of_its_own(const struct function *f, const struct insn *update, const struct insn *store)
{
    uint64_t number, more;
    uint32_t put = belonging_operand(update), stored = belonging_operand(store);
    return !origin_number(f, store, stored, store->mem.bytes, &number) && !origins_differ_by(f, store, stored, update, put, &more);
}

static bool ends_run(const struct insn *in, const void *context)
{
    (void)context;
    return insn_class(in) == INSN_BARRIER;
}

/** Is the place written anew later, behind a barrier? Then what stays there may be made right. */
static bool is_written_later(const struct function *f, const struct insn *store)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (in != store && insn_class(in) == INSN_STORE && insn_is_memory(in) && origins_agree(f, in, store) && path_find(f, store, in, NULL, NULL) != PATH_NONE &&
            path_find(f, store, in, ends_run, NULL) == PATH_NONE)
            return true;
    return false;
}

static void add(const struct parting *p, const struct insn *update, struct belongings *all)
{
    const struct function *f = p->f;
    for (const struct insn *in = f->entry; in < f->end && all->count < MAX_BELONGINGS; in++) {
        if (in == update || !is_note(f, in) || !is_behind(p, in) || origins_agree(f, in, update) || !is_of_its_own(f, update, in) || is_written_later(f, in))
            continue;
        bool before = update != p->look && path_find(f, update, p->look, NULL, NULL) == PATH_AHEAD; /* the look comes behind it */
        bool behind = update == p->look || before || path_find(f, update, in, is_look, p->look) != PATH_NONE, first = path_find(f, in, update, is_look, p->look) != PATH_NONE;
        if (!behind && !first)
            continue;
        all->list[all->count++] = (struct belonging){.update = update, .store = in, .put = belonging_operand(update), .stored = belonging_operand(in),
                                                     .store_first = !behind};
    }
}

/** By a minimum or a maximum: what it returns says so, or a look before it. */
static void find_best(const struct function *f, const struct insn *look, struct belongings *all)
{
    struct parting p;
    if (!is_strong(look) || look->dst == REG_NONE || insn_class(look) == INSN_STORE || !part(f, look, compares_for_order, &p))
        return;
    if (is_best_of(look)) {
        turn_to_better(&p, look->mem.atom == ATOM_MAX);
        if (is_compared(&p, look, belonging_operand(look)))
            add(&p, look, all);
        return;
    }
    for (const struct insn *in = f->entry; in < f->end; in++) {
        struct parting better = p;
        if (!is_best_of(in) || in->mem.bytes != look->mem.bytes || !origins_agree(f, look, in) || !is_compared(&p, in, belonging_operand(in)))
            continue;
        turn_to_better(&better, in->mem.atom == ATOM_MAX);
        if (is_behind(&better, in))
            add(&better, in, all);
    }
}

static bool is_order_of_reals(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_is_lt_f32: case ROW_is_le_f32: case ROW_is_lt_f32_ftz: case ROW_is_le_f32_ftz: case ROW_is_lt_f64: case ROW_is_le_f64:
        return !insn_is_guarded(in);
    default:
        return false;
    }
}

/** The register whose value it holds there, by copies. */
static uint32_t copied_from(const struct function *f, const struct insn *at, uint32_t reg)
{
    for (int i = 0; i < MOST_COPIES && !(reg & CONST_BIT); i++) {
        const struct insn *by = register_writer(f, at, reg);
        if (!by || insn_copies(by) == REG_NONE)
            break;
        reg = insn_copies(by);
        at = by;
    }
    return reg;
}

static bool ends_update(const struct insn *in, const void *look)
{
    return in == look || insn_class(in) == INSN_BARRIER || insn_class(in) == INSN_CALL;
}

/** Whoever finds his own value there, right behind the update, has the best one so far, no more. Behind a barrier all have been. */
static void find_found_again(const struct function *f, const struct insn *look, struct belongings *all)
{
    struct parting p;
    if (!is_strong(look) || insn_class(look) != INSN_LOAD || look->dst == REG_NONE || !part(f, look, compares_for_equality, &p))
        return;
    for (const struct insn *in = f->entry; in < f->end; in++) {
        uint64_t more = 0;
        bool own = is_best_of(in) && in->mem.bytes == look->mem.bytes && origins_agree(f, look, in) &&
                   (p.compare->src[!p.side] == belonging_operand(in) || origins_differ_by(f, in, belonging_operand(in), p.compare, p.compare->src[!p.side], &more));
        if (own && !more && path_find(f, in, look, ends_update, look) != PATH_NONE && path_find(f, look, look, is_look, in) == PATH_NONE)
            add(&p, in, all);
    }
}

/** Is what the swap expects compared with what it puts there? */
static bool asks_for_better(const struct function *f, const struct insn *compare, const struct insn *swap)
{
    uint64_t more;
    uint32_t expects = copied_from(f, swap, swap->src[1]), puts = copied_from(f, swap, swap->src[2]);
    for (int side = 0; side < 2; side++) {
        uint32_t other = copied_from(f, compare, compare->src[!side]);
        if (copied_from(f, compare, compare->src[side]) == expects && (other == puts || origins_differ_by(f, swap, puts, compare, other, &more)))
            return path_find(f, compare, swap, NULL, NULL) != PATH_NONE;
    }
    return false;
}

/** By a compare-and-swap of what is compared with what it expects. */
static void find_swapped(const struct function *f, const struct insn *swap, struct belongings *all)
{
    struct parting p;
    bool better = false;
    if (!is_strong(swap) || insn_class(swap) != INSN_ATOMIC || swap->mem.atom != ATOM_CAS || swap->dst == REG_NONE || !part(f, swap, compares_for_equality, &p) ||
        p.compare->src[!p.side] != swap->src[1])
        return;
    for (const struct insn *in = f->entry; in < f->end && !better; in++)
        better = (compares_for_order(in) || is_order_of_reals(in)) && asks_for_better(f, in, swap);
    if (better)
        add(&p, swap, all);
}

static void *make_belongings(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct belongings *all = arena_alloc(a, sizeof *all);
    bool any = false;
    for (const struct insn *in = f->entry; in < f->end && !any; in++)
        any = insn_class(in) == INSN_ATOMIC && insn_is_memory(in) && (in->mem.atom == ATOM_MIN || in->mem.atom == ATOM_MAX || in->mem.atom == ATOM_CAS);
    all->list = arena_alloc(a, MAX_BELONGINGS * sizeof *all->list);
    for (const struct insn *in = f->entry; in < f->end && any; in++) {
        find_best(f, in, all);
        find_found_again(f, in, all);
        find_swapped(f, in, all);
    }
    return all;
}

const struct belongings *belongings_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->belongings, make_belongings, f);
}
