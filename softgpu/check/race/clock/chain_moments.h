/**
 * @file chain_moments.h
 * When the contributions of a chain were made, by race->moment: of the first, and of every eighth or so. Nothing made before a write tells of it: so
 * whoever looks for signals of one need not look at what is older.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_CHAIN_MOMENTS_H
#define SOFTGPU_CHECK_RACE_CLOCK_CHAIN_MOMENTS_H

#include "check/race/clock/release_chain.h"

/** Contribution `at`, the last so far, has been made now. What is never marked (copies of chains, chains begun by the host) is not known to be old. */
void chain_mark(struct release_chain *m, int at, uint64_t moment);
/** A moment at which contribution `at` had not been made yet, or was being made; 0: none is known. */
uint64_t chain_moment(const struct release_chain *m, int at);
/** So many contributions, from the first on, are known to be older than that moment. */
int chain_older_than(const struct release_chain *m, uint64_t moment);

#endif
