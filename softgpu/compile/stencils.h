/**
 * @file stencils.h
 * The other candidate for machine code: stencils of the table's rows, patched together at run time.
 */
#ifndef SOFTGPU_COMPILE_STENCILS_H
#define SOFTGPU_COMPILE_STENCILS_H

#include "code/image.h"

/** Patches a function together from the object file `path`. Unchecked runs by the natural schedule enter it. @return bytes of code, 0 where it cannot be */
size_t stencils_compile(struct function *f, const char *path);

#endif
