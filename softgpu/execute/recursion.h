/**
 * @file recursion.h
 * Whether a GPU's stack holds a recursion. What calls need that do not go round is known before a kernel runs, and each thread gets as much; for
 * those that do there is cudaLimitStackSize (CUDA C++ Programming Guide, "Recursive functions"; on an H200 a thread that needs more ends its kernel by
 * an illegal address: with 256 bytes of its own a function has 304 of the stack, with 16 it has 64).
 */
#ifndef SOFTGPU_EXECUTE_RECURSION_H
#define SOFTGPU_EXECUTE_RECURSION_H

#include <stdbool.h>

#include "execute/fault.h"

struct warp;
struct function;

/** The running lanes are about to call. @return false where that is a recursion whose local variables alone are more than the stack holds: `fault` is told
 *  then. Where only what else it needs may be more, the run says that it does not know. */
bool recursion_fits(struct warp *w, const struct function *callee, int *lane, struct fault *fault);

#endif
