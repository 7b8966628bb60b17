/**
 * @file adversary.h
 * The chooser of check mode: where the race checker says that a read may return an older value, it now
 * and then does, so that a program which is not ordered is seen to go wrong.
 *
 * All that it chooses follows from the seed: the same seed and schedule give the same run.
 */
#ifndef SOFTGPU_RERUN_ADVERSARY_H
#define SOFTGPU_RERUN_ADVERSARY_H

#include <stdbool.h>
#include <stdint.h>

struct adversary;
struct machine;

/** NULL where the race checker does not watch: nobody knows then what a read may return. */
struct adversary *adversary_new(struct machine *m);
void adversary_free(struct adversary *a);
/** Chooses in the next run, of launch `op`; `honest`: reads that the program relies on for order return the
 *  newest value. Nothing happens where `a` is NULL. */
void adversary_begin(struct adversary *a, uint64_t seed, uint64_t op, bool honest);
/** The run is over: reads return the newest value again. */
void adversary_end(struct adversary *a);

#endif
