/**
 * @file retries.c
 * See retries.h. Ways forward, without those that the branch behind the load has closed (decided.h), collect what is written on them; ways
 * backward from where they end find what has been looked at.
 */
#include "analyse/retries.h"

#include <stdlib.h>

#include "analyse/carried.h"
#include "analyse/decided.h"
#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/operands.h"

#define MAX_WRITTEN 96
#define MAX_BACK 64
#define MADE_DEPTH 6

struct written {
    uint32_t reg[MAX_WRITTEN];
    int count;
    bool too_many;
};

static bool is_written(const struct written *w, uint32_t reg)
{
    for (int i = 0; i < w->count; i++)
        if (w->reg[i] == reg)
            return true;
    return false;
}

static void note_written(struct written *w, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write || is_written(w, o.reg))
            continue;
        if (w->count < MAX_WRITTEN)
            w->reg[w->count++] = o.reg;
        else
            w->too_many = true;
    }
}

/** From where the load is made again: all before it in its block that only looks goes with it. */
static const struct insn *again_from(const struct function *f, const struct insn *load)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *first = f->entry + b->first[b->of[load - f->entry]];
    while (load > first && insn_is_idle(f, load - 1))
        load--;
    return load;
}

/* ---- Forward */

/** Past the rest of a block. @return false if more than looks is done, or what was decided is over; *back: it ends at `again` */
static bool look_through(const struct function *f, const struct insn *in, const struct insn *end, const struct insn *again,
                         const struct decided *d, struct written *w, bool *back)
{
    for (; in < end; in++) {
        *back = in == again;
        if (*back)
            return true;
        if (!insn_is_idle(f, in) || (insn_class(in) == INSN_BRANCH && !flow_holds(f, in->target)) || (d->compare && decided_is_over(d, in)))
            return false;
        note_written(w, in);
    }
    return true;
}

/** Does the thread come back to `again` on every way that is open after what was decided, or go round on some? What is written joins `w`. */
static bool comes_back(const struct function *f, const struct insn *from, const struct insn *again, const struct decided *d, struct written *w)
{
    const struct blocks *b = &flow_of(f)->blocks;
    bool *entered = calloc((size_t)b->count, sizeof *entered), any = false, only = true;
    int *next = calloc((size_t)b->count + 1, sizeof *next), count = 0, block = b->of[from - f->entry];
    if (!entered || !next)
        abort();
    for (const struct insn *in = from;;) {
        bool back = false;
        only = look_through(f, in, f->entry + b->first[block + 1], again, d, w, &back);
        any |= back;
        const struct insn *way = only && !back ? decided_way(f, d, f->entry + b->first[block + 1] - 1) : NULL;
        for (int e = b->next_from[block]; only && !back && e < b->next_from[block + 1]; e++) {
            const struct insn *to = f->entry + b->first[b->next[e]];
            if (way && to != way)
                continue;
            const struct insn *told = decided_way_from(f, f->entry + b->first[block + 1] - 1, to);
            int into = told && flow_holds(f, told) ? b->of[told - f->entry] : b->next[e];
            if (!entered[into]) {
                entered[into] = true;
                next[count++] = into;
            }
        }
        if (!only || !count)
            break;
        block = next[--count];
        in = f->entry + b->first[block];
    }
    free(entered);
    free(next);
    return only && any;
}

/* ---- Backward */

/** Where a register's value at a place may come from. */
struct sources {
    const struct insn *first;      /**< a look at the location; all others are at the same */
    struct written passed;
    struct { int block; uint32_t reg; } todo[MAX_BACK], been[MAX_BACK];
    int count, places;
};

static bool is_look_at(const struct function *f, const struct insn *in)
{
    bool load = (insn_class(in) == INSN_LOAD && order_is_strong(&in->mem)) || insn_only_reads(f, in);
    bool swap = insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS;
    return (load || swap) && in->mem.count == 1 && !insn_is_guarded(in);
}

/** The blocks before this one, each once. @return false: there is none, or there are too many */
static bool enter_before(const struct blocks *b, struct sources *s, int block, uint32_t reg)
{
    for (int e = b->before_from[block]; e < b->before_from[block + 1]; e++) {
        int i = 0, from = b->before[e];
        while (i < s->places && (s->been[i].block != from || s->been[i].reg != reg))
            i++;
        if (i < s->places)
            continue;
        if (s->places == MAX_BACK)
            return false;
        s->been[s->places].block = s->todo[s->count].block = from;
        s->been[s->places++].reg = s->todo[s->count++].reg = reg;
    }
    return block > 0;
}

