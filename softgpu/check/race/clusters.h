/**
 * @file clusters.h
 * Clusters of blocks: what their barrier passes on, and how long a block's shared memory is there for the others.
 */
#ifndef SOFTGPU_CHECK_RACE_CLUSTERS_H
#define SOFTGPU_CHECK_RACE_CLUSTERS_H

#include "check/race/race.h"

/** The block begins: it is in a cluster of several, or in none. */
void clusters_block_begin(struct block_state *bs);
/** It ends, and all that its threads know is still there: who uses its shared memory and is not known to have come before? */
void clusters_block_end(struct block_state *bs);
/** What could not be told while the launch ran: it may have been a race. */
void clusters_grid_end(struct race *race);

/** Adds to *all what lanes of a warp know, for threads of other blocks; with `relaxed` what they knew at their last fence of
 *  scope cluster or wider. Their clocks go on. */
void clusters_give(struct block_state *bs, const struct warp *w, uint32_t lanes, bool relaxed, struct knowledge **all);
/** The actor's lane accesses shared memory of another block: does it know that the block has begun? */
void clusters_check_begun(const struct actor *me, const struct mem_access *a);

/* Hooks of the observer. */
void race_cluster_arrive(void *self, const struct warp *w, const struct insn *in);
void race_cluster_wait(void *self, const struct warp *w, const struct insn *in);
void race_cluster_complete(void *self, const struct cluster *c);

#endif
