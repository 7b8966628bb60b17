/**
 * @file zeroed.h
 * Large arrays of zeros that cost nothing until they are touched, however often they come and go: what
 * calloc() gives back it may have to clear byte by byte.
 */
#ifndef SOFTGPU_BASE_ZEROED_H
#define SOFTGPU_BASE_ZEROED_H

#include <stddef.h>

/** @return `bytes` zeros, or NULL where the host has no room for them */
void *zeroed_new(size_t bytes);
/** Makes them zero again; `bytes` as they were asked for. */
void zeroed_clear(void *p, size_t bytes);
/** Nothing happens for NULL. */
void zeroed_free(void *p, size_t bytes);

#endif
