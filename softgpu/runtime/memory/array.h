/**
 * @file array.h
 * CUDA arrays, with one level or several: rows of elements in device memory.
 */
#ifndef SOFTGPU_RUNTIME_ARRAY_H
#define SOFTGPU_RUNTIME_ARRAY_H

#include "memory/texture_object.h"
#include "runtime/state/runtime.h"

/** What cudaArray_t points to. */
struct array {
    struct array *next;
    uint64_t base;
    size_t pitch, rows, slices, element;   /**< bytes, rows of a slice, slices, bytes */
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent;              /**< as asked for */
    unsigned flags;
    struct mipmapped *level_of;            /**< it is a level of these, and their memory; NULL: it is not */
};

/** What cudaMipmappedArray_t points to. */
struct mipmapped {
    struct mipmapped *next;
    uint64_t base;
    unsigned count;
    struct array *level[TEXTURE_LEVELS];
};

/** NULL if the handle is no live array. */
struct array *array_resolve(cudaArray_const_t handle);
/** NULL if the handle is no live array of several levels. */
struct mipmapped *mipmapped_resolve(cudaMipmappedArray_const_t handle);
/** Bytes of an element: one, two or four channels of equal width; 0 if a texture cannot have such. */
size_t channels_bytes(const struct cudaChannelFormatDesc *d);
/** Checks what an array of this shape is made of. @return its error, and how large an element is */
cudaError_t array_check(const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags, size_t *element);
/** The layout of a level, without a place. */
struct array array_layout(const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags, size_t element);
uint64_t array_bytes(const struct array *a);
/** Adds an array to those that live. */
struct array *array_add(const struct array *a);
/** Frees the memory of one, or of all levels. */
void array_release(uint64_t base);
/** Forgets one. */
void array_drop(struct array *a);
/** Frees all arrays' descriptions (their memory goes with the machine). */
void arrays_reset(void);
/** Forgets what texture and surface objects were made from (texture_api.c). */
void textures_reset(void);
/** The same of those with one level, and of single levels. */
void arrays_drop_all(void);

#endif
