/**
 * @file signal_advice.c
 * See signal_advice.h.
 */
#include "check/race/signal_advice.h"

#include "analyse/flow.h"
#include "analyse/looks.h"
#include "analyse/origin.h"
#include "analyse/polls.h"
#include "check/race/actor.h"
#include "check/race/barrier_advice.h"
#include "check/race/locks.h"
#include "check/race/order.h"
#include "check/race/updates.h"
#include "check/race/ways.h"
#include "execute/grid.h"
#include "report/ptx_line.h"

/** It reads, and what it gets lets a loop end. */
static bool polls(const struct image *im, const struct insn *in)
{
    return in && (insn_class(in) == INSN_LOAD || insn_class(in) == INSN_ATOMIC) && load_polls(image_function_at(im, in), in);
}

bool waits_past(const struct image *im, const struct insn *in, const struct insn *then)
{
    return way_waits_at(im, in->site) && !way_loops_with(im, in->site, then);
}

bool is_polled(const struct actor *me, const struct conflict_info *info)
{
    const struct insn *both[] = {image_site_insn(actor_image(me), info->other->site), me->insn};
    bool polled = false;
    for (int i = 0; i < 2; i++)
        polled |= both[i] && insn_class(both[i]) == INSN_LOAD && polls(actor_image(me), both[i]);
    return polled;
}

bool is_signal(const struct actor *me, const struct conflict_info *info)
{
    const struct image *im = actor_image(me);
    const struct insn *both[] = {image_site_insn(im, info->other->site), me->insn};
    for (int i = 0; i < 2; i++)
        if (polls(im, both[i]) || (both[i] && insn_class(both[i]) == INSN_LOAD && order_is_strong(&both[i]->mem) &&
                                   load_only_looks(image_function_at(im, both[i]), both[i])))
            return true;
    return false;
}

/** Does a plain store set the number that others count, or gather, by atomics? */
static bool sets(const struct image *im, const struct insn *plain, const struct insn *strong)
{
    uint64_t number;
    const struct function *f = image_function_at(im, plain);
    return f && insn_class(plain) == INSN_STORE && plain->mem.count == 1 && insn_class(strong) == INSN_ATOMIC && strong->mem.atom != ATOM_EXCH &&
           strong->mem.atom != ATOM_CAS && origin_number(f, plain, element_stored(plain, 0), plain->mem.bytes, &number);
}

/** What a plain access and a strong one are to each other. */
static enum race_advice mixed_as(const struct image *im, const struct insn *plain, const struct insn *strong)
{
    if (!plain || !strong)
        return TRY_STRONG;
    if (insn_class(plain) == INSN_STORE && polls(im, strong))
        return TRY_STRONG_SIGNAL;
    if (insn_class(plain) == INSN_LOAD && insn_class(strong) == INSN_ATOMIC && looks_before_atomic(im, plain, strong))
        return TRY_STRONG_LOOK;
    if (insn_class(plain) == INSN_LOAD && insn_class(strong) == INSN_ATOMIC && looks_behind_atomic(im, plain, strong))
        return TRY_USE_RESULT;
    if (!sets(im, plain, strong))
        return TRY_STRONG;
    bool behind = flow_holds(image_function_at(im, plain), strong) && way_find(image_function_at(im, plain), strong, plain, NULL) == PATH_AHEAD;
    return behind ? TRY_SET_BACK : TRY_SET_BEFORE;
}

/** Within a block, too: elsewhere a barrier does. */
static bool is_told_apart(enum race_advice as)
{
    return as == TRY_STRONG_SIGNAL || as == TRY_STRONG_LOOK || as == TRY_USE_RESULT;
}

bool is_of_signal(const struct actor *me, const struct conflict_info *info)
{
    const struct insn *both[] = {image_site_insn(actor_image(me), info->other->site), me->insn};
    bool first_strong = info->other->flags & (EPOCH_STRONG | EPOCH_RMW);
    return first_strong != order_is_strong(&me->insn->mem) && is_told_apart(mixed_as(actor_image(me), both[first_strong], both[!first_strong]));
}

bool advise_mixed(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct image *im = actor_image(me);
    const struct insn *both[] = {image_site_insn(im, info->other->site), me->insn};
    bool first_strong = info->other->flags & (EPOCH_STRONG | EPOCH_RMW);
    bool second_strong = order_is_strong(&me->insn->mem);
    if (first_strong == second_strong)
        return false;
    enum race_advice as = mixed_as(im, both[first_strong], both[!first_strong]);
    if (as == TRY_STRONG_SIGNAL)
        f->facts.race.waits = waits_past(im, both[!first_strong], both[first_strong]);
    advise(f, as, f->accesses[first_strong].line, f->accesses[!first_strong].line);
    return true;
}

