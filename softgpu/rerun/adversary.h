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

/** What reads return that the program relies on for order: the older value one time in three, never, always, or three times
 *  in four. Always means, too, what a fence.sc lets through that does not reach the others. */
enum shows { SHOWS_DRAWN, SHOWS_NEWEST, SHOWS_OLDER, SHOWS_MOSTLY_OLDER };

/** NULL where the race checker does not watch: nobody knows then what a read may return. */
struct adversary *adversary_new(struct machine *m);
void adversary_free(struct adversary *a);
/** race_passed_over(), where races are checked. */
bool adversary_passed_over(const struct adversary *a, uint64_t op);
/** Chooses in the next run, of launch `op`. Where `relied_on` is the older value, other strong reads return the newest
 *  one. Nothing happens where `a` is NULL. */
void adversary_begin(struct adversary *a, uint64_t seed, uint64_t op, enum shows relied_on);
/** The run is over: reads return the newest value again. */
void adversary_end(struct adversary *a);

#endif
