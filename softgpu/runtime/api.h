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

#endif
