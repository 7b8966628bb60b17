/**
 * @file advice.c
 * One thing to try against a race: where a barrier or a fence is missing on the way from one access to the
 * other, or what takes a barrier's place where there can be none. Facts only; report/words/ says it.
 */
#include "analyse/flow.h"
#include "analyse/looked_at.h"
#include "analyse/looks.h"
#include "analyse/loops.h"
#include "analyse/paths.h"
#include "analyse/polls.h"
#include "analyse/varies.h"
#include "check/race/actor.h"
#include "check/race/explain.h"
#include "check/race/order.h"
#include "check/race/advice.h"
#include "check/race/barrier_advice.h"
#include "check/race/chance_advice.h"
#include "check/race/locks.h"
#include "check/race/signal_advice.h"
#include "check/race/speakers.h"
#include "check/race/updates.h"
#include "check/race/ways.h"
#include "execute/grid.h"
#include "report/ptx_line.h"

/** Does the code lead from the one site to the other without going back? Also true where that cannot be told. */
static bool comes_before(const struct actor *me, uint32_t first, uint32_t then)
{
    const struct image *im = actor_image(me);
    const struct insn *a = image_site_insn(im, first), *b = image_site_insn(im, then);
    const struct function *f = a ? image_function_at(im, a) : NULL;
    bool together = f && b && flow_holds(f, b);
    return !together || way_find(f, a, b, NULL) == PATH_AHEAD;
}

/** Does the code lead round a loop to the signal, an atomic whose result says whether the thread goes on: is it what comes of the turn before? */
static bool comes_next_turn(const struct actor *me, uint32_t first, uint32_t signal)
{
    const struct image *im = actor_image(me);
    const struct insn *a = image_site_insn(im, first), *b = image_site_insn(im, signal);
    const struct function *f = a ? image_function_at(im, a) : NULL;
    return f && b && flow_holds(f, b) && insn_class(b) == INSN_ATOMIC && b->dst != REG_NONE && result_is_looked_at(f, b) &&
           way_find(f, a, b, NULL) == PATH_ROUND;
}

/** Stands a fence on the way from the one site to the other that reaches the thread's own block, and no further? */
static bool has_fence_of_block(const struct actor *me, uint32_t from, uint32_t to)
{
    const struct image *im = actor_image(me);
    const struct insn *a = image_site_insn(im, from), *b = image_site_insn(im, to);
    const struct function *f = a ? image_function_at(im, a) : NULL;
    for (const struct insn *in = f && b && flow_holds(f, b) ? f->entry : NULL; in && in < f->end; in++)
        if (insn_class(in) == INSN_FENCE && in->mem.scope == SCOPE_CTA && ways_lead_past(f, a, in, b))
            return true;
    return false;
}

static void advise_fence(struct finding *f, const struct actor *me, const struct conflict_info *info,
                         uint32_t signal)
{
    const struct race_facts *r = &f->facts.race;
    int first = f->accesses[0].line;
    if (f->cause == CAUSE_NOT_ACQUIRED || r->released)
        advise(f, TRY_FENCE_AFTER_READ, r->between_line ? r->between_line : r->via_line, 0);
    else if (r->passing_line || comes_before(me, info->other->site, signal) || comes_next_turn(me, info->other->site, signal))
        advise(f, r->neither ? TRY_BOTH_FENCES : TRY_FENCE_BEFORE_SIGNAL, r->passing_line ? r->passing_line : r->signal_line,
               r->neither ? r->via_line : 0);
    else
        advise(f, TRY_FENCE_AND_SIGNAL, first, 0);
}

/** The line before which all threads come by, behind the wait: of the acting thread's access, or of the branch in which it stands. */
static int line_to_hand_on(const struct actor *me, const struct insn *wait, int line)
{
    const struct image *im = actor_image(me);
    const struct insn *around = ways_branch_around(im, wait, me->insn, false);
    int branch = around ? insn_line_to_say(im, around) : 0;
    return branch > insn_line_to_say(im, wait) && branch < line ? branch : line;
}

