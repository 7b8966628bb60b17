/**
 * @file deciders.c
 * Which registers decide whether a loop goes on; see loops.h.
 */
#include "analyse/loops.h"

#include "analyse/flow.h"
#include "analyse/uses.h"
#include "base/arena.h"
#include "code/operands.h"

static void add(struct deciders *d, uint32_t reg)
{
    if (reg & CONST_BIT)
        return;
    for (int i = 0; i < d->count; i++)
        if (d->reg[i] == reg)
            return;
    if (d->count < LOOP_REGISTERS)
        d->reg[d->count++] = reg;
    else
        d->too_many = true;
}

static void add_all_read(struct deciders *d, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o) && !o.write;)
        add(d, o.reg);
}

static bool decides(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_BRANCH || c == INSN_SWITCH || c == INSN_RETURN || c == INSN_EXIT;
}

struct asked {
    const struct function *function;
    const struct loop *loop;
};

/** Whatever any branch in the loop may depend on. */
static void find_candidates(struct deciders *d, const struct asked *k)
{
    for (const struct insn *in = k->loop->first; in <= k->loop->last; in++)
        if (decides(in))
            add_all_read(d, in);
    for (int i = 0; i < d->count; i++) {
        struct insn_list writers = register_writers(k->function, d->reg[i]);
        for (int n = 0; n < writers.count; n++) {
            const struct insn *in = k->function->entry + writers.at[n];
            if (in >= k->loop->first && in <= k->loop->last)
                add_all_read(d, in);
        }
    }
}

/* ---- Branches that decide nothing ---- */

/** Where the ways that a branch chooses between have met again, in the loop; NULL where one leaves it, or goes back. Who goes back to its beginning
 *  meets who does so at its end. */
static const struct insn *ways_meet_at(const struct loop *l, const struct insn *branch)
{
    const struct insn *end = branch + 1;
    for (const struct insn *in = branch; in < end; in++) {
        if (!decides(in))
            continue;
        if (insn_class(in) == INSN_BRANCH && in->target == l->first && in < l->last && !insn_is_guarded(l->last)) {
            end = l->last;
            continue;
        }
        if (insn_class(in) != INSN_BRANCH || in->target <= branch || in->target > l->last)
            return NULL;
        end = in->target > end ? in->target : end;
    }
    return end;
}

/** Is something done there that other threads see, or wait for? */
static bool acts_between(const struct function *f, const struct insn *from, const struct insn *to)
{
    for (const struct insn *in = from; in < to; in++)
        if (!insn_is_idle(f, in))
            return true;
    return false;
}

/* ---- Which values matter where, found backwards: strong liveness ---- */

struct search {
    const struct function *function;
    const struct deciders *d;
    const struct loop *loop;
    uint64_t *before;   /**< each instruction of the loop */
    bool *counts;       /**< of a branch: it may decide whether the loop goes on */
};

static void touched(const struct deciders *d, const struct insn *in, uint64_t *read, uint64_t *written)
{
    struct operand_iter it = operands_of(in);
    *read = *written = 0;
    for (struct operand o; operands_next(&it, &o);)
        for (int i = 0; i < d->count; i++)
            if (d->reg[i] == o.reg)
                *(o.write ? written : read) |= (uint64_t)1 << i;
}

static uint64_t at_target(const struct loop *l, const uint64_t *before, const struct insn *target)
{
    return target >= l->first && target <= l->last ? before[target - l->first] : 0;
}

/** What matters behind an instruction, in the loop. */
static uint64_t needed_behind(const struct loop *l, const uint64_t *before, const struct insn *in)
{
    uint64_t bits = insn_falls_through(in) ? at_target(l, before, in + 1) : 0;
    if (insn_class(in) == INSN_BRANCH)
        bits |= at_target(l, before, in->target);
    const struct branch_table *t = insn_class(in) == INSN_SWITCH ? in->extra : NULL;
    for (unsigned k = 0; t && k < t->count; k++)
        bits |= at_target(l, before, t->targets[k]);
    return bits;
}

/** One way back through the loop. @return has anything been added? */
static bool go_back(struct search *s)
{
    bool more = false;
    for (size_t i = (size_t)(s->loop->last - s->loop->first) + 1; i--;) {
        const struct insn *in = s->loop->first + i;
        uint64_t read, written, bits = needed_behind(s->loop, s->before, in);
        touched(s->d, in, &read, &written);
        if ((written & bits) || s->counts[i])
            bits = (insn_is_guarded(in) ? bits : bits & ~written) | read;
        more |= bits != s->before[i];
        s->before[i] = bits;
    }
    return more;
}

/** Is a value written there that matters? */
static bool writes_needed(const struct search *s, const struct insn *from, const struct insn *to)
{
    for (const struct insn *in = from; in < to; in++) {
        uint64_t read, written;
        touched(s->d, in, &read, &written);
        if (written & needed_behind(s->loop, s->before, in))
            return true;
    }
    return false;
}

/** Branches that choose whether something that matters is done. @return are there more of them? */
static bool add_choices(struct search *s)
{
    bool more = false;
    for (const struct insn *in = s->loop->first; in <= s->loop->last; in++) {
        bool *counts = &s->counts[in - s->loop->first];
        if (*counts || !decides(in) || !insn_is_guarded(in))
            continue;
        const struct insn *end = ways_meet_at(s->loop, in);
        *counts = !end || acts_between(s->function, in + 1, end) || writes_needed(s, in + 1, end);
        more |= *counts;
    }
    return more;
}

static void find_needed(struct deciders *d, const struct function *f, const struct loop *l, struct arena *a)
{
    size_t count = (size_t)(l->last - l->first) + 1;
    struct search s = {f, d, l, arena_alloc(a, count * sizeof *s.before), arena_alloc(a, count * sizeof *s.counts)};
    for (const struct insn *in = l->first; in <= l->last; in++)
        s.counts[in - l->first] = insn_class(in) == INSN_SWITCH;
    while (add_choices(&s))
        while (go_back(&s))
            ;
    d->needed = s.before;
}

uint64_t loop_needs_behind(const struct loop *l, const struct deciders *d, const struct insn *in)
{
    uint64_t read, written;
    touched(d, in, &read, &written);
    return needed_behind(l, d->needed, in) & ~written;
}

/* ---- Made once ---- */

static void *make_deciders(struct arena *a, const void *context)
{
    const struct asked *k = context;
    struct deciders *d = arena_alloc(a, sizeof *d);
    find_candidates(d, k);
    if (!d->too_many)
        find_needed(d, k->function, k->loop, a);
    return d;
}

const struct deciders *loop_deciders(const struct function *f, struct loop *l)
{
    struct asked k = {f, l};
    return FLOW_ONCE(f, &l->deciders, make_deciders, &k);
}
