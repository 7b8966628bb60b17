/**
 * @file fence_ways.h
 * Which fences each block of a launch has come by.
 *
 * Where blocks draw numbers by an atomic, one of them is the last and does what the others leave to it. Which fences it has then
 * come by may hang on its number: a fence that some blocks leave out is missed where one of these is the last.
 */
#ifndef SOFTGPU_RERUN_FENCE_WAYS_H
#define SOFTGPU_RERUN_FENCE_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "execute/machine.h"

struct fence_ways;

/** From now on runs of a launch of so many blocks are watched. The caller releases it with fence_ways_end(). */
struct fence_ways *fence_ways_begin(struct machine *m, uint64_t blocks);
/** The run is over, in which block `last` came last; others follow. */
void fence_ways_had_last(struct fence_ways *f, uint64_t last);
/** A block that, in a run in which it was not the last, came by other fences than any of those that have been; false: there is none. */
bool fence_ways_next(const struct fence_ways *f, uint64_t *block);
void fence_ways_end(struct fence_ways *f);

#endif