/** The line on which the innermost loop around a write begins, if nothing in it can be the signal: the barrier stands behind that loop. 0: it is
 *  not so. */
static int line_of_quiet_loop(const struct image *im, const struct insn *write)
{
    const struct function *f = write ? image_function_at(im, write) : NULL;
    const struct loop *l = f ? loop_around(f, write, LOOP_INNERMOST) : NULL;
    if (!l || loop_meets(f, write))
        return 0;
    for (const struct insn *in = l->first; in <= l->last; in++)
        if (insn_class(in) == INSN_ATOMIC || (insn_class(in) == INSN_STORE && order_is_strong(&in->mem)))
            return 0;
    int line = insn_line_to_say(im, l->last);
    return line < insn_line_to_say(im, write) ? line : 0;
}

/** Where a barrier of the grid is missing: on the way that none of the block's stands on, be it from one turn of a loop to the next. */
static void advise_grid_barrier(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    struct ways w = ways_find(actor_image(me), info->other->site, me->insn, false);
    bool turned = !w.onward && w.back;
    const struct insn *other = image_site_insn(actor_image(me), info->other->site);
    int first = f->accesses[turned].line, then = f->accesses[!turned].line, calls[2];
    bool by_calls = other && ways_lines_of_calls(actor_image(me), turned ? me->insn : other, turned ? other : me->insn, calls) &&
                    (calls[0] != calls[1] || (turned ? w.back : w.onward) == PATH_ROUND);
    advise(f, TRY_GRID_BARRIER, by_calls ? calls[0] : first, by_calls ? calls[1] : then);
}

/** A launch of its own for the one that comes later, as the code has it. */
static void advise_launch(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    struct ways w = ways_find(actor_image(me), info->other->site, me->insn, false);
    bool turned = !w.onward && w.back;
    advise(f, TRY_OTHER_LAUNCH, f->accesses[!turned].line, f->accesses[turned].line);
}

/** Between blocks of one cluster, in the order in which the code has the two: the block's barriers do not count. */
static void advise_cluster_barrier(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    bool ahead = comes_before(me, info->other->site, me->insn->site), behind = comes_before(me, me->insn->site, info->other->site);
    bool told = ahead != behind; /* not where one of them is in a function that is called, or a loop holds both: then the lines do */
    bool turned = told ? behind : f->accesses[0].line > f->accesses[1].line;
    advise(f, TRY_CLUSTER_BARRIER, f->accesses[turned].line, f->accesses[!turned].line);
}

/** Has the thread come to the same place before, by an access of that kind: does the signal speak for that one? */
static bool has_its_own(const struct image *im, const struct function *f, const struct insn *signal, const struct insn *at)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (in != at && insn_class(in) == insn_class(at) && same_address(im, in, at) && way_find(f, in, signal, NULL) == PATH_AHEAD)
            return true;
    return false;
}

/** A volatile or atomic store, or a `red`, that the code has before the access, on a line before its, and not behind it: the last of them. What gives its
 *  thread a number is none. NULL: there is none */
static const struct insn *early_signal(const struct image *im, const struct insn *at)
{
    const struct function *f = at ? image_function_at(im, at) : NULL;
    const struct insn *signal = NULL;
    for (const struct insn *in = f && flow_holds(f, at) ? f->entry : NULL; in && in < f->end; in++) {
        bool tells = (insn_class(in) == INSN_STORE && order_is_strong(&in->mem)) || (insn_class(in) == INSN_ATOMIC && in->dst == REG_NONE);
        if (tells && !has_its_own(im, f, in, at) && way_find(f, in, at, NULL) == PATH_AHEAD && way_find(f, at, in, NULL) != PATH_AHEAD && insn_line_to_say(im, in) < insn_line_to_say(im, at))
            signal = in;
    }
    return signal;
}

