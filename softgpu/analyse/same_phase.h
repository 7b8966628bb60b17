/**
 * @file same_phase.h
 * What comes between two barriers: threads do it in any order, unless something there orders them.
 */
#ifndef SOFTGPU_ANALYSE_SAME_PHASE_H
#define SOFTGPU_ANALYSE_SAME_PHASE_H

#include "code/image.h"

/** How a write stands to a read that a thread comes to with nothing between the two at which threads meet, or which orders memory. */
enum phase {
    PHASE_APART,        /**< not so */
    PHASE_WRITE_FIRST,  /**< whoever comes to the read has come by the write, or has gone round it where the ways have met since; of two writes: or each is on a way
                             of its own from a branch */
    PHASE_READ_FIRST,   /**< who reads comes to the write then, unless it goes round that */
};

/** Both are of `f`; `read` may be another write. A phase may go round a loop, from a barrier in one turn to that in the next. What a loop without a barrier does turn by turn is apart: its turns are no phases. So is
 *  what is done at places that memory leads to: who follows links takes them as they come; and what
 *  acquires, releases, or is a compare-and-swap. */
enum phase phase_between(const struct function *f, const struct insn *write, const struct insn *read);

/** Does a thread come from the read to the write with nothing between that ends a phase? Whatever leads to the two places. */
bool phase_leads_on(const struct function *f, const struct insn *write, const struct insn *read);

/** Does a phase end each time before a thread comes to the instruction again? So it does where it is in no loop. */
bool phase_ends_between(const struct function *f, const struct insn *in);

#endif
