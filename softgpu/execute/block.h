/**
 * @file block.h
 * Private to execute/: block slots and what they grow to.
 */
#ifndef SOFTGPU_EXECUTE_BLOCK_H
#define SOFTGPU_EXECUTE_BLOCK_H

#include "execute/grid.h"
#include "parse/types.h"

struct cluster;
struct grid_run;
struct worker;

/** Bounds on what one warp may grow to. */
#define MAX_FILE_BYTES (64u << 20)
#define MAX_LOCAL_BYTES (512u << 10)

/** A part of the register file in use: lanes of different callers may share one activation. */
struct activation {
    const struct function *function;
    uint32_t offset, bytes;
    uint32_t lanes;
};

/** @param c  the cluster that it is part of, as block `rank`; NULL: none */
struct block *block_start(struct worker *k, struct grid_run *run, uint64_t index, int sm, struct cluster *c, uint32_t rank);
/** Ends the block (done or aborted) and returns its slot. */
void block_finish(struct worker *k, struct block *b);
void block_free(struct block *b);
/** Grows the register file / the lanes' local memory; false at the bound. */
bool warp_grow_file(struct warp *w, uint64_t bytes);
bool warp_grow_local(struct warp *w, uint64_t bytes);

#endif