/** Back from `in`, which is of `block`, to where `reg` is written. */
static bool go_back(const struct function *f, struct sources *s, int block, const struct insn *in, uint32_t reg)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *first = f->entry + b->first[block];
    while (in-- > first) {
        if (insn_writes(in, reg)) {
            uint32_t from = insn_copies(in);
            if (from == REG_NONE) {
                s->first = s->first ? s->first : in;
                return is_look_at(f, in) && origins_agree(f, s->first, in);
            }
            reg = from;
        } else if (!insn_is_idle(f, in)) {
            return false;
        }
        note_written(&s->passed, in);
    }
    return enter_before(b, s, block, reg);
}

/** May the value be made anew meanwhile? */
static bool is_made_anew(const struct origin *o, struct loop turns, const struct written *passed, const struct written *w)
{
    return o->made && ((o->made >= turns.first && o->made <= turns.last) || is_written(passed, o->reg) || is_written(w, o->reg));
}

/** Does the register hold at `again`, whichever way the thread has come, what was looked at in one location, with only looks since?
 *  @return such a look; NULL: no */
static const struct insn *looked_up_by(const struct function *f, const struct insn *load, const struct insn *again, uint32_t reg,
                                       const struct written *w)
{
    const struct blocks *b = &flow_of(f)->blocks;
    struct loop turns = loop_of_turns(f, load);
    struct sources s = {0};
    bool is = go_back(f, &s, b->of[again - f->entry], again, reg);
    while (is && s.count) {
        s.count--;
        int block = s.todo[s.count].block;
        is = go_back(f, &s, block, f->entry + b->first[block + 1], s.todo[s.count].reg);
    }
    if (!is || !s.first || s.passed.too_many)
        return NULL;
    struct origin place;
    return origin_of(f, s.first, &place) && !is_made_anew(&place, turns, &s.passed, w) ? s.first : NULL;
}

bool leads_to_retry(const struct function *f, const struct insn *load, const struct insn *from)
{
    const struct insn *again = again_from(f, load), *in = again;
    struct written w = {0};
    if (!loop_of_turns(f, load).first || !flow_holds(f, from))
        return false;
    for (; !insn_ends_block(in); in++) /* to the branch behind the load */
        note_written(&w, in);
    struct written before = w;
    const struct decided nothing = {0}, d = decided_by(f, in, from);
    if (!comes_back(f, from, again, &nothing, &w)) {
        w = before;
        if (!d.compare || !comes_back(f, from, again, &d, &w))
            return false;
    }
    if (w.too_many)
        return false;
    for (int i = 0; i < w.count; i++)
        if (path_reads(f, again, w.reg[i]) && !looked_up_by(f, load, again, w.reg[i], &w))
            return false;
    return true;
}

/* ---- What is made of it */

/** What makes the register in the load's block, before `in`; NULL: it is made elsewhere. */
static const struct insn *made_in_block(const struct function *f, const struct insn *in, uint32_t reg)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *first = f->entry + b->first[b->of[in - f->entry]];
    while (in-- > first)
        if (insn_writes(in, reg))
            return in;
    return NULL;
}

/** … or something made of that and of what no turn changes? `*by`: of one location, as the others. */
static bool is_made_of_look(const struct function *f, const struct insn *load, const struct insn *at, uint32_t reg, const struct written *w,
                            const struct insn **by, int depth)
{
    const struct insn *look = looked_up_by(f, load, at, reg, w), *made = made_in_block(f, at, reg);
    if (look) {
        bool same = !*by || origins_agree(f, *by, look);
        *by = *by ? *by : look;
        return same;
    }
    if (!made || !depth || insn_class(made) != INSN_COMPUTE || made->op->flags || insn_is_guarded(made))
        return false;
    struct operand_iter it = operands_of(made);
    for (struct operand o; operands_next(&it, &o);)
        if (!o.write && !(o.reg & CONST_BIT) && is_written(w, o.reg) && !is_made_of_look(f, load, made, o.reg, w, by, depth - 1))
            return false;
    return true;
}

bool holds_what_was_looked_at(const struct function *f, const struct insn *load, uint32_t reg, const struct insn **by)
{
    const struct loop *all = loop_around(f, load, LOOP_OUTERMOST);
    struct written w = {0};
    for (const struct insn *in = all ? all->first : NULL; in && in <= all->last; in++)
        note_written(&w, in);
    return all && !w.too_many && is_made_of_look(f, load, load, reg, &w, by, MADE_DEPTH);
}
