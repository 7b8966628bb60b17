/**
 * @file support.h
 * Private to compile/: what compiled code calls, and how it is entered.
 */
#ifndef SOFTGPU_COMPILE_SUPPORT_H
#define SOFTGPU_COMPILE_SUPPORT_H

#include "execute/engine.h"
#include "execute/warp_run.h"

/** What compiled_calls() gives where the code goes on. */
#define CODE_GOES_ON 1

/** What a name stands for in the text of function `f`; NULL: nothing. */
void *compiled_symbol(const void *f, const char *name);

/** insn->run of an instruction at which compiled code begins. */
const struct insn *compiled_enter(struct warp *w, const struct insn *in);

#endif
