/**
 * @file barrier_red.h
 * Private to execute/: what bar.red gives to all who have come, from what they gave (PTX ISA 9.7.13.1).
 */
#ifndef SOFTGPU_EXECUTE_BARRIER_RED_H
#define SOFTGPU_EXECUTE_BARRIER_RED_H

#include "execute/engine.h"
#include "execute/grid.h"
#include "execute/warp_run.h"

/** Does the barrier have a result? */
static inline bool barrier_reduces(const struct insn *in)
{
    return in->op->defines;
}

/** Adds the operands of the lanes in w->mask to the barrier's result. `first`: nobody has come before. */
void barrier_red_add(struct warp *w, const struct insn *in, struct barrier_state *s, bool first);
/** Gives a group that has waited at `in` the result. */
void barrier_red_deliver(struct warp *w, const struct group *g, const struct insn *in, const struct barrier_state *s);

#endif
