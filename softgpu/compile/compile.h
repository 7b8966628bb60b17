/**
 * @file compile.h
 * Kernels as machine code, by LLVM, where it is installed. What is computed and counted is the
 * interpreter's, to the bit; only time differs.
 */
#ifndef SOFTGPU_COMPILE_COMPILE_H
#define SOFTGPU_COMPILE_COMPILE_H

#include "execute/machine.h"

/** Lets the machine's kernels be compiled, as its options say; nothing happens for one that counts or traces. */
void compile_attach(struct machine *m);
/**
 * Compiles a function now, and waits for that. Any thread may ask.
 * @param why  one line after a failure; "" where it has been told before
 * @return false where that is not possible; it is interpreted then
 */
bool compile_function(struct function *f, char *why, size_t why_size);
/** The same some time, while the function is interpreted; nobody is told where that is not possible. */
void compile_later(struct function *f);
/** Such a function is waited for after all: what compiles it, if that has not ended, gives way to others no longer. */
void compile_soon(struct function *f);
/** The same as compile_later(), but only where an earlier run has kept its machine code. */
void compile_if_kept(struct function *f);
/** Threads of this process that compile, 0 or 1. */
int compile_threads(void);
/** "LLVM 19.1.7, AVX-512", or why kernels are interpreted: one line. */
const char *compile_describe(void);

#endif
