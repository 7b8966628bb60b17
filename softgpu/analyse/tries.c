/**
 * @file tries.c
 * See tries.h. What counts is a register that decides whether the loop goes on and is computed, in the loop, from itself.
 */
#include "analyse/tries.h"

#include "analyse/loops.h"
#include "analyse/polls.h"
#include "code/operands.h"

/** The deciders that those in `from` are computed from within the loop, one step back; what comes from memory is not counted. */
static uint64_t sources_of(const struct loop *l, const struct deciders *d, uint64_t from)
{
    uint64_t found = 0;
    for (const struct insn *in = l->first; in <= l->last; in++) {
        bool writes = false;
        for (int i = 0; i < d->count; i++)
            writes |= from >> i & 1 && insn_writes(in, d->reg[i]);
        for (int i = 0; i < d->count && writes && insn_class(in) == INSN_COMPUTE; i++)
            if (insn_reads(in, d->reg[i]))
                found |= 1ull << i;
    }
    return found;
}

/** Is one of them computed from itself? */
static bool counts(const struct loop *l, const struct deciders *d)
{
    for (int i = 0; i < d->count; i++) {
        uint64_t from = 1ull << i, all = 0;
        do {
            from = sources_of(l, d, from) & ~all;
            all |= from;
        } while (from && !(all >> i & 1));
        if (all >> i & 1)
            return true;
    }
    return false;
}

bool load_waits(const struct function *f, const struct insn *load)
{
    struct loop *l = loop_around(f, load, LOOP_INNERMOST);
    if (!l)
        return false;
    const struct deciders *d = loop_deciders(f, l);
    return (d->too_many || !counts(l, d)) && load_polls(f, load);
}

bool function_counts_tries(const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++) {
        enum insn_class c = insn_class(in);
        struct loop *l;
        if ((c != INSN_LOAD && c != INSN_ATOMIC) || !order_is_strong(&in->mem) || !(l = loop_around(f, in, LOOP_INNERMOST)))
            continue;
        const struct deciders *d = loop_deciders(f, l);
        if (!d->too_many && counts(l, d) && load_polls(f, in))
            return true;
    }
    return false;
}
