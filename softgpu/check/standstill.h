/**
 * @file standstill.h
 * Waits that look at the clock: is it time that they wait for, or each other?
 *
 * While time goes on whoever keeps it in registers or local memory (a back-off, a time-out) is never twice in one state. So the clock is moved
 * far ahead, and held: what waits for time alone ends then. If all that runs only makes reads, in states, that it has made since, it goes round for ever
 * as long as time stands; then the clock is moved on again, for a wait may begin anew with a time of its own. After many such rounds nobody ends.
 */
#ifndef SOFTGPU_CHECK_STANDSTILL_H
#define SOFTGPU_CHECK_STANDSTILL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_set.h"

struct machine;

struct standstill {
    bool on;
    struct hash_set made;    /**< keys of reads since the clock was moved */
    uint64_t reads, newest;  /**< since then; the number of the last one that was new */
    uint64_t quiet;          /**< reads in all rounds in which everybody came to repeat himself */
    unsigned moved;
};

void standstill_begin(struct standstill *s, struct machine *m);
/** Something has come to pass; or it is not known what all the reads are about. The clock goes on. */
void standstill_end(struct standstill *s, struct machine *m);
/** A read, by so many groups of lanes that can run; `key` tells by whom, where, of what, and in which state. *known: it has been made before.
 *  @return false: there are too many to tell */
bool standstill_read(struct standstill *s, uint64_t key, bool *known);
/** Has everybody long come to repeat himself? That all have made a read is the caller's to see. */
bool standstill_repeats(const struct standstill *s, uint64_t groups);
/** A round is over. @return true if there have been so many that nobody will ever end: `enough` reads at least; else the clock has moved on */
bool standstill_round(struct standstill *s, struct machine *m, uint64_t enough);

#endif
