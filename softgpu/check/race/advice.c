/**
 * @file advice.c
 * One thing to try against a data race: where a barrier is missing on the way from one access to the
 * other, or what takes a barrier's place where there can be none.
 */
#include <stdio.h>

#include "analyse/paths.h"
#include "check/race/advice.h"
#include "execute/engine.h"

static bool is_barrier(const struct insn *in, const void *same_warp)
{
    return (insn_class(in) == INSN_BARRIER && insn_row(in) != ROW_bar_arrive) ||
           (insn_row(in) == ROW_bar_warp && *(const bool *)same_warp);
}

static bool nothing_ends(const struct insn *in, const void *context)
{
    (void)in;
    (void)context;
    return false;
}

bool race_comes_before(const struct actor *me, uint32_t first, uint32_t then)
{
    const struct image *im = me->bs->block->grid->config.kernel->image;
    const struct insn *a = image_site_insn(im, first), *b = image_site_insn(im, then);
    const struct function *f = a ? image_function_at(im, a) : NULL;
    bool together = f && b && b >= f->entry && b < f->end;
    return !together || path_find(f, a, b, nothing_ends, NULL) == PATH_AHEAD;
}

struct ways {
    enum path onward, back;   /**< without a barrier: from the earlier access to the later, and back */
    bool apart;               /**< no thread comes to both */
};

static struct ways find_ways(const struct image *im, uint32_t earlier, const struct insn *later,
                             bool same_warp)
{
    const struct insn *first = image_site_insn(im, earlier);
    const struct function *f = first ? image_function_at(im, first) : NULL;
    if (!f || later < f->entry || later >= f->end)
        return (struct ways){PATH_AHEAD, PATH_NONE, false};
    return (struct ways){path_find(f, first, later, is_barrier, &same_warp),
                         path_find(f, later, first, is_barrier, &same_warp),
                         first != later && !path_find(f, first, later, nothing_ends, NULL) &&
                             !path_find(f, later, first, nothing_ends, NULL)};
}

static void advise_barrier(struct finding *f, struct ways w, bool same_warp)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    const char *what = same_warp ? "__syncthreads(), or __syncwarp() if only this warp works here,"
                                 : "__syncthreads()";
    const char *who = same_warp ? "" : ", reached by all threads";
    enum path way = w.onward;
    if (!way && w.back) { /* the one that came second here is the earlier one in the code */
        first = f->accesses[1].line;
        second = f->accesses[0].line;
        way = w.back;
    }
    if (way == PATH_ROUND)
        snprintf(f->suggestion, sizeof f->suggestion,
                 "%s after line %d, before the loop comes to line %d again%s", what, first, second,
                 who);
    else
        snprintf(f->suggestion, sizeof f->suggestion, "%s %s line %d and %sline %d%s", what,
                 first < second ? "between" : "after", first, first < second ? "" : "before ", second,
                 who);
}

bool race_advise_mixed(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    bool first_strong = info->other->flags & (EPOCH_STRONG | EPOCH_RMW);
    bool second_strong = me->insn->mem.order != ORDER_WEAK;
    if (first_strong == second_strong)
        return false;
    snprintf(f->suggestion, sizeof f->suggestion,
             "an atomic or volatile access on line %d, too: a plain one beside it is a race",
             f->accesses[first_strong].line);
    return true;
}

static void advise_between_blocks(struct finding *f)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    if (first == second)
        snprintf(f->suggestion, sizeof f->suggestion,
                 "an atomic on line %d (atomicAdd, …): between a plain load and its store another "
                 "block may come",
                 first);
    else
        snprintf(f->suggestion, sizeof f->suggestion,
                 "blocks have no common barrier: a launch of its own for line %d, an atomic, or a flag "
                 "with a fence on both sides",
                 second);
}

void race_advise(struct finding *f, const struct actor *me, const struct conflict_info *info,
                 bool same_block, bool same_warp)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    bool writes = info->conflict == WRITE_THEN_WRITE;
    if (!same_block) {
        if (!race_advise_mixed(f, me, info))
            advise_between_blocks(f);
        return;
    }
    struct ways w = find_ways(me->bs->block->grid->config.kernel->image, info->other->site, me->insn,
                              same_warp);
    if (w.apart)
        snprintf(f->suggestion, sizeof f->suggestion,
                 "lines %d and %d are in different branches: a barrier behind the first branch and before the "
                 "second, or a flag (volatile or atomic) with a fence on both sides",
                 first, second);
    else if (first == second && writes)
        snprintf(f->suggestion, sizeof f->suggestion,
                 "let only one thread write on line %d, or use an atomic", first);
    else if (first == second && !w.onward)
        snprintf(f->suggestion, sizeof f->suggestion,
                 "an atomic on line %d (atomicAdd, …): between a plain load and its store another "
                 "thread may come",
                 first);
    else
        advise_barrier(f, w, same_warp);
}
