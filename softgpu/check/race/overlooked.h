/**
 * @file overlooked.h
 * Private to the race checker: kernels that race at every turn. A conflict costs some microseconds, and a kernel without its barriers has one for
 * nearly each access: what it does wrong is known long before it ends. Blocks that begin after so many are looked at no closer where
 * an access is weak, which orders nothing, and does not lie plainly behind all others; a line `incomplete` says so.
 */
#ifndef SOFTGPU_CHECK_RACE_OVERLOOKED_H
#define SOFTGPU_CHECK_RACE_OVERLOOKED_H

#include "check/race/race.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define CONFLICTS_ENOUGH (1u << 20)

/** One more conflict that is an error, of an access by a kernel. */
static inline void overlooked_count(struct function *kernel, const struct insn *in)
{
    kernel->conflicts += !order_is_strong(&in->mem) && kernel->conflicts < CONFLICTS_ENOUGH;
}

/** A block of the kernel begins. */
static inline bool overlooked_block(const struct race *race, const struct function *kernel)
{
    if (kernel->conflicts < CONFLICTS_ENOUGH)
        return false;
    report_incomplete_of(machine_reporter(race->machine), INCOMPLETE_CONFLICTS, kernel->name);
    return true;
}

static inline bool is_overlooked(const struct race *race, const struct warp *w, const struct insn *in)
{
    const struct block_state *bs = w->block->check[race->slot];
    return bs->overlooked && !order_is_strong(&in->mem);
}

#endif
