/**
 * @file support.h
 * Private to compile/: what compiled code calls, and how it is entered.
 */
#ifndef SOFTGPU_COMPILE_SUPPORT_H
#define SOFTGPU_COMPILE_SUPPORT_H

#include "execute/engine.h"
#include "execute/warp_run.h"

/** insn->run of an instruction at which compiled code begins. */
const struct insn *compiled_enter(struct warp *w, const struct insn *in);
/** The host's place of a device address, NULL where it is not found at once; worker->recent[slot] remembers the allocation. */
uint8_t *compiled_host(struct worker *k, uint64_t address, uint64_t bytes, uint32_t slot);
/** Only `mask` goes on at `pc`; the other lanes follow by compiled_park(). */
void compiled_leave(struct warp *w, const struct insn *pc, uint32_t mask);
/** The lanes `mask` (none: nothing) stand at `pc` as a group of their own. */
void compiled_park(struct warp *w, const struct insn *pc, uint32_t mask);
/** Under the checks: the running group stands at `pc`. */
void compiled_stands(struct warp *w, const struct insn *pc);
/** The same, unless `running` is 0; then the group that stands first in the text runs, with all that stand there. */
void compiled_meets(struct warp *w, const struct insn *pc, uint32_t running);

#endif
