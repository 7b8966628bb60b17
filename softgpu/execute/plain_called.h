/**
 * @file plain_called.h
 * Plain accesses (plain_access.h) under the checks, by compiled code that keeps its registers where they are.
 */
#ifndef SOFTGPU_EXECUTE_PLAIN_CALLED_H
#define SOFTGPU_EXECUTE_PLAIN_CALLED_H

#include "execute/warp.h"

/**
 * What compiled code calls for the running lanes of `in`, `mask`, which the warp's mask becomes; it fits (plain_fits()): their addresses are in worker->places, what they store in
 * worker->plain.value, and what they load is left there. A load from quiet memory (quiet_global.h) leaves where that is in worker->recent[recent].
 * @return false: nothing has happened, and the instruction's handler is to do it
 */
typedef bool (*plain_called_fn)(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask);
plain_called_fn plain_called(bool is_load, bool is_shared);
/** The same of what plain_fits_broadcast(). */
plain_called_fn plain_called_broadcast(void);

#endif
