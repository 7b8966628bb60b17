/**
 * @file advice.c
 * One thing to try against a race: where a barrier or a fence is missing on the way from one access to the
 * other, or what takes a barrier's place where there can be none. Facts only; report/words/ says it.
 */
#include "analyse/paths.h"
#include "check/race/advice.h"
#include "execute/machine.h"

static bool is_barrier(const struct insn *in, const void *same_warp)
{
    bool waits = insn_class(in) == INSN_BARRIER && !(in->op->flags & OP_ARRIVES);
    bool only_orders = insn_class(in) == INSN_MEETING && !in->op->defines; /* bar.warp.sync */
    return waits || (only_orders && *(const bool *)same_warp);
}

static bool nothing_ends(const struct insn *in, const void *context)
{
    (void)in;
    (void)context;
    return false;
}

/** Does the code lead from the one site to the other without going back? Also true where that cannot be told. */
static bool comes_before(const struct actor *me, uint32_t first, uint32_t then)
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

static void advise(struct finding *f, enum race_advice what, int first, int second)
{
    f->facts.race.advice = what;
    f->facts.race.lines[0] = first;
    f->facts.race.lines[1] = second;
}

/** An atomic or volatile access on one side and a plain one on the other. @return false if not */
static bool advise_mixed(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    bool first_strong = info->other->flags & (EPOCH_STRONG | EPOCH_RMW);
    bool second_strong = me->insn->mem.order != ORDER_WEAK;
    if (first_strong == second_strong)
        return false;
    advise(f, TRY_STRONG, f->accesses[first_strong].line, 0);
    return true;
}

static void advise_within_block(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    struct ways w = find_ways(me->bs->block->grid->config.kernel->image, info->other->site, me->insn,
                              f->facts.race.same_warp);
    bool turned = !w.onward && w.back; /* the one that came second here is the earlier one in the code */
    enum path way = turned ? w.back : w.onward;
    if (w.apart)
        advise(f, TRY_BARRIER_BETWEEN_BRANCHES, first, second);
    else if (first == second && info->conflict == WRITE_THEN_WRITE)
        advise(f, TRY_ONE_WRITER, first, 0);
    else if (first == second && !w.onward)
        advise(f, TRY_ATOMIC, first, 0);
    else
        advise(f, way == PATH_ROUND ? TRY_BARRIER_IN_LOOP : TRY_BARRIER, turned ? second : first,
               turned ? first : second);
}

static void advise_fence(struct finding *f, const struct actor *me, const struct conflict_info *info,
                         uint32_t signal)
{
    const struct race_facts *r = &f->facts.race;
    int first = f->accesses[0].line;
    if (f->cause == CAUSE_NOT_ACQUIRED)
        advise(f, TRY_FENCE_AFTER_READ, r->via_line, 0);
    else if (comes_before(me, info->other->site, signal))
        advise(f, TRY_FENCE_BEFORE_SIGNAL, first, r->signal_line);
    else
        advise(f, TRY_FENCE_AND_SIGNAL, first, 0);
}

static void advise_order(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    if (f->facts.race.same_block)
        advise_within_block(f, me, info);
    else if (advise_mixed(f, me, info))
        return;
    else if (first == second)
        advise(f, TRY_ATOMIC, first, 0);
    else
        advise(f, TRY_OTHER_LAUNCH, second, 0);
}

void race_advise(struct finding *f, const struct actor *me, const struct conflict_info *info, uint32_t signal)
{
    switch (f->cause) {
    case CAUSE_RELAXED:
        advise(f, TRY_FENCES, f->facts.race.signal_line, f->facts.race.via_line);
        break;
    case CAUSE_READ_ONLY_CACHE:
        advise(f, TRY_NO_RESTRICT, f->accesses[info->conflict == WRITE_THEN_READ].line, 0);
        break;
    case CAUSE_UNORDERED:
        advise_order(f, me, info);
        break;
    default:
        if (!advise_mixed(f, me, info))
            advise_fence(f, me, info, signal);
    }
}