bool advise_strong(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct epoch *o = info->other;
    const struct mem_desc *mem = &me->insn->mem;
    if (!(o->flags & EPOCH_STRONG) || !order_is_strong(mem))
        return false;
    unsigned bytes = 1u << (o->unit >> 4);
    enum reach theirs = reach_of(o->flags >> EPOCH_SCOPE_SHIFT), mine = reach_of(order_scope(mem));
    enum reach needed = f->facts.race.devices[0]     ? REACH_SYSTEM
                        : f->facts.race.same_cluster ? REACH_CLUSTER
                                                     : REACH_DEVICE;
    if (bytes != mem->bytes) { /* the narrower one sees, or sets, a part of what the other means */
        bool second = mem->bytes < bytes;
        f->facts.race.bytes = second ? bytes : mem->bytes;
        advise(f, TRY_SAME_WIDTH, f->accesses[second].line, f->accesses[!second].line);
        return true;
    }
    if (f->facts.race.same_block || (theirs >= needed && mine >= needed))
        return false;
    advise(f, TRY_WIDER_SCOPE, f->accesses[theirs >= needed].line, f->accesses[mine < needed].line); /* not where the scope is wide enough */
    return true;
}

/** The lock to which the access, a plain store, gives back; or under which it is made, if that is given back so: *given. */
static const struct insn *lock_left_plain(const struct image *im, const struct insn *in, const struct insn **given)
{
    const struct insn *lock = insn_class(in) == INSN_STORE ? lock_at(im, in) : NULL;
    *given = in;
    if (lock || !(lock = lock_before(im, in)))
        return lock && !order_is_strong(&in->mem) ? lock : NULL;
    *given = lock_given_back(im, lock, in);
    return insn_class(*given) == INSN_STORE && !order_is_strong(&(*given)->mem) ? lock : NULL;
}

bool advise_plain_release(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct image *im = actor_image(me);
    const struct insn *other = image_site_insn(im, info->other->site), *given[2];
    const struct insn *lock = lock_left_plain(im, me->insn, &given[1]);
    if (!lock || !other || (other != lock && !lock_left_plain(im, other, &given[0])))
        return false;
    f->facts.race.waits = waits_past(im, lock, given[1]);
    advise(f, TRY_STRONG_SIGNAL, insn_line_to_say(im, given[1]), insn_line_to_say(im, lock));
    return true;
}

/** The branch that ends the line's straight way from the read, if it goes forward. */
static const struct insn *branch_of_line(const struct image *im, const struct function *f, const struct insn *read)
{
    const struct insn *in = read + 1;
    while (in < f->end && insn_class(in) != INSN_BRANCH && insn_line_to_say(im, in) == insn_line_to_say(im, read))
        in++;
    bool branches = in < f->end && insn_class(in) == INSN_BRANCH && insn_line_to_say(im, in) == insn_line_to_say(im, read) && insn_is_guarded(in);
    return branches && in->target > in && flow_holds(f, in->target) ? in : NULL;
}

bool read_chooses_way(const struct actor *me, uint32_t site)
{
    static const bool same_warp = false;
    const struct image *im = actor_image(me);
    const struct insn *read = image_site_insn(im, site);
    const struct function *f = read ? image_function_at(im, read) : NULL;
    if (!f || !flow_holds(f, me->insn) || way_find(f, read, me->insn, &same_warp) != PATH_AHEAD)
        return false;
    if (way_waits_at(im, site))
        return way_loops_with(im, site, me->insn);
    const struct insn *branch = branch_of_line(im, f, read);
    if (!branch)
        return false;
    const struct insn *ways[2] = {branch + 1, branch->target};
    for (int i = 0; i < 2; i++)
        if (ways[i] != me->insn && way_find(f, ways[i], me->insn, NULL) != PATH_AHEAD)
            return false;
    return true;
}

bool signal_is_answer(const struct function *f, const struct insn *signal)
{
    for (const struct insn *wait = f->entry; wait < f->end; wait++) {
        bool answers = insn_class(wait) == INSN_LOAD && order_is_strong(&wait->mem) && way_find(f, wait, signal, NULL) == PATH_AHEAD;
        for (const struct insn *in = f->entry; in < f->end && answers; in++)
            answers = insn_class(in) != INSN_STORE || order_is_strong(&in->mem) || !ways_lead_past(f, wait, in, signal);
        if (answers)
            return true;
    }
    return false;
}
