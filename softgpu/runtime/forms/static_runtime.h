/**
 * @file static_runtime.h
 * What the softgpu command and the library that it preloads have agreed on.
 */
#ifndef SOFTGPU_RUNTIME_FORMS_STATIC_RUNTIME_H
#define SOFTGPU_RUNTIME_FORMS_STATIC_RUNTIME_H

/** Set: the program carries the CUDA runtime in itself. Its value is what LD_PRELOAD was. */
#define STATIC_RUNTIME_VARIABLE "SOFTGPU_STATIC_RUNTIME"

#endif
