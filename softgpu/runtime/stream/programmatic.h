/**
 * @file programmatic.h
 * Programmatic dependent launch: a kernel that may begin beside the one before it in its stream, its
 * prerequisite, as soon as all blocks of that one have let it (griddepcontrol.launch_dependents) or ended.
 * It completes after it.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_PROGRAMMATIC_H
#define SOFTGPU_RUNTIME_STREAM_PROGRAMMATIC_H

#include "runtime/state/operation.h"

/** Finds the prerequisite of an operation that is being issued, if its launch asked for one. */
void programmatic_issue(struct operation *op);
/** Lets the running kernel `op` its dependents begin? */
bool programmatic_open(const struct operation *op);
/** Fills in what the grid of `op`, which begins, has to know. */
void programmatic_begin(struct operation *op);
/** Some launch that waits to be begun may run beside `op`, and this seed has it so. */
bool programmatic_beside(const struct operation *op);
/** The grid of `op` may have ended; is it, as a whole, still to come after its prerequisite's end? */
bool programmatic_waits(const struct operation *op);
/** `op` is done; its grid is still there, if it had one. */
void programmatic_ended(struct operation *op);

#endif
