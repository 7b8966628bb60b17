/**
 * @file host.h
 * Copies and fills that the host issues, and the program's own loads and stores.
 */
#ifndef SOFTGPU_CHECK_RACE_HOST_H
#define SOFTGPU_CHECK_RACE_HOST_H

#include "check/race/race.h"
#include "execute/plain_access.h"

void host_operation(struct race *race, const struct host_op *op);
/** A grid begins: are there host operations that it is not ordered after? */
void host_grid_begin(struct race *race, const struct grid *g);
/** A kernel's access against those operations. `wrote`: the lanes that have written. */
void host_check_access(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t wrote);

/* host_touch.c */
/** A load or store by the program on the host. @return true if it is unordered with unfinished work */
bool host_touched(struct race *race, const struct host_touch *t);
/** Frees what is remembered of the host's threads. */
void host_thread_free(struct race *race);

static inline bool ranges_overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

/** Does what the host does meanwhile, and does not order, lie between the access's first byte and its last? Some range is unordered with a grid. */
bool host_meets(struct race *race, const struct warp *w, const struct plain_access *p);

/** May what the host does meanwhile matter to the access? */
static inline bool host_may_meet(struct race *race, const struct warp *w, const struct plain_access *p)
{
    return race->any_unordered_range && p->space == SPACE_GLOBAL && host_meets(race, w, p);
}

#endif
