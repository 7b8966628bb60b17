/**
 * @file block_phases.h
 * Private to the race checker: what a block's threads do between two barriers they do in any order (analyse/same_phase.h).
 */
#ifndef SOFTGPU_CHECK_RACE_BLOCK_PHASES_H
#define SOFTGPU_CHECK_RACE_BLOCK_PHASES_H

#include "analyse/same_phase.h"
#include "check/race/actor.h"
#include "check/race/explain.h"

/** Are two accesses made of one place in the source, as turns of a loop are that the compiler has unrolled? */
bool sites_of_one_place(const struct image *im, uint32_t a, uint32_t b);
/** How the write of a site stands to the actor's read, by the text. */
enum phase phase_of_write(const struct actor *me, uint32_t site);
/** Is the actor's read made once in a phase? */
bool phase_read_is_once(const struct actor *me, uint32_t site);

/**
 * Does the older value only make the thread wait for the next round? That is: its phase leads from the read to the write, and with the older value (info->old) it
 * comes to the phase's end with nothing that it has read, having changed nothing but what it changes with the newest, too, and maxima by hand of which it says so; and
 *   - it says so: a number stored or added at a place that all threads of the block use, a predicate that it brings to a barrier;
 *   - or who writes what is looked at says so;
 *   - or it does the same with both, where it matters only what that makes of memory (info->phase).
 */
bool phase_look_waits(const struct actor *me, const struct conflict_info *info);
/**
 * The same of a look that the thread has seen a later signal of, whatever the two threads are: who misses a write comes by it itself. With the older value it
 * changes nothing but what it changes with the newest, too, with other values where that is a relaxed minimum (maximum), or what it says by a store or a bit: who
 * says so by a count says how often; and
 *   - with the newest, it comes by the write that it has missed and says so, as whoever wrote there does;
 *   - or it looks at as many places and does the same with both, but that it stores anew what it has missed, and leaves it as it is;
 *   - or it does just the same with both, and comes by the write or has missed a minimum (maximum).
 */
bool signal_look_waits(const struct actor *me, const struct conflict_info *info);

#endif
