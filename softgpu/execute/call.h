/**
 * @file call.h
 * Private to execute/: arguments and results of calls, for functions and built-ins alike.
 */
#ifndef SOFTGPU_EXECUTE_CALL_H
#define SOFTGPU_EXECUTE_CALL_H

#include <stdbool.h>
#include <stdint.h>

struct call_desc;
struct insn;
struct warp;

/** Argument `i` of the running activation's call, zero-extended; 0 where there is none. */
uint64_t call_argument(const struct warp *w, const struct call_desc *d, int lane, int i);
/** The same of one that is larger, its first `bytes` bytes. */
void call_argument_bytes(const struct warp *w, const struct call_desc *d, int lane, int i, void *to, uint32_t bytes);
/** The function at a code address, NULL if there is none. */
const struct function *call_function_at(const struct warp *w, uint64_t address);
/** Stores a built-in's result. */
void call_set_result(struct warp *w, const struct call_desc *d, int lane, uint64_t value);
/** Lanes have exited inside calls: their activations end. */
void call_forget_lanes(struct warp *w, uint32_t lanes);

#endif
