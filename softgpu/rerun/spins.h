/**
 * @file spins.h
 * Lanes that may wait for others by what is no strong access, for runs in which a lane that does nothing strong goes on at once.
 */
#ifndef SOFTGPU_RERUN_SPINS_H
#define SOFTGPU_RERUN_SPINS_H

#include "code/insn.h"
#include "rerun/explore/place_key.h"

/** Does the instruction look whether an mbarrier's phase is over? In a loop it waits for those that arrive. */
static inline bool insn_looks_at_mbarrier(const struct insn *in)
{
    return insn_class(in) == INSN_MBARRIER && (insn_row(in) == ROW_mbar_test_wait || insn_row(in) == ROW_mbar_try_wait);
}

/** Does the group of lanes stand before a strong access to memory that threads share? */
static inline bool stands_before_strong(const struct warp *w, const struct group *g)
{
    uint64_t place;
    return insn_is_memory(g->pc) && order_is_strong(&g->pc->mem) && place_key_next(w, g, &place);
}

#endif
