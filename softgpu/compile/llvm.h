/**
 * @file llvm.h
 * LLVM as softgpu uses it: text in its intermediate language goes in, an object file comes out.
 *
 * The library is loaded when it is first needed and may be absent; nothing of it is needed to build softgpu. The text is
 * the interface, so some twenty functions of its C API are enough. It is loaded by the translator alone (translator.h), a process of
 * its own: what LLVM does to memory, or how it ends, is nothing to the program whose kernels are compiled.
 */
#ifndef SOFTGPU_COMPILE_LLVM_H
#define SOFTGPU_COMPILE_LLVM_H

#include <stdbool.h>
#include <stddef.h>

/** Loads the library. @return false where it is absent, too old, or this process may not map code */
bool llvm_available(void);
/** Does machine code use AVX-512? Else it uses AVX2, also where SOFTGPU_ISA=avx2 says so, for tests. */
bool llvm_wide(void);
/** "LLVM 19.1.7, AVX-512", or why there is none: one line. */
const char *llvm_describe(void);
/**
 * Compiles a module.
 * @param why  one line after a failure, `why_size` bytes
 * @return an object file of `*bytes` bytes, which the caller frees; NULL after a failure
 */
void *llvm_object(const char *text, size_t length, size_t *bytes, char *why, size_t why_size);

#endif
