/**
 * @file array.h
 * CUDA arrays: rows of elements in device memory. They can be filled and copied; texture and
 * surface objects on them are not there.
 */
#ifndef SOFTGPU_RUNTIME_ARRAY_H
#define SOFTGPU_RUNTIME_ARRAY_H

#include "runtime/state/runtime.h"

/** What cudaArray_t points to. */
struct array {
    struct array *next;
    uint64_t base;
    size_t pitch, rows, slices, element;   /**< bytes, rows of a slice, slices, bytes */
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent;              /**< as asked for */
    unsigned flags;
};

/** NULL if the handle is no live array. */
struct array *array_resolve(cudaArray_const_t handle);
/** Frees all arrays' descriptions (their memory goes with the machine). */
void arrays_reset(void);

#endif
