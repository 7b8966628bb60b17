/**
 * @file bit_rules.h
 * Which bits of a result are undefined, given those of the sources.
 */
#ifndef SOFTGPU_CHECK_UNINIT_BIT_RULES_H
#define SOFTGPU_CHECK_UNINIT_BIT_RULES_H

#include "check/uninit/taint.h"

/** From the undefined bits of a source to those that it and the other sources make of the result. *same: they are those bits, unchanged.
 *  @return false where that cannot be told */
bool bits_pass(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned source, int lane, uint64_t *bits, bool *same);

#endif
