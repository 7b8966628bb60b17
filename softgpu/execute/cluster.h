/**
 * @file cluster.h
 * Private to execute/, but for cluster_first(): clusters of blocks (PTX ISA 2.2.2), what belongs to them and how long.
 */
#ifndef SOFTGPU_EXECUTE_CLUSTER_H
#define SOFTGPU_EXECUTE_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct cluster;
struct grid;
struct grid_config;
struct insn;
struct warp;

/** A cluster of the grid, without blocks; it is released with the last of them. */
struct cluster *cluster_new(const struct grid *g);
/** The linear index of block `rank` of cluster `number`. */
uint64_t cluster_block(const struct grid *g, uint64_t number, uint32_t rank);
/** The linear index of the first block of the cluster that block `block` of a launch is in: the same where there are no clusters. */
uint64_t cluster_first(const struct grid_config *c, uint64_t block);
/** The linear index of the block of that rank in a block's cluster. */
uint64_t cluster_mate(const struct block *b, uint32_t rank);
/** Blocks of the cluster that the launch puts a block into, and its rank there. */
uint32_t cluster_place(const struct block *b, uint32_t *rank);
/** For a thread that runs alone: the blocks of its cluster, by rank, of which nothing but their shared memory is there. Its own is not used.
 *  The caller frees them, after the grid. */
struct block *cluster_stand_ins(const struct grid_config *c, uint64_t block);
/** The block, whose threads are counted, begins as `rank` of the cluster. */
void cluster_enter(struct cluster *c, struct block *b, uint32_t rank);
/** The block ends. @param shared  the cluster has been made by cluster_new() */
void cluster_leave(struct block *b, bool shared);
/** The lanes in w->mask exit, which the block counts no more. */
void cluster_exit(struct warp *w, const struct insn *in);
/** … and with them the block's last ones: whoever uses its shared memory afterwards is told where. */
void cluster_note_exit(const struct warp *w, const struct insn *in);

/** An address in shared memory (of mapa), in the block of that rank: the plain one in the block's own. */
uint64_t cluster_mapped(const struct block *b, uint64_t address, uint32_t rank);
/** Likewise, with the rank in it in any case: it means the same in each block of the cluster. */
uint64_t cluster_ranked(uint64_t address, uint32_t rank);

/* cluster_barrier.c */

/** Lanes of the block have exited: the barrier that waited for them only completes. */
void cluster_exited(struct block *b);

#endif
