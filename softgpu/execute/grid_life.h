/**
 * @file grid_life.h
 * A grid from its start to its release, for those who launch it.
 */
#ifndef SOFTGPU_EXECUTE_GRID_LIFE_H
#define SOFTGPU_EXECUTE_GRID_LIFE_H

#include "execute/grid.h"

/** Starts a grid; the caller has checked the launch against the device's limits. */
struct grid *grid_start(struct machine *m, const struct grid_config *config);
/** May the grids that depend on it begin beside it? All its blocks have said so or ended, one at least the first
 *  (PTX ISA 9.7.13.13). */
bool grid_lets_dependents(const struct grid *g);
/** Have all its blocks begun? */
bool grid_has_begun(const struct grid *g);
/** One of the grids that it awaits has ended, and what that wrote is visible. */
void grid_awaited_ended(struct grid *g);
/** Ends a stuck or unwanted grid with the given status. */
void grid_abort(struct grid *g, enum grid_status status);
/** Releases a grid that has ended. */
void grid_destroy(struct grid *g);
/** The first fault's sentence ("block (3,0,0) thread (9,0,0): …"), "" if none. */
const char *grid_fault_message(const struct grid *g);

#endif
