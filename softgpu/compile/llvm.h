/**
 * @file llvm.h
 * LLVM as softgpu uses it: text in its intermediate language goes in, the addresses of functions come out.
 *
 * The library is loaded when it is first needed and may be absent; nothing of it is needed to build softgpu. The text is
 * the interface, so a dozen functions of its C API are enough.
 */
#ifndef SOFTGPU_COMPILE_LLVM_H
#define SOFTGPU_COMPILE_LLVM_H

#include <stdbool.h>
#include <stddef.h>

/** Machine code of one module; it lies in pages that are executable and not writable. */
struct llvm_code;

/** Loads the library. @return false where it is absent, too old, or this process may not map code */
bool llvm_available(void);
/** Does machine code use AVX-512? Else it uses AVX2, also where SOFTGPU_ISA=avx2 says so, for tests. */
bool llvm_wide(void);
/** "LLVM 19.1.7, AVX-512", or why there is none: one line. */
const char *llvm_describe(void);
/**
 * Compiles a module.
 * @param why  one line after a failure, `why_size` bytes
 * @return NULL after a failure. The caller's to free
 */
struct llvm_code *llvm_compile(const char *text, size_t length, char *why, size_t why_size);
/** The address of a function of the module; NULL if it has none of that name. */
void *llvm_function(struct llvm_code *code, const char *name);
void llvm_free(struct llvm_code *code);

#endif
