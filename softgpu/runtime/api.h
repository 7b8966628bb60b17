/**
 * @file api.h
 * CUDA's own prototypes of the Runtime API, for whoever implements entry points: what they declare is
 * visible to the program, all else is not.
 */
#ifndef SOFTGPU_RUNTIME_API_H
#define SOFTGPU_RUNTIME_API_H

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#define EXPORT __attribute__((visibility("default")))

/** A kernel's name, NUL-terminated and cut at `room`: what cudaFuncGetName() of a program without our memory asks for. */
EXPORT cudaError_t softgpu_function_name(char *text, size_t room, const void *function);

/** Elements of lists of pointers, for INS in api.def: a `const` in front is the element's. */
typedef void *api_pointer;
typedef const void *api_const_pointer;

#endif
