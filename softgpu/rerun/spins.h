/**
 * @file spins.h
 * Lanes that may wait for others by what is no strong access, for runs in which a lane that does nothing strong goes on at once.
 */
#ifndef SOFTGPU_RERUN_SPINS_H
#define SOFTGPU_RERUN_SPINS_H

#include "code/insn.h"

/** Does the instruction look whether an mbarrier's phase is over? In a loop it waits for those that arrive. */
static inline bool insn_looks_at_mbarrier(const struct insn *in)
{
    return insn_class(in) == INSN_MBARRIER && (insn_row(in) == ROW_mbar_test_wait || insn_row(in) == ROW_mbar_try_wait);
}

#endif
