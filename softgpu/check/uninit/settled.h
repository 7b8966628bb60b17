/**
 * @file settled.h
 * When nothing of a warp is undefined any more.
 */
#ifndef SOFTGPU_CHECK_UNINIT_SETTLED_H
#define SOFTGPU_CHECK_UNINIT_SETTLED_H

#include "check/uninit/uninit.h"

/** Is anything undefined in the registers of the warp, which is at `in`? That is asked at barriers, and where a loop goes round; else it is what it was.
 *  If nothing is, the warp is not looked at closely any more. */
bool any_undefined(struct warp_taint *t, const struct insn *in);

/** passed.c: is anything undefined among the arguments and results of calls? */
bool passed_any(const struct warp_taint *t);

#endif
