/**
 * @file rooms.h
 * Memory for clocks and what holds them: blocks make and drop them by the million, all of a few sizes, so those that are dropped are kept
 * for the next ones, up to a bound. One host thread only.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_ROOMS_H
#define SOFTGPU_CHECK_RACE_CLOCK_ROOMS_H

#include <stddef.h>

/** Not cleared; never NULL. */
void *room_new(size_t bytes);
/** As realloc(): `had` are the bytes it was made with. */
void *room_grow(void *p, size_t had, size_t bytes);
/** Of so many bytes; NULL is none. */
void room_drop(void *p, size_t bytes);

#endif
