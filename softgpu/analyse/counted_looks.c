/**
 * @file counted_looks.c
 * See counted_looks.h.
 */
#include "analyse/counted_looks.h"

#include "analyse/acts.h"
#include "analyse/carried.h"
#include "analyse/comparisons.h"
#include "analyse/flow.h"
#include "analyse/looked_at.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MAX_COUNTED 16

static bool is_strong(const struct insn *in)
{
    return insn_is_memory(in) && in->mem.count == 1 && (in->mem.bytes == 4 || in->mem.bytes == 8) && order_is_strong(&in->mem) &&
           (in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_SHARED || in->mem.space == SPACE_GENERIC);
}

/** Does it make the same whenever the thread comes there, from registers to one register, or from a parameter of the launch? */
static bool makes_number(const struct insn *in)
{
    bool given = insn_class(in) == INSN_LOAD && (in->mem.space == SPACE_PARAM || in->mem.space == SPACE_CONST) && in->mem.count == 1 && !in->mem.call_slot;
    return (given || (insn_class(in) == INSN_COMPUTE && !in->op->flags)) && !insn_is_guarded(in) && in->dst != REG_NONE && in->dst2 == REG_NONE;
}

/** How what the register holds at `compare` is made behind the look: some compilers read the launch's size, or a parameter, only where it is compared. @return false: that
 *  is not known, or hangs on what the look gives, or on another one */
static bool find_makers(const struct insn *look, const struct insn *compare, struct counted_look *out)
{
    const struct insn *made[COUNTED_MAKERS];
    struct carried needed = {0};
    out->makers = 0;
    if (!(out->number & CONST_BIT))
        carried_put(&needed, out->number);
    for (const struct insn *in = compare - 1; in > look; in--) {
        bool makes = false;
        for (int i = 0; i < needed.count && !makes; i++)
            makes = insn_writes(in, needed.reg[i]);
        if (!makes)
            continue;
        if (!makes_number(in) || out->makers == COUNTED_MAKERS)
            return false;
        made[out->makers++] = in;
        carried_drop(&needed, in->dst);
        struct operand_iter it = operands_of(in);
        for (struct operand o; operands_next(&it, &o);)
            if (!o.write && !(o.reg & CONST_BIT))
                carried_put(&needed, o.reg);
    }
    for (int i = 0; i < out->makers; i++)
        out->maker[i] = made[out->makers - 1 - i];
    return needed.count < MAX_CARRIED && !carried_in(&needed, look->dst);
}

/** The comparison of what `look` gives with a number that does not hang on it, and the branch by it; @return false: there is none, or something else lies between */
static bool find_decision(const struct function *f, const struct insn *look, struct counted_look *out, const struct insn **compare, const struct insn **branch)
{
    struct carried value = carried_result(look);
    *compare = NULL;
    for (const struct insn *in = look + 1; in < f->end && in <= look + MOST_FOLLOWED; in++) {
        enum insn_class c = insn_class(in);
        if (c == INSN_BRANCH) {
            *branch = in;
            return *compare && insn_is_guarded(in) && in->guard == (*compare)->dst && flow_holds(f, in->target) && flow_holds(f, in + 1);
        }
        if (c != INSN_COMPUTE && c != INSN_LOAD && c != INSN_FENCE && c != INSN_STORE && c != INSN_ATOMIC)
            return false;
        if (!*compare && (compares_for_equality(in) || compares_for_order(in)))
            for (int side = 0; side < 2; side++)
                if (carried_in(&value, in->src[side]) && !carried_in(&value, in->src[!side])) {
                    out->number = in->src[!side];
                    *compare = find_makers(look, in, out) ? in : *compare;
                }
        if (*compare && *compare != in && insn_writes(in, (*compare)->dst))
            return false;
        value_follow(&value, in, true);
    }
    return false;
}

static bool is_insn(const struct insn *in, const void *context)
{
    return in == context;
}

/** What parts the ways of who finds the number from those of who does not. */
struct side {
    const struct function *f;
    const struct insn *look, *from, *other;
};

/** Who is let in one by one: an atomic whose result decides by an equality, or one that sets and is looked at. */
static bool lets_one_in(const struct function *f, const struct insn *in)
{
    if (insn_class(in) != INSN_ATOMIC || in->dst == REG_NONE || insn_only_reads(f, in))
        return false;
    if (!insn_is_step(in))
        return result_is_looked_at(f, in);
    struct carried value = carried_result(in);
    for (const struct insn *use = in + 1; use < f->end && use <= in + MOST_FOLLOWED && value.count; use++) {
        if (compares_for_equality(use) && (carried_in(&value, use->src[0]) || carried_in(&value, use->src[1])))
            return true;
        value_follow(&value, use, true);
    }
    return false;
}

static bool is_end(const struct insn *in, const void *context)
{
    const struct side *s = context;
    return in == s->look || lets_one_in(s->f, in);
}

/** Does the thread come there only if it has found the number? */
static bool is_on_side(const struct side *s, const struct insn *in)
{
    return (in == s->from || path_find(s->f, s->from, in, is_end, s) != PATH_NONE) && in != s->other &&
           path_find(s->f, s->other, in, is_insn, s->look) == PATH_NONE && !is_end(s->from, s);
}

