/**
 * @file chance_advice.c
 * See chance_advice.h.
 */
#include "check/race/chance_advice.h"

#include "analyse/flow.h"
#include "analyse/looks.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/polls.h"
#include "check/race/actor.h"
#include "check/race/barrier_advice.h"
#include "check/race/locks.h"
#include "check/race/signal_advice.h"
#include "check/race/updates.h"
#include "check/race/ways.h"
#include "execute/grid.h"
#include "report/ptx_line.h"

static bool is_fence(const struct insn *in, const void *unused)
{
    (void)unused;
    return insn_class(in) == INSN_FENCE;
}

/** May a thread come to `to` that has not been at `by`? */
static bool is_passed_by(const struct function *f, const struct insn *by, const struct insn *to)
{
    return f->entry != by && path_find(f, f->entry, to, way_is, by) == PATH_AHEAD;
}

/** Does it wait for a turn that comes before both accesses, and that who has had it gives to the next? */
static bool waits_for_turn(const struct function *f, const struct insn *in, const struct insn *a, const struct insn *b)
{
    bool gives = false;
    if (insn_class(in) != INSN_LOAD || !order_is_strong(&in->mem) || !load_polls(f, in) || is_passed_by(f, in, a) || is_passed_by(f, in, b))
        return false;
    for (const struct insn *w = f->entry; w < f->end && !gives; w++)
        gives = (insn_class(w) == INSN_STORE || insn_class(w) == INSN_ATOMIC) && order_is_strong(&w->mem) && w->mem.space == in->mem.space &&
                way_find(f, a, w, NULL) == PATH_AHEAD && way_find(f, b, w, NULL) == PATH_AHEAD;
    return gives;
}

bool advise_turn(struct finding *f, const struct actor *me, const struct insn *other)
{
    const struct image *im = actor_image(me);
    const struct function *fn = image_function_at(im, me->insn);
    if (!fn || !other || !flow_holds(fn, other))
        return false;
    for (const struct insn *wait = fn->entry; wait < fn->end; wait++) {
        if (!waits_for_turn(fn, wait, other, me->insn))
            continue;
        for (const struct insn *in = wait; in-- > fn->entry;)
            if (insn_class(in) == INSN_ATOMIC && in->dst != REG_NONE && path_find(fn, in, wait, is_fence, NULL) == PATH_AHEAD) {
                f->facts.race.sc_count = 1;
                f->facts.race.sc_lines[0][0] = insn_line_to_say(im, in);
                f->facts.race.sc_lines[0][1] = insn_line_to_say(im, wait);
                advise(f, TRY_SC_FENCES, 0, 0);
                return true;
            }
    }
    return false;
}

/** Was the read, which saw the other's signal, not meant to order what its thread does at `to`? It waits for nothing, and a thread may come there
 *  without it, nor does a barrier hand on what it saw, as the ticket's of a last block. */
static bool is_by_chance(const struct function *f, const struct insn *read, const struct insn *to)
{
    static const bool same_warp = false;
    return f && read && flow_holds(f, read) && !load_polls(f, read) && !load_only_looks(f, read) && is_passed_by(f, read, to) &&
           way_find(f, read, to, &same_warp) != PATH_NONE;
}

bool advise_check(struct finding *f, const struct actor *me, const struct conflict_info *info, uint32_t signal_read)
{
    const struct image *im = actor_image(me);
    const struct insn *other = image_site_insn(im, info->other->site), *read = image_site_insn(im, signal_read);
    int first = f->accesses[0].line, second = f->accesses[1].line;
    if (!is_by_chance(image_function_at(im, me->insn), read, me->insn))
        return false;
    bool stores = other && insn_class(other) == INSN_STORE && insn_class(me->insn) == INSN_STORE && is_update(im, other) && is_update(im, me->insn);
    if (!stores && !is_checked_then_stored(im, other, me->insn)) {
        bool mixed = advise_mixed(f, me, info), sets = mixed && (f->facts.race.advice == TRY_SET_BACK || f->facts.race.advice == TRY_SET_BEFORE);
        if (!f->facts.race.same_block || (mixed && !sets))
            return mixed;
        advise_barrier(f, me, info); /* who sets a count back for all, or reads what others write */
        return true;
    }
    advise(f, TRY_ATOMIC, first < second ? first : second, first < second ? second : first);
    return true;
}

/** Does a loop read it between two looks at one place, and is it forgotten if the loop goes round? */
static bool is_in_sequence(const struct function *f, const struct insn *in)
{
    struct loop turns = insn_class(in) == INSN_LOAD && load_is_retried(f, in) ? loop_of_turns(f, in) : (struct loop){0};
    for (const struct insn *a = turns.first; a && a <= turns.last; a++)
        for (const struct insn *b = a + 1; b <= turns.last; b++)
            if (insn_class(a) == INSN_LOAD && insn_class(b) == INSN_LOAD && order_is_strong(&a->mem) && order_is_strong(&b->mem) && origins_agree(f, a, b))
                return true;
    return false;
}

bool advise_sequence(struct finding *f, const struct actor *me, const struct insn *other)
{
    const struct function *fn = image_function_at(actor_image(me), me->insn);
    if (!fn || !other || !flow_holds(fn, other) || (!is_in_sequence(fn, me->insn) && !is_in_sequence(fn, other)))
        return false;
    advise(f, TRY_STRONG_DATA, f->accesses[0].line, f->accesses[1].line);
    return true;
}

bool lock_orders(const struct image *im, const struct insn *lock, const struct insn *at)
{
    const struct function *f = image_function_at(im, lock);
    const struct insn *given = f && flow_holds(f, at) ? lock_given_back(im, lock, at) : NULL;
    return given && (order_acquires(lock->mem.order) || path_find(f, lock, at, is_fence, NULL) == PATH_NONE) &&
           (order_releases(given->mem.order) || path_find(f, at, given, is_fence, NULL) == PATH_NONE);
}
