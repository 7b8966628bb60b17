/**
 * @file inline.h
 * Before decoding: calls in a module made for debugging, or in haste, become what they call.
 */
#ifndef SOFTGPU_DECODE_INLINE_H
#define SOFTGPU_DECODE_INLINE_H

#include "parse/module.h"

/**
 * Puts the bodies of what is called in the calls' place, where the module is made for debugging (`.target …, debug`) or
 * in haste (`nvcc --Ofast-compile`), and takes away copies and branches that lead nowhere; any other is left.
 * @param library_only  only those of which the user has written nothing: a debugger goes into the others
 */
void calls_inline(struct ptx_module *m, bool library_only);
#endif