static bool uses_grid_barrier(const struct finding *f, const struct actor *me)
{
    return f->facts.race.cooperative && !f->facts.race.devices[0] && me->warp->block->grid->config.kernel->uses_grid_sync;
}

/** One line, or a load on one and a store on another. @return false if neither */
static bool advise_update(struct finding *f, const struct image *im, const struct actor *me, const struct insn *other, bool polled)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    bool pair = insn_class(me->insn) != (other ? insn_class(other) : INSN_LOAD);
    bool steps = pair && is_loaded_then_stored(im, other, me->insn);
    bool in_place = (!pair || steps) && update_in_place(im, other, me->insn);
    if (pair ? !steps : !in_place && first != second)
        return false;
    if (first == second && !in_place && !pair)
        advise_writer(f, im, me->insn, first);
    else if (first == second)
        advise(f, in_place ? TRY_ATOMIC : TRY_OTHER_ARRAY, first, first);
    else if (steps && !polled && in_place)
        advise(f, TRY_ATOMIC, first < second ? first : second, first < second ? second : first);
    else
        return false;
    return true;
}

/** A signal on its line has come too early for a line, be that the access which came first or, where the other's thread has gone by that signal, the acting one: a
 *  write that has been let go on ahead of the read comes before or behind it. */
static void advise_signal_later(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct image *im = actor_image(me);
    const struct insn *early = early_signal(im, image_site_insn(im, info->other->site)), *own = NULL;
    if (!early && info->conflict == WRITE_THEN_READ && (own = early_signal(im, me->insn)) &&
        (!signal_is_answer(image_function_at(im, own), own) || !speakers_other_has_seen(me, info->other, own)))
        own = NULL;
    const struct insn *signal = own ? own : early;
    advise(f, TRY_SIGNAL_LATER, f->accesses[own != NULL].line, signal ? insn_line_to_say(im, signal) : 0);
}

/** Blocks that do signal to each other, by a thread each, which does not speak for its block, or is not listened to
 *  by it. @return false where it is not so */
static bool advise_speaker(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    if (speakers_told(me, info->other, 0, UINT32_MAX)) {
        const struct insn *read = image_site_insn(actor_image(me), info->other->site);
        if (info->conflict == READ_THEN_WRITE && read && speakers_wait_before(me, read)) {
            advise(f, TRY_HAND_ON, first, 0);
            return true;
        }
        advise(f, TRY_SPEAK_FOR_ALL, first, line_of_quiet_loop(actor_image(me), image_site_insn(actor_image(me), info->other->site)));
        return true;
    }
    const struct insn *wait = speakers_wait_apart(me, false);
    if (wait) {
        advise(f, TRY_HAND_ON, line_to_hand_on(me, wait, second), 0);
        return true;
    }
    for (uint32_t t = 0; t < me->bs->threads; t++) {
        struct actor mate = speakers_mate(me, t);
        if (t == me->thread || !actor_knows_of(&mate, info->other->agent))
            continue;
        if (epoch_ordered(&mate, info->other))
            advise(f, TRY_HAND_ON, second, 0);
        else if (speakers_told(&mate, info->other, 0, UINT32_MAX))
            advise(f, TRY_BOTH_BARRIERS, first, second);
        else
            continue;
        return true;
    }
    if (!actor_knows_of(me, info->other->agent))
        return false;
    const struct insn *other = image_site_insn(actor_image(me), info->other->site);
    if (!uses_grid_barrier(f, me))
        advise_signal_later(f, me, info);
    else if (!is_update(actor_image(me), other) || !advise_update(f, actor_image(me), me, other, is_polled(me, info)))
        advise_grid_barrier(f, me, info);
    return true;
}

/** Both come to the place under one lock, which yet does not order them; or only one of them does, where the other is to take it, too: it writes,
 *  or it stands in another branch. @return false if it is not so */
