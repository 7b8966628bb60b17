/**
 * @file inline.h
 * Before decoding: calls in a module made for debugging, or in haste, become what they call, and so do some in any other.
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
/** In any module: functions that do little but look at memory by strong accesses, or change it so, are put in their calls' places: a check and the act
 *  that rests on it then stand in one function. */
void looks_inline(struct ptx_module *m);
#endif
