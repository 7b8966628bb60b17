/**
 * @file call.h
 * Private to execute/: arguments and results of calls, for functions and built-ins alike.
 */
#ifndef SOFTGPU_EXECUTE_CALL_H
#define SOFTGPU_EXECUTE_CALL_H

#include "execute/engine.h"

/** Argument `i` of the running activation's call, zero-extended; 0 where there is none. */
uint64_t call_argument(const struct warp *w, const struct call_desc *d, int lane, int i);
/** Stores a built-in's result. */
void call_set_result(struct warp *w, const struct call_desc *d, int lane, uint64_t value);
/** Lanes have exited inside calls: their activations end. */
void call_forget_lanes(struct warp *w, uint32_t lanes);

#endif