static bool advise_lock(struct finding *f, const struct image *im, const struct actor *me, const struct conflict_info *info, bool both)
{
    const struct insn *ends[] = {image_site_insn(im, info->other->site), me->insn};
    const struct insn *locks[] = {ends[0] ? lock_before(im, ends[0]) : NULL, lock_before(im, ends[1])};
    if (info->other->agent == me->agent && info->other->thread == me->thread)
        return false;
    if (both && locks[0] && locks[1]) {
        enum reach needed = f->facts.race.same_cluster ? REACH_CLUSTER : REACH_DEVICE;
        bool narrow = reach_of(order_scope(&locks[0]->mem)) < needed || reach_of(order_scope(&locks[1]->mem)) < needed;
        f->facts.race.waits = waits_past(im, locks[1], me->insn);
        if (narrow)
            advise(f, TRY_WIDER_SCOPE, insn_line_to_say(im, locks[0]), insn_line_to_say(im, locks[1]));
        else if (lock_orders(im, locks[0], ends[0]) && lock_orders(im, locks[1], ends[1]))
            advise(f, TRY_SAME_LOCK, insn_line_to_say(im, locks[0]), insn_line_to_say(im, locks[1]));
        else
            advise(f, TRY_RELEASE_LOCK, insn_line_to_say(im, locks[1]), insn_line_to_say(im, lock_given_back(im, locks[1], me->insn)));
        return true;
    }
    if (both || !ends[0] || !locks[0] == !locks[1])
        return false;
    int bare = locks[0] ? 1 : 0;
    bool writes = info->conflict == WRITE_THEN_WRITE || (info->conflict == WRITE_THEN_READ) == (bare == 0);
    bool apart = ways_find(im, info->other->site, me->insn, false).apart;
    if (!apart && (f->facts.race.same_block || !writes))
        return false;
    advise(f, TRY_TAKE_LOCK, f->accesses[bare].line, insn_line_to_say(im, locks[!bare]));
    return true;
}

/** Have two threads stored by one instruction, which is half of no update? */
static bool is_one_store(const struct image *im, const struct insn *other, const struct actor *me, const struct conflict_info *info)
{
    return info->conflict == WRITE_THEN_WRITE && other == me->insn && !is_update(im, other);
}

static void advise_order(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    int first = f->accesses[0].line, second = f->accesses[1].line;
    const struct image *im = actor_image(me);
    const struct insn *other = image_site_insn(im, info->other->site);
    if (advise_strong(f, me, info) || advise_plain_release(f, me, info))
        return;
    if (f->facts.race.same_block && is_of_signal(me, info) && advise_mixed(f, me, info))
        return;
    if (advise_lock(f, im, me, info, false) || advise_turn(f, me, other) || advise_sequence(f, me, other))
        return;
    if (f->facts.race.same_block && advise_look(f, me, info))
        return;
    if (f->facts.race.same_block && is_claimed(im, other, me->insn))
        advise(f, TRY_ATOMIC, first < second ? first : second, first < second ? second : first);
    else if (f->facts.race.same_block && advise_speaker_of_warp(f, me, info))
        return;
    else if (f->facts.race.same_block)
        advise_barrier(f, me, info);
    else if (f->facts.race.same_cluster && info->space == SPACE_SHARED && !is_polled(me, info))
        advise_cluster_barrier(f, me, info);
    else if (advise_mixed(f, me, info))
        return;
    else if (info->same_value && is_one_store(im, other, me, info)) /* no order between marks is missing */
        advise_writer(f, im, other, first);
    else if (advise_speaker(f, me, info))
        return;
    else if (advise_lock(f, im, me, info, true))
        return;
    else if (is_one_store(im, other, me, info))
        advise_writer(f, im, other, first);
    else if (advise_update(f, im, me, other, is_polled(me, info)))
        return;
    else if (f->facts.race.cooperative && !f->facts.race.devices[0])
        advise_grid_barrier(f, me, info);
    else
        advise_launch(f, me, info);
}

