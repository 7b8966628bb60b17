/**
 * @file paths.c
 * See paths.h. A walk looks at the instructions of one block in order, then enters the blocks behind it,
 * each once.
 */
#include "analyse/paths.h"

#include <stdlib.h>

#include "analyse/flow.h"
#include "code/operands.h"

enum look { LOOK_ON, LOOK_ENDS, LOOK_FOUND };
typedef enum look look_fn(const struct insn *in, const void *context);

struct walk {
    const struct flow *flow;
    bool rounds;          /**< branches backwards are taken, too */
    look_fn *look;
    const void *context;
    bool *entered;        /**< by block */
    int *next, count;     /**< blocks still to be looked at */
};

static void enter_successors(struct walk *w, int block)
{
    const struct blocks *b = &w->flow->blocks;
    for (int e = b->next_from[block]; e < b->next_from[block + 1]; e++) {
        int to = b->next[e];
        if (w->entered[to] || (to <= block && !w->rounds))
            continue;
        w->entered[to] = true;
        w->next[w->count++] = to;
    }
}

/** Looks at one block from instruction `i` on. @return true if what is sought was found */
static bool look_through(struct walk *w, int block, int i)
{
    const struct insn *first = w->flow->function->entry;
    for (; i < w->flow->blocks.first[block + 1]; i++) {
        enum look seen = w->look(&first[i], w->context);
        if (seen != LOOK_ON)
            return seen == LOOK_FOUND;
    }
    enter_successors(w, block);
    return false;
}

/** Does a way from behind `from` lead to what `look` seeks? */
static bool leads(const struct function *f, const struct insn *from, bool rounds, look_fn *look,
                  const void *context)
{
    struct walk w = {.flow = flow_of(f), .rounds = rounds, .look = look, .context = context};
    const struct blocks *b = &w.flow->blocks;
    int i = (int)(from - f->entry);
    w.entered = calloc((size_t)b->count, sizeof *w.entered);
    w.next = calloc((size_t)b->count, sizeof *w.next);
    if (!w.entered || !w.next)
        abort();
    bool found = look_through(&w, b->of[i], i + 1);
    while (!found && w.count) {
        int block = w.next[--w.count];
        found = look_through(&w, block, b->first[block]);
    }
    free(w.entered);
    free(w.next);
    return found;
}

struct sought {
    const struct insn *to;
    path_end_fn ends;
    const void *context;
};

static enum look look_for(const struct insn *in, const void *context)
{
    const struct sought *s = context;
    return in == s->to ? LOOK_FOUND : s->ends(in, s->context) ? LOOK_ENDS : LOOK_ON;
}

enum path path_find(const struct function *f, const struct insn *from, const struct insn *to,
                    path_end_fn ends, const void *context)
{
    struct sought s = {to, ends, context};
    return leads(f, from, false, look_for, &s)  ? PATH_AHEAD
           : leads(f, from, true, look_for, &s) ? PATH_ROUND
                                                : PATH_NONE;
}

static enum look look_for_read(const struct insn *in, const void *reg)
{
    uint32_t r = *(const uint32_t *)reg;
    return insn_reads(in, r) ? LOOK_FOUND : insn_writes(in, r) && !insn_is_guarded(in) ? LOOK_ENDS : LOOK_ON;
}

bool path_reads(const struct function *f, const struct insn *from, uint32_t reg)
{
    enum look here = look_for_read(from, &reg);
    return here == LOOK_FOUND || (here == LOOK_ON && leads(f, from, true, look_for_read, &reg));
}

/* ---- Where the ways of a branch meet */

static bool stands_at(const struct insn *in, const void *place)
{
    return in == place;
}

static bool is_end(const struct insn *in)
{
    return !insn_is_guarded(in) && (insn_class(in) == INSN_RETURN || insn_class(in) == INSN_EXIT);
}

static enum look look_for_end(const struct insn *in, const void *place)
{
    return is_end(in) ? LOOK_FOUND : in == place ? LOOK_ENDS : LOOK_ON;
}

/** A way from `from` to any end of the function that does not pass `place`? */
static bool reaches_end(const struct function *f, const struct insn *from, const struct insn *place)
{
    return is_end(from) || leads(f, from, true, look_for_end, place);
}

static bool reaches(const struct function *f, const struct insn *from, const struct insn *to,
                    const struct insn *without)
{
    struct sought s = {to, stands_at, without};
    return from != without && (from == to || leads(f, from, true, look_for, &s));
}

static bool meet_behind(const struct function *f, const struct insn *way, const struct insn *other,
                        const struct insn *barrier, const struct insn *meet)
{
    return !is_end(meet) && meet != barrier && reaches(f, way, barrier, meet) &&
           !reaches(f, other, barrier, meet) && !reaches_end(f, way, meet) &&
           (other == meet || !reaches_end(f, other, meet));
}

/** Where the way goes on without the barrier: `meet` comes behind that on both, and, if `ends` is given, one way there has none of those. */
static bool goes_round(const struct function *f, const struct insn *way, const struct insn *other, const struct insn *barrier,
                       const struct insn *meet, path_end_fn ends)
{
    struct sought s = {meet, ends, NULL};
    return meet_behind(f, way, other, barrier, meet) &&
           (!ends || other == meet || (!ends(other, NULL) && leads(f, other, true, look_for, &s)));
}

bool path_passes_by(const struct function *f, const struct insn *branch, const struct insn *way,
                    const struct insn *barrier, path_end_fn ends)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *other = way == branch + 1 ? branch->target : branch + 1;
    for (int block = 0; block < b->count; block++)
        if (goes_round(f, way, other, barrier, &f->entry[b->first[block]], ends))
            return true;
    return barrier + 1 < f->end && goes_round(f, way, other, barrier, barrier + 1, ends);
}

/** … of this branch, where `way` leads to the barrier. */
static bool leaves_out(const struct function *f, const struct insn *way, const struct insn *other, const struct insn *barrier,
                       const struct insn *behind, path_end_fn ends)
{
    const struct blocks *b = &flow_of(f)->blocks;
    for (int block = 0; block < b->count; block++) {
        const struct insn *meet = &f->entry[b->first[block]];
        if (goes_round(f, way, other, barrier, meet, ends) && (behind == meet || !reaches(f, f->entry, behind, meet)))
            return true;
    }
    return false;
}

bool path_leaves_out(const struct function *f, const struct insn *barrier, const struct insn *behind, path_end_fn ends)
{
    for (const struct insn *in = f->entry; in + 1 < f->end; in++)
        if (insn_class(in) == INSN_BRANCH && insn_is_guarded(in) && flow_holds(f, in->target) &&
            (leaves_out(f, in + 1, in->target, barrier, behind, ends) || leaves_out(f, in->target, in + 1, barrier, behind, ends)))
            return true;
    return false;
}
