/**
 * @file retries.h
 * Ways on which a thread only looks, and comes back to where it was: another try.
 */
#ifndef SOFTGPU_ANALYSE_RETRIES_H
#define SOFTGPU_ANALYSE_RETRIES_H

#include "code/image.h"

/**
 * Does every way (but those that the branch behind the load has decided not to take) from `from`, where a branch behind the load leads, come back to where the load is made once more, as if the thread
 * had come there for the first time, only later? So it is if
 *   - it does nothing on the way but compute, look and fence;
 *   - each register that has been written since the load's own basic block and is read again from there on holds what has been
 *     looked at: by a strong load, or by a compare-and-swap, of one location; and what it held the first time came from there, too,
 *     with nothing but looks since.
 * The place in a queue is such a register: it is read anew before the slot is looked at again. A count of tries is none.
 */
bool leads_to_retry(const struct function *f, const struct insn *load, const struct insn *from);

/** Does a register hold at a load that stands in a loop, whichever way the thread has come there, what it has looked up in one location, the same in
 *  every turn of all loops around the load, with nothing but looks since, or what the load's block has made of that? So it is with the place in a queue when the slot is
 *  looked at. `*by`: a look at that location, if NULL; else one that it has to be. */
bool holds_what_was_looked_at(const struct function *f, const struct insn *load, uint32_t reg, const struct insn **by);

#endif
