/**
 * @file register_bound.h
 * A bound of how many registers a kernel may have which comes from outside its PTX: an option of the just-in-time compiler's, or
 * nvcc's, which a fat binary keeps. It stands behind the text, where parse/parse_module.c takes it for the kernels before it.
 */
#ifndef SOFTGPU_RUNTIME_REGISTER_BOUND_H
#define SOFTGPU_RUNTIME_REGISTER_BOUND_H

#include <stddef.h>

#define REGISTER_BOUND_LEAST 24 /**< what is below is taken for it: by ptxas and by an H100's driver */
#define REGISTER_BOUND_BYTES 64 /**< of register_bound_text() */

/** What stands behind PTX to bound its kernels. @param most  0: by nothing */
void register_bound_text(char text[REGISTER_BOUND_BYTES], unsigned most);
/** PTX of `bytes` bytes with the bound behind it, NUL-terminated; the caller's. */
char *register_bound_behind(const char *ptx, size_t bytes, unsigned most);
/** What nvcc was told by -maxrregcount, as ptxas takes it: at least 24, and a number above 255 is looked over.
 *  @param options  ptxas's, as nvcc keeps them in a fat binary: " -v  -maxrregcount=40 "
 *  @return 0: nothing */
unsigned register_bound_of(const char *options);

#endif
