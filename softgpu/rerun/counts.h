/**
 * @file counts.h
 * What a launch that has run several times is measured by.
 */
#ifndef SOFTGPU_RERUN_COUNTS_H
#define SOFTGPU_RERUN_COUNTS_H

#include "execute/grid.h"

/** What a launch is measured by: its natural run, since other schedules split warps as no GPU would. */
void counts_copy(struct grid *to, const struct grid *from);
/** A copy of the grid, whose `uses` are its own, to be freed. */
void counts_begin(struct grid *to, const struct grid *from);
/** Of what the schedule decides, how many blocks write an object and how often it comes down to 0, the most
 *  that any run shows is kept; of how much one block does of what is done with an object, the least. */
void counts_keep_most(struct grid *kept, const struct grid *other);

#endif
