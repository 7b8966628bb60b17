/**
 * @file sides.c
 * See sides.h.
 */
#include "analyse/sides.h"

#include "analyse/flow.h"
#include "analyse/looked_at.h"
#include "analyse/paths.h"
#include "code/operands.h"

const struct insn *side_ends(const struct function *f, const struct insn *branch)
{
    const struct insn *round = branch->target - 1;
    bool goes_round = branch->target < f->end && round > branch && insn_class(round) == INSN_BRANCH && !insn_falls_through(round);
    return goes_round && round->target > branch->target ? round->target : NULL;
}

static bool leaves_way(const struct insn *in, const void *to)
{
    return in == to;
}

const struct insn *shared_side_ends(const struct function *f, const struct insn *branch)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *last = branch->target + MOST_FOLLOWED < f->end ? branch->target + MOST_FOLLOWED : f->end - 1;
    for (const struct insn *in = branch->target + 1; in < last; in++)
        if (b->first[b->of[in - f->entry]] == in - f->entry && path_find(f, branch, in, leaves_way, branch->target) != PATH_NONE)
            return in;
    return last;
}

/** A check and its act. */
struct pair {
    const struct insn *check, *act;
};

static bool is_another(const struct insn *in, const void *pair)
{
    const struct pair *p = pair;
    return in == p->check || insn_writes(in, p->act->src[0]);
}

bool others_come_elsewhere(const struct function *f, const struct insn *branch, const struct insn *check, const struct insn *act)
{
    const struct pair p = {check, act};
    return act->mem.address_bytes && (is_another(branch + 1, &p) || path_find(f, branch + 1, act, is_another, &p) == PATH_NONE);
}
