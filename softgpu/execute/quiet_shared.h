/**
 * @file quiet_shared.h
 * Quiet reads: while no thread of a block can store to its shared memory (analyse/quiet.h), what it reads there cannot race, and no observer need be told of it.
 * Compiled code makes use of that, and loads of matrices (tensor/direct.c); other reads that are interpreted are told. block->quiet: so many bytes, from the first on, may be read so; 0 up to such a barrier, and behind any other.
 * block->calm: beyond those only they need hear of a plain load who are asked each time whether they must (plain_idle), as of a padded tile, part of which holds nothing.
 */
#ifndef SOFTGPU_EXECUTE_QUIET_SHARED_H
#define SOFTGPU_EXECUTE_QUIET_SHARED_H

#include "execute/grid.h"

struct worker;

/** Where there stands how many reads nobody need be told of (plain_list.h); where nobody ever wants one, the worker's own count. */
uint64_t *quiet_untold(struct worker *k);
/**
 * A barrier of the block has completed; the observers know. Sets b->quiet and b->calm.
 * @param barrier  where all the block's threads have waited, each warp as a whole; NULL: they have not, or not there
 */
void quiet_shared_begin(struct block *b, const struct insn *barrier);

#endif
