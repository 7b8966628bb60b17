/**
 * @file older_worth.c
 * See older_worth.h.
 */
#include "check/race/older_worth.h"

#include "analyse/decides.h"
#include "analyse/goes.h"
#include "analyse/polls.h"
#include "check/race/element.h"
#include "execute/dropped_loads.h"

bool older_is_immaterial(const struct actor *me, const struct mem_access *a, int element, uint64_t older)
{
    const struct function *f = image_function_at(actor_image(me), me->insn);
    const struct decision *d = load_decides(f, me->insn);
    if (!d)
        return false;
    uint64_t newest = newest_value(a, me->lane, element);
    bool way = lane_would_branch(me->warp, me->insn, d, me->lane, older);
    return d->side[way].looks || (d->side[way].unused && way == lane_would_branch(me->warp, me->insn, d, me->lane, newest)) ||
           (d->side[way].spared.update && lane_update_is_vain(me->warp, me->insn, d, me->lane, older, newest));
}

bool older_ends_wait(const struct actor *me, const struct function *f, uint64_t older)
{
    const struct decision *d = load_polls(f, me->insn) && value_goes_elsewhere(f, me->insn) ? load_decides(f, me->insn) : NULL;
    const struct decided_side *way = d ? &d->side[lane_would_branch(me->warp, me->insn, d, me->lane, older)] : NULL;
    return way && !way->looks && !way->unused;
}
