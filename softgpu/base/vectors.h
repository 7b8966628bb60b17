/**
 * @file vectors.h
 * Functions for processors that have what they ask for.
 */
#ifndef SOFTGPU_BASE_VECTORS_H
#define SOFTGPU_BASE_VECTORS_H

/** Of a function that uses these instructions. It is not made under the sanitizer of undefined behaviour: between that one's calls
 *  GCC 12 keeps a mask of 16 lanes as 16 bits and takes it back as 32. */
#define USES_VECTORS(features) __attribute__((target(features), no_sanitize("undefined")))

#endif
