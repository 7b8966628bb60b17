/**
 * @file stamped_atomics.c
 * See stamps.h: atomics on words that have stamps, as in a histogram.
 */
#include "check/race/chained_atomics.h"
#include "check/race/joining.h"
#include "check/race/stamp_steps.h"
#include "execute/plain_access.h"

/** An atomic by `now` (a stamp, of the access `by`) goes on with all accesses to the word, or lies behind the block's last barrier, as they do not.
 *  Beside it the first one since then is kept, unless that is of the same thread: then the last one so far. @return false: not so, or there have
 *  been reads since then, which are to be judged */
static inline bool goes_on(const struct stamped *accesses, uint32_t before, uint32_t *write, uint32_t *read, uint32_t now, struct stamped by)
{
    uint32_t last = *write, first = *read;
    /* Is it behind a barrier? All bits or none, by a shift: of a histogram's words no processor foretells it. */
    uint32_t begins = (uint32_t)(((int64_t)last - before) >> 32);
    uint32_t of = (last & ~begins) | (now & begins);
    if (last == STAMP_OPENED || accesses[of >> STAMP_LANES].strong != by.strong || (first & begins) >= before)
        return false;
    uint32_t keep = (first & ~begins) | (now & begins);
    if (((first ^ now) % WARP_LANES | begins) == 0 && accesses[first >> STAMP_LANES].warp == by.warp)
        keep = last;
    *read = keep;
    *write = now;
    return true;
}

uint32_t stamps_atomic(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    actor_begin_plain(&me, race, w, p->insn);
    struct stamps *st = me.bs->stamps;
    uint32_t number = chained_unheard(&me) ? number_of(&me, p->mask, lanes_at_one_time(me.ws, p->mask)) : 0, left = 0;
    if (!number)
        return p->mask;
    st->accesses.data[number].strong = flags_of(&p->insn->mem, true);
    const struct stamped by = st->accesses.data[number];
    /* by themselves, for what is written into the stamps is not written here */
    const struct stamped *accesses = st->accesses.data;
    uint32_t *write = st->write, *read = st->read, *old = st->old, before = st->before;
    for (uint32_t m = p->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), word = p->at[lane] / 4;
        if (goes_on(accesses, before, &write[word], &read[word], number << STAMP_LANES | lane, by))
            old[word] = p->old[lane];
        else
            left |= m & -m;
    }
    me.home->shared_written = true;
    race->moment += (unsigned)__builtin_popcount(p->mask & ~left);
    return left;
}
