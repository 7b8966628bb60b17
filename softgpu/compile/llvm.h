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
/** What machine code may use: what the processor has, or less where SOFTGPU_ISA says plain or avx2, for tests. */
enum llvm_level { LEVEL_PLAIN, LEVEL_AVX2, LEVEL_AVX512 };
enum llvm_level llvm_level(void);
/** Does the processor gather words sooner than it loads them one by one? With AVX-512 Intel's with half-precision arithmetic (Sapphire Rapids and later), where it takes half of the
 *  time, earlier ones give away most of it not to let other programs see what they gather; and AMD's with VP2INTERSECT (Zen 5). SOFTGPU_GATHER=0 says no, for tests. */
bool llvm_gathers(void);
/** Does it add products of words that it loads by index one lane after another sooner than for all lanes at once? Not Intel's with half-precision arithmetic: in a loop in C
 *  gathering takes two thirds of that time there. */
bool llvm_adds_by_lanes(void);
/** "plain", "avx2", "avx512" */
const char *llvm_level_name(enum llvm_level level);
/** What is done to a text on its way. */
const char *llvm_passes(void);
/** LLVM's name of a processor that has it. */
const char *llvm_level_processor(enum llvm_level level);
/** "LLVM 19.1.7, AVX-512", or why there is none: one line. */
const char *llvm_describe(void);
/**
 * Compiles a module.
 * @param why  one line after a failure, `why_size` bytes
 * @return an object file of `*bytes` bytes, which the caller frees; NULL after a failure
 */
void *llvm_object(const char *text, size_t length, size_t *bytes, char *why, size_t why_size);

#endif
