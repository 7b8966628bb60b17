/**
 * @file programmatic.h
 * Programmatic dependent launch: a kernel that may begin beside the one before it in its stream, its
 * prerequisite, as soon as all blocks of that one have let it (griddepcontrol.launch_dependents) or ended.
 * It completes after it.
 *
 * So it is with events that a launch records early (cudaLaunchAttributeProgrammaticEvent, LaunchCompletionEvent) and
 * a graph's edges from such ports: each is a mark that waits for a point within the kernel. Whoever comes after
 * the mark comes after what the kernel came after, and only by griddepcontrol.wait, if that, after the kernel.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_PROGRAMMATIC_H
#define SOFTGPU_RUNTIME_STREAM_PROGRAMMATIC_H

#include "runtime/state/operation.h"

/** Finds the prerequisite of an operation that is being issued, if its launch asked for one. */
void programmatic_issue(struct operation *op);
/** The same for a graph's kernel whose launch asked for it when it was captured: `last` is its prerequisite. */
void programmatic_behind(struct operation *op, struct operation *last);
/** Lets the running kernel `op` its dependents begin? */
bool programmatic_open(const struct operation *op);
/** A mark in `s` that comes after such a point of the kernel, which has been issued there, and after nothing else; the caller has a reference. */
struct operation *early_mark(struct operation *kernel, enum early_point point, bool awaited, struct stream *s);
/** `op` comes after `mark`, and so after what that has waited for. */
void early_inherit(struct operation *op, const struct operation *mark);
/** Has the running kernel come to the point that `mark` stands for? */
bool early_come(const struct operation *mark, const struct operation *kernel);
void early_drop(struct operation *op);
/** Fills in what the grid of `op`, which begins, has to know. */
void programmatic_begin(struct operation *op);
/** Some launch that waits to be begun may run beside `op`, and this seed has it so. */
bool programmatic_beside(const struct operation *op);
/** The grid of `op` may have ended; is it, as a whole, still to come after its prerequisite's end? */
bool programmatic_waits(const struct operation *op);
/** `op` is done; its grid is still there, if it had one. */
void programmatic_ended(struct operation *op);

#endif
