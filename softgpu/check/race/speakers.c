/**
 * @file speakers.c
 * See speakers.h.
 */
#include "check/race/speakers.h"

#include "analyse/flow.h"
#include "analyse/looks.h"
#include "analyse/polls.h"
#include "analyse/uses.h"
#include "analyse/varies.h"
#include "check/race/actor.h"
#include "check/race/barrier_advice.h"
#include "check/race/order.h"
#include "check/race/ways.h"
#include "code/operands.h"
#include "execute/grid.h"
#include "report/ptx_line.h"

#define FOLLOWED_REGISTERS 32
#define MOST_SIGNALS 4096   /* of one location, the last */

struct actor speakers_mate(const struct actor *me, uint32_t thread)
{
    struct actor mate = *me;
    mate.ws = &me->bs->warps[thread / WARP_LANES];
    mate.lane = (int)(thread % WARP_LANES);
    mate.thread = thread;
    return mate;
}

bool speakers_other_has_seen(const struct actor *me, const struct epoch *other, const struct insn *signal)
{
    const struct agent *a = &me->race->agents.data[other->agent];
    const struct observed_list *seen = a->threads ? &a->threads[other->thread] : NULL;
    if (a->live && a->live->warps[other->thread / WARP_LANES].lanes)
        seen = &a->live->warps[other->thread / WARP_LANES].lanes[other->thread % WARP_LANES].observed;
    for (int i = seen ? observed_newest(seen) : 0; i; i = observed_older(seen, i)) {
        const struct observed *o = &seen->at[i];
        for (int at = o->upto > MOST_SIGNALS ? o->upto - MOST_SIGNALS : 0; at <= o->upto && at < o->chain->from.count && o->time <= other->time; at++) {
            const struct contribution *c = &o->chain->from.data[at];
            if (c->agent == me->agent && c->thread == me->thread && c->site == signal->site)
                return true;
        }
    }
    return false;
}

bool speakers_told(const struct actor *me, const struct epoch *other, uint32_t from, uint32_t end)
{
    struct epoch by = *other;
    uint32_t threads = me->race->agents.data[other->agent].launch->grid.threads_per_block;
    for (uint32_t t = from; t < end && t < threads; t++) {
        by.thread = (uint16_t)t;
        if (t != other->thread && epoch_ordered(me, &by))
            return true;
    }
    return false;
}

/** Does it tell others that the thread has come so far? */
static bool signals(const struct insn *in)
{
    enum op_row row = insn_row(in);
    return row == ROW_mbar_arrive || row == ROW_mbar_arrive_drop ||
           ((insn_class(in) == INSN_STORE || insn_class(in) == INSN_ATOMIC) && order_is_strong(&in->mem));
}

/** The first turn of a wait may stand before its loop. */
static bool waits_for_others(const struct insn *in, const void *f)
{
    bool load = insn_class(in) == INSN_LOAD;
    return (load || insn_class(in) == INSN_ATOMIC) && in->mem.space != SPACE_SHARED && order_is_strong(&in->mem) &&
           (load_polls(f, in) || (load && load_only_looks(f, in)));
}

/** Do some threads come by the wait on their way, and others, as they take another branch, not? A turn of a loop that does not wait yet is none. */
static bool parts_threads(const struct function *f, const struct insn *wait, const struct insn *to)
{
    for (const struct insn *br = f->entry; br < wait; br++) {
        if (insn_class(br) != INSN_BRANCH || !insn_is_guarded(br) || !flow_holds(f, br->target) || branch_is_uniform(f, br))
            continue;
        const struct insn *ways[2] = {br + 1, br->target};
        for (int i = 0; i < 2; i++)
            if ((ways[i] == wait || path_find(f, ways[i], wait, way_is, to) == PATH_AHEAD) &&
                path_find(f, ways[!i], wait, way_is, to) != PATH_AHEAD && (ways[!i] == to || path_find(f, ways[!i], to, NULL, NULL) == PATH_AHEAD))
                return true;
    }
    return false;
}

/** The same of other warps of the block. */
static bool waits_for_warps(const struct insn *in, const void *f)
{
    enum op_row row = insn_row(in);
    return row == ROW_mbar_test_wait || row == ROW_mbar_try_wait || waits_for_others(in, f) ||
           (insn_class(in) == INSN_LOAD && in->mem.space == SPACE_SHARED && order_is_strong(&in->mem) && load_polls(f, in));
}

const struct insn *speakers_wait_apart(const struct actor *me, bool same_warp)
{
    path_end_fn waits = same_warp ? waits_for_warps : waits_for_others;
    const struct function *f = image_function_at(actor_image(me), me->insn);
    if (!f || path_find(f, f->entry, me->insn, waits, f) != PATH_AHEAD)
        return NULL;
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (waits(in, f) && way_find(f, in, me->insn, &same_warp) == PATH_AHEAD && parts_threads(f, in, me->insn))
            return in;
    return NULL;
}

