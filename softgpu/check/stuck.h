/**
 * @file stuck.h
 * Who waits, and for whom, where nobody comes on: the finding.
 */
#ifndef SOFTGPU_CHECK_STUCK_H
#define SOFTGPU_CHECK_STUCK_H

#include "execute/machine.h"
#include "execute/observer.h"

/** A group that waits at `in`. `read`: the access that finds the same again and again; NULL where the group stands still. */
void stuck_report(struct machine *m, const struct warp *w, const struct group *g, const struct insn *in, const struct mem_access *read);

/** Reports one group of the blocks that are left, of those in `state` if that is not negative.
 *  @return false if there is none */
bool stuck_report_one(const struct machine *m, int state);

static inline bool stuck_can_run(const struct group *g)
{
    return g->state == GROUP_READY || g->state == GROUP_SLEEPING;
}

/** Groups of lanes that can run: those that wait at a barrier read nothing, and need no patience. */
uint64_t stuck_groups_that_run(const struct machine *m);

#endif
