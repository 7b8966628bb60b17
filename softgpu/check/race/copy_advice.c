/**
 * @file copy_advice.c
 * See copy_advice.h. The ways through the code tell: who has read a stage says so, at a barrier, before it may be filled again.
 */
#include "check/race/copy_advice.h"

#include "analyse/flow.h"
#include "check/race/actor.h"
#include "check/race/barrier_advice.h"
#include "check/race/ways.h"

/** For path_find(): at a barrier of the block, or at one in shared memory, the thread says that it has come so far. */
static bool tells(const struct insn *in, const void *context)
{
    (void)context;
    return insn_class(in) == INSN_BARRIER || insn_row(in) == ROW_mbar_arrive || insn_row(in) == ROW_mbar_arrive_drop;
}

static bool waits_at_object(const struct insn *in)
{
    return insn_row(in) == ROW_mbar_try_wait || insn_row(in) == ROW_mbar_test_wait;
}

static bool tells_or_waits(const struct insn *in, const void *context)
{
    return tells(in, context) || waits_at_object(in);
}

/** Does a thread that has read wait for what is to come, at a barrier in shared memory, before it has said so? */
static bool waits_untold(const struct function *f, const struct insn *read)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (waits_at_object(in) && path_find(f, read, in, tells, NULL) != PATH_NONE)
            return true;
    return false;
}

/** A thread of the block reads what another one's copy writes: has that copy come too early, rather than the read? */
static enum race_advice what_came_early(const struct finding *f, const struct image *im, uint32_t copied, const struct insn *read)
{
    const struct insn *copy = image_site_insn(im, copied);
    const struct function *function = copy ? image_function_at(im, copy) : NULL;
    static const bool same_warp = false;
    if (!function || !flow_holds(function, read))
        return TRY_NOTHING;
    /* Its own thread has waited: then it may as well be a barrier behind that wait which is missing. */
    if (f->facts.race.copy_waited && way_find(function, copy, read, &same_warp) == PATH_AHEAD)
        return TRY_NOTHING;
    if (path_find(function, read, copy, tells, NULL) == PATH_NONE)
        return !f->facts.race.copy_waited && waits_untold(function, read) ? TRY_WAIT_OR_RELEASE : TRY_NOTHING;
    return path_find(function, read, copy, tells_or_waits, NULL) == PATH_NONE ? TRY_RELEASE_THEN_COPY : TRY_BARRIER_THEN_COPY;
}

void race_advise_copy(struct finding *f, const struct actor *piece, const struct conflict_info *info)
{
    const struct image *im = actor_image(piece);
    const struct actor me = actor_whole(piece);
    if (f->facts.race.copies[0] && me.as_agent && info->conflict == WRITE_THEN_WRITE) {
        advise(f, TRY_READERS_THEN_COPY, 0, 0);
    } else if (!me.as_agent) {
        if (info->conflict == WRITE_THEN_READ && info->other->thread != me.thread)
            advise(f, what_came_early(f, im, info->other->site, me.insn), 0, 0);
    } else {
        struct ways w = ways_find(im, info->other->site, me.insn, false);
        if (info->conflict != WRITE_THEN_WRITE && !w.onward && w.back)
            advise(f, TRY_COPY_THEN_BARRIER, 0, 0);
    }
}
