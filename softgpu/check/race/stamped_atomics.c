/**
 * @file stamped_atomics.c
 * See stamps.h: atomics on words that have stamps, as in a histogram.
 */
#include "check/race/chained_atomics.h"
#include "check/race/joining.h"
#include "check/race/stamp_steps.h"
#include "execute/plain_access.h"

/** Does an atomic of that kind go on with all accesses to the word, or lie behind the block's last barrier, as they do not? Reads since then are
 *  to be judged. */
static bool goes_on(const struct stamps *st, uint32_t word, uint8_t flags)
{
    uint32_t write = st->write[word];
    if (st->read[word] >= st->before)
        return false;
    return write < st->before || (write != STAMP_OPENED && st->accesses.data[write >> STAMP_LANES].atomic == flags);
}

uint32_t stamps_atomic(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    actor_begin_plain(&me, race, w, p->insn);
    struct stamps *st = me.bs->stamps;
    uint32_t number = chained_unheard(&me) ? number_of(&me, p->mask, lanes_at_one_time(me.ws, p->mask)) : 0, left = 0;
    if (!number)
        return p->mask;
    uint8_t flags = st->accesses.data[number].atomic = flags_of(&p->insn->mem, true);
    for (uint32_t m = p->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), word = p->at[lane] / 4;
        if (!goes_on(st, word, flags)) {
            left |= m & -m;
            continue;
        }
        st->old[word] = p->old[lane];
        st->write[word] = number << STAMP_LANES | lane;
        st->read[word] = 0;
    }
    me.home->shared_written = true;
    race->moment += (unsigned)__builtin_popcount(p->mask & ~left);
    return left;
}
