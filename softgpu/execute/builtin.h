/**
 * @file builtin.h
 * Private to execute/: the functions that device code calls and softgpu implements itself.
 */
#ifndef SOFTGPU_EXECUTE_BUILTIN_H
#define SOFTGPU_EXECUTE_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allocation;
struct call_desc;
struct insn;
struct machine;
struct warp;

/** Runs built-in `name` for the running lanes; returns the next instruction, NULL after a fault. */
const struct insn *builtin_call(struct warp *w, const struct insn *in, const struct call_desc *d,
                                const char *name);

/** malloc() in device code; NULL where the heap is full. */
struct allocation *builtin_allocate(struct warp *w, uint64_t bytes);
/** free() of each running lane's first argument. */
const struct insn *do_free(struct warp *w, const struct insn *in, const struct call_desc *d);

/* nested_calls.c */
#define BUILTIN(name, run) const struct insn *run(struct warp *w, const struct insn *in, const struct call_desc *d);
#define NESTED_ONLY
#include "code/builtins.def"
#undef NESTED_ONLY

/* device_printf.c */

/** Copies the string at generic address `address` as lane `lane` sees it, at most `size` - 1
 *  characters. @return false if its bytes are not all readable; `out` then holds what was */
bool device_string(struct warp *w, int lane, uint64_t address, char *out, size_t size);
/** printf() with CUDA's argument buffer at generic address `args`. @return its result, or -1 */
int device_printf(struct warp *w, int lane, uint64_t format, uint64_t args);

#endif