/** Is the same place read before, on that side? */
static bool updates(const struct side *s, const struct insn *store)
{
    for (const struct insn *in = s->f->entry; in < store; in++)
        if (insn_class(in) == INSN_LOAD && store - in <= MOST_FOLLOWED && insn_is_memory(in) && origins_agree(s->f, in, store) && is_on_side(s, in))
            return true;
    return false;
}

static bool matters_twice(const struct side *s, const struct insn *in)
{
    const struct function *f = s->f;
    enum insn_class c = insn_class(in);
    bool may = c == INSN_CALL || (insn_is_step(in) && !insn_only_reads(f, in) && !lets_one_in(f, in)) ||
               (c == INSN_ATOMIC && in->mem.atom == ATOM_EXCH && origins_agree(f, in, s->look)) ||
               (c == INSN_STORE && in->mem.space != SPACE_LOCAL && in->mem.space != SPACE_PARAM && !in->mem.call_slot);
    if (!may || !is_on_side(s, in))
        return false;
    return c != INSN_STORE || origins_agree(f, in, s->look) || updates(s, in);
}

static bool matters_anywhere(const struct side *s)
{
    const struct insn *end = s->from + MOST_FOLLOWED < s->f->end ? s->from + MOST_FOLLOWED : s->f->end;
    for (const struct insn *in = s->from; in < end; in++)
        if (matters_twice(s, in))
            return true;
    return false;
}

static bool ends_step_of_block(const struct insn *in, const void *look)
{
    enum insn_class c = insn_class(in);
    return in == look || c == INSN_MEETING || c == INSN_TENSOR || c == INSN_CALL;
}

static bool ends_step(const struct insn *in, const void *look)
{
    return insn_class(in) == INSN_BARRIER || ends_step_of_block(in, look);
}

static bool is_step(const struct function *f, const struct insn *in, const struct insn *look)
{
    return is_strong(in) && insn_is_step(in) && in->mem.atom != ATOM_XOR && in->mem.bytes == look->mem.bytes && !insn_only_reads(f, in) &&
           !result_is_looked_at(f, in);
}

/** Does it count upwards, or down? @return false if the text does not say that */
static bool counts_upwards(const struct function *f, const struct insn *step, bool *up)
{
    uint64_t number;
    *up = step->mem.atom == ATOM_INC;
    if (step->mem.atom != ATOM_ADD)
        return true;
    if (!origin_number(f, step, element_operand(step, 0), step->mem.bytes, &number))
        return false;
    *up = !(number >> (8 * step->mem.bytes - 1) & 1);
    return true;
}

/** Which side those take who have found what they look for, who count upwards, or down; and which number that is. */
static void ask_by_order(const struct insn *compare, bool up, struct counted_look *c, bool *holds)
{
    enum op_row row = insn_row(compare);
    bool look_is_second = compare->src[0] == c->number;   /* n < count */
    c->how = up ? COUNT_HAS_RISEN : COUNT_HAS_FALLEN;
    c->is_signed = row == ROW_is_lt_s32 || row == ROW_is_lt_s64;
    c->more = up && look_is_second ? 1 : !up && !look_is_second ? -1 : 0;
    *holds = look_is_second == up;
}

static void find_of(const struct function *f, const struct insn *look, struct counted_looks *all)
{
    const struct insn *compare, *branch;
    struct counted_look found = {.look = look};
    bool asked[2] = {false}, twice[2] = {false};
    if (!is_strong(look) || look->dst == REG_NONE || insn_is_guarded(look) || (insn_class(look) != INSN_LOAD && !insn_only_reads(f, look)) ||
        !find_decision(f, look, &found, &compare, &branch))
        return;
    for (const struct insn *in = f->entry; in < f->end && all->count < MAX_COUNTED; in++) {
        if (!is_step(f, in, look) || path_find(f, in, look, ends_step_of_block, look) == PATH_NONE || path_find(f, look, look, is_insn, in) != PATH_NONE)
            continue;
        bool by_block = path_find(f, in, look, ends_step, look) == PATH_NONE;
        if (by_block && (in->mem.space == SPACE_SHARED || look->mem.space == SPACE_SHARED))
            continue;
        struct counted_look c = found;
        bool up = true, holds = true;
        c.step = in;
        c.by_block = by_block;
        if (compares_for_order(compare) && !counts_upwards(f, in, &up))
            continue;
        if (compares_for_order(compare))
            ask_by_order(compare, up, &c, &holds);
        bool ahead = ((compare->imm == 0) == holds) != branch->guard_negated; /* the branch is taken by who has found it */
        const struct side s = {f, look, ahead ? branch->target : branch + 1, ahead ? branch + 1 : branch->target};
        twice[up] = asked[up] ? twice[up] : matters_anywhere(&s);
        asked[up] = true;
        c.twice = twice[up];
        all->list[all->count++] = c;
    }
}

static void *make_looks(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct counted_looks *all = arena_alloc(a, sizeof *all);
    bool steps = false;
    for (const struct insn *in = f->entry; in < f->end && !steps; in++)
        steps = insn_is_step(in) && !insn_only_reads(f, in);
    all->list = arena_alloc(a, MAX_COUNTED * sizeof *all->list);
    for (const struct insn *in = f->entry; in < f->end && steps; in++)
        find_of(f, in, all);
    return all;
}

const struct counted_looks *counted_looks_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->counted_looks, make_looks, f);
}
