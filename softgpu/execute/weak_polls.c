/**
 * @file weak_polls.c
 * See weak_polls.h.
 */
#include "execute/weak_polls.h"

#include "analyse/loops.h"
#include "analyse/polls.h"
#include "execute/access.h"
#include "execute/handlers.h"

bool load_polls_weakly(const struct function *f, const struct insn *in)
{
    if (insn_class(in) != INSN_LOAD || in->mem.space == SPACE_PARAM || in->mem.space == SPACE_LOCAL || order_is_strong(&in->mem))
        return false;
    const struct loop *l = loop_around(f, in, LOOP_INNERMOST);
    bool fences = false;
    for (const struct insn *i = l ? l->first : NULL; l && i <= l->last; i++) {
        fences |= insn_class(i) == INSN_FENCE;
        if (!insn_is_idle(f, i)) /* it goes round for something else */
            return false;
    }
    return fences && load_polls(f, in);
}

const struct insn *load_weak_poll(struct warp *w, const struct insn *in)
{
    const struct insn *next = select_load(in, true)(w, in);
    uint32_t reg = element_target(in, 0);
    int lane = __builtin_ctz(w->mask);
    if (next != in + 1 || reg == REG_NONE || reg == in->src[0])
        return next;
    uint64_t place = (lane_address(w, in, lane) + ((uint64_t)in->site << 48)) * MIX_STEP;
    w->polled |= polled_again(w->polls[place >> (64 - POLLED_BITS)], place, reg_read(w, reg, in->mem.reg_bytes, lane),
                              warp_count_before(w, in));
    w->has_polled = true;
    return next;
}
