/**
 * @file inline.h
 * Before decoding: calls in a module made for debugging become what they call.
 */
#ifndef SOFTGPU_DECODE_INLINE_H
#define SOFTGPU_DECODE_INLINE_H

#include "parse/module.h"

/**
 * Puts the bodies of what is called in the calls' place, where the module is made for debugging (`.target …, debug`); any other is left.
 * @param library_only  only those of which the user has written nothing: a debugger goes into the others
 */
void calls_inline(struct ptx_module *m, bool library_only);
/** Variables that only pass whole values to inlined bodies, and back, become registers. For inline.c. */
void slots_become_registers(struct ptx_module *m, struct ptx_function *f);
/** Takes away what only code for debugging has; `first`: registers below it, and branches, are left as they are, unless it is 0. For inline.c. */
void function_tidy(struct ptx_function *f, int first);
/** It is none any more; function_tidy() closes the gap. For inline.c. */
void instruction_vanishes(struct ptx_instr *pi);

#endif