/** The first signal behind a write, no barrier of the block (of the warp) between; NULL: there is none. */
static const struct insn *signal_behind(const struct function *f, const struct insn *write, bool same_warp)
{
    for (const struct insn *in = f && flow_holds(f, write) ? write + 1 : NULL; in && in < f->end; in++)
        if (signals(in) && way_find(f, write, in, &same_warp) == PATH_AHEAD)
            return in;
    return NULL;
}

/** Do some threads that come from the write leave the signal out? */
static bool is_left_out(const struct function *f, const struct insn *write, const struct insn *signal)
{
    for (const struct insn *br = write; br < signal; br++) {
        if (insn_class(br) != INSN_BRANCH || !insn_is_guarded(br) || !flow_holds(f, br->target))
            continue;
        bool next = br + 1 == signal || path_find(f, br + 1, signal, NULL, NULL) == PATH_AHEAD;
        bool target = br->target == signal || path_find(f, br->target, signal, NULL, NULL) == PATH_AHEAD;
        if (next != target && !branch_is_uniform(f, br))
            return true;
    }
    return insn_is_guarded(signal);
}

bool speakers_wait_before(const struct actor *me, const struct insn *read)
{
    const struct function *f = image_function_at(actor_image(me), read);
    struct actor reader = *me;
    reader.insn = read;
    if (!f || !speakers_wait_apart(&reader, false))
        return false;
    for (const struct insn *in = read + 1; in < f->end; in++)
        if (signals(in) && way_find(f, read, in, NULL) == PATH_AHEAD && is_left_out(f, read, in))
            return false;
    return true;
}

/** Is another thread of the acting one's warp told of the other's access? */
static bool mate_is_told(const struct actor *me, const struct epoch *other)
{
    uint32_t own = me->thread / WARP_LANES * WARP_LANES;
    for (uint32_t t = own; t < own + WARP_LANES && t < me->bs->threads; t++) {
        struct actor mate = speakers_mate(me, t);
        if (t != me->thread && epoch_ordered(&mate, other))
            return true;
    }
    return false;
}

/** Has a thread of a third warp told `me` of such a moment? */
static bool third_has_told(const struct actor *me, const struct epoch *other)
{
    uint32_t own = me->thread / WARP_LANES * WARP_LANES;
    return speakers_told(me, other, 0, own) || speakers_told(me, other, own + WARP_LANES, UINT32_MAX);
}

bool advise_speaker_of_warp(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct epoch *other = info->other;
    const struct image *im = actor_image(me);
    const struct insn *write = image_site_insn(im, other->site);
    const struct function *code = write ? image_function_at(im, write) : NULL;
    uint32_t theirs = other->thread / WARP_LANES * WARP_LANES;
    int first = f->accesses[0].line, second = f->accesses[1].line;
    if (f->facts.race.same_warp || !code)
        return false;
    const struct insn *signal = signal_behind(code, write, true), *of_block = signal_behind(code, write, false);
    if (signal && speakers_told(me, other, theirs, theirs + WARP_LANES))
        advise(f, TRY_WARP_BEFORE_SIGNAL, first, insn_line_to_say(im, signal));
    else if (of_block && third_has_told(me, other))
        advise(f, TRY_SIGNAL_OF_EACH, first, insn_line_to_say(im, of_block));
    else if (!mate_is_told(me, other) && !(of_block && ways_find(im, other->site, me->insn, false).apart && speakers_wait_apart(me, true)))
        return false; /* who comes to both has a barrier's place between them */
    else if (signal && is_left_out(code, write, signal))
        advise(f, TRY_WARP_BOTH, first, second);
    else
        advise(f, TRY_WARP_BEHIND_WAIT, second, 0);
    return true;
}

/** Do the results of computations on a register decide about a branch, or about what is executed? What goes to memory is not followed. */
static bool value_decides(const struct function *f, uint32_t reg)
{
    uint32_t known[FOLLOWED_REGISTERS] = {reg};
    int count = 1;
    for (int i = 0; i < count; i++) {
        struct insn_list readers = register_readers(f, known[i]);
        for (int k = 0; k < readers.count; k++) {
            struct operand_iter it = operands_of(f->entry + readers.at[k]);
            bool branch = insn_class(it.in) == INSN_BRANCH;
            for (struct operand o; operands_next(&it, &o);) {
                bool is_new = o.write && !(o.reg & CONST_BIT);
                if (branch || (o.role == ROLE_GUARD && o.reg == known[i]) || (is_new && count == FOLLOWED_REGISTERS))
                    return true;
                for (int n = 0; n < count && is_new; n++)
                    is_new = known[n] != o.reg;
                if (is_new)
                    known[count++] = o.reg;
            }
        }
    }
    return false;
}

bool speakers_heard_idly(const struct actor *me, uint32_t read)
{
    static const bool same_warp = true;
    const struct image *im = actor_image(me);
    const struct insn *in = read ? image_site_insn(im, read) : NULL;
    const struct function *f = in ? image_function_at(im, in) : NULL;
    bool reads = f && (insn_class(in) == INSN_LOAD || insn_class(in) == INSN_ATOMIC) && flow_holds(f, me->insn);
    return reads && way_find(f, in, me->insn, &same_warp) != PATH_NONE && (in->dst == REG_NONE || !value_decides(f, in->dst));
}
