/**
 * @file library_code.h
 * What of a program is the toolkit's and the compiler's own library code, by its source file or its symbol: nobody
 * who reads a finding has written it.
 */
#ifndef SOFTGPU_HOST_LIBRARY_CODE_H
#define SOFTGPU_HOST_LIBRARY_CODE_H

#include <stdbool.h>

/** Does the file lie in a folder of headers of the toolkit or of the standard library, and is it one? */
bool library_file(const char *path);
/** Is the function of this decorated name in a namespace of Thrust, CUB, libcu++, cooperative groups or the standard
 *  library, or what nvcc puts before a kernel? */
bool library_symbol(const char *name);

#endif
