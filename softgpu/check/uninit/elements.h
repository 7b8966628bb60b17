/**
 * @file elements.h
 * What instructions on elements make of undefined bits.
 */
#ifndef SOFTGPU_CHECK_UNINIT_ELEMENTS_H
#define SOFTGPU_CHECK_UNINIT_ELEMENTS_H

#include "code/insn.h"

static inline uint64_t low_bits(uint64_t count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

/** From the undefined bits of a source to those that they make of the result. @return false: it is no instruction on elements */
bool elements_pass(const struct insn *in, unsigned source, uint64_t *bits);

#endif
