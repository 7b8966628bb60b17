/**
 * @file loop_waits.h
 * Private to model/: threads of an execution that wait for ever, each in a loop of one or more reads.
 *
 * What a turn consists of may depend on what the read at hand returns: a lock's poll comes back at once while the lock is held, and by way of
 * the swap that failed behind it when it is free. So the writes that make a thread come back are taken apart by how many reads the turn has.
 *
 * A thread goes on for ever if every read of its turn returns, from some turn on, the value that the last write of its location leaves: not
 * the one that it has read, which a swap of its own, one that put back what was there, may have followed.
 */
#ifndef SOFTGPU_MODEL_LOOP_WAITS_H
#define SOFTGPU_MODEL_LOOP_WAITS_H

#include "model/candidate.h"

struct search;
struct point;

struct loop_wait {
    event_set idle;      /**< the writes with which its read makes the thread come back, */
    int reads;           /**< and how many reads a turn has then */
};

/** Calls `way` for each choice of one loop for each thread that waits, which stand in search.loop then. */
void loops_each(struct search *s, const struct point *p, void (*way)(struct search *s, const struct point *p));
/** Does the thread go on for ever, as far as it is this location's reads that decide, if the write `last` ends its coherence order? */
bool loops_let_wait(const struct search *s, const struct point *p, int thread, int location, int last);

#endif