/** Has a thread of `by`, or of what it launched, launched the other? */
static bool has_launched(const struct launch *by, const struct launch *other)
{
    for (; other; other = other->parent)
        if (other->parent == by)
            return true;
    return false;
}

/** Of kernels that were launched by kernels. */
static void advise_nested(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct launch *theirs = me->race->agents.data[info->other->agent].launch;
    const struct launch *mine = me->race->agents.data[me->agent].launch;
    int first = f->accesses[0].line, second = f->accesses[1].line;
    if (has_launched(theirs, mine))
        advise(f, TRY_BEFORE_LAUNCH, first, 0);
    else if (has_launched(mine, theirs))
        advise(f, TRY_BEFORE_LAUNCH, second, 0);
    else
        advise(f, TRY_ONE_STREAM, first, second);
}

static void choose(struct finding *f, const struct actor *me, const struct conflict_info *info, const struct hearsay *how)
{
    uint32_t signal = how->signal, read = how->not_acquired ? how->not_acquired : how->via;
    if (read && (!f->facts.race.between_line || f->facts.race.passing_line) && read_chooses_way(me, read))
        f->facts.race.before_line = f->accesses[1].line;
    switch (f->cause) {
    case CAUSE_RELAXED:
    case CAUSE_LANDS_LATER:
        if (f->facts.race.released || f->facts.race.acquired)
            advise_fence(f, me, info, signal);
        else
            advise(f, TRY_FENCES, f->facts.race.passing_line ? f->facts.race.passing_line : f->facts.race.signal_line, f->facts.race.via_line);
        break;
    case CAUSE_IN_STEP:
    case CAUSE_WARPS_IN_STEP:
    case CAUSE_TURN_AHEAD:
    case CAUSE_SAME_PHASE:
        advise_barrier(f, me, info);
        break;
    case CAUSE_TEXTURE_CACHE:
        advise(f, TRY_OTHER_SURFACE, f->accesses[info->conflict == WRITE_THEN_READ].line, f->accesses[info->conflict != WRITE_THEN_READ].line);
        break;
    case CAUSE_READ_ONLY_CACHE:
        advise(f, TRY_NO_RESTRICT, f->accesses[info->conflict == WRITE_THEN_READ].line, 0);
        break;
    case CAUSE_UNORDERED:
        if (f->facts.race.nested)
            advise_nested(f, me, info);
        else
            advise_order(f, me, info);
        break;
    default:
        if (!f->facts.race.same_block && !f->facts.race.between_line && !f->facts.race.passing_line && !f->facts.race.neither)
            f->facts.race.of_block = f->cause == CAUSE_NOT_ACQUIRED ? has_fence_of_block(me, how->via, me->insn->site)
                                                                    : has_fence_of_block(me, info->other->site, signal);
        if (f->facts.race.same_block && speakers_heard_idly(me, how->via))
            advise_barrier(f, me, info);
        else if ((!is_signal(me, info) || !advise_mixed(f, me, info)) && !advise_check(f, me, info, how->via))
            advise_fence(f, me, info, signal);
    }
}

/* Without source lines, the PTX's are compared and told. */
void race_advise(struct finding *f, const struct actor *piece, const struct conflict_info *info, const struct hearsay *how)
{
    int own[2];
    const struct actor whole = actor_whole(piece), *me = &whole;
    const struct grid *g = me->bs->block->grid;
    f->facts.race.cooperative = g->config.cooperative;
    f->facts.race.grid_wide = f->facts.race.same_block && info->space == SPACE_GLOBAL && g->blocks > 1;
    for (int i = 0; i < 2; i++) {
        struct finding_access *a = &f->accesses[i];
        own[i] = a->line;
        a->line = line_to_say(a->file, a->line, a->ptx_line);
    }
    choose(f, me, info, how);
    for (int i = 0; i < 2; i++)
        f->accesses[i].line = own[i];
}
