/**
 * @file varies.h
 * Branches at which threads of one block may go different ways, and places that an atomic has given them.
 */
#ifndef SOFTGPU_ANALYSE_VARIES_H
#define SOFTGPU_ANALYSE_VARIES_H

#include "code/image.h"

#define VARIES_STEPS 256   /* computations that are followed back */

/**
 * Is what the branch's guard says made from the number of the thread, or from what an atomic gave it? Followed back through the
 * registers that it is computed from. What comes from memory is taken for the same in all threads, and so is what is further away
 * than VARIES_STEPS.
 */
bool branch_varies(const struct function *f, const struct insn *branch);

/** Is it made from the number of the block, or from what a plain load has read in global memory? Followed back alike. */
bool branch_varies_by_block(const struct function *f, const struct insn *branch);

/** The atomic from whose result the address of a memory access is made, as an element is chosen by a ticket; NULL if there is none, or
 *  if lanes have exchanged something on the way. Followed back alike. */
const struct insn *address_atomic(const struct function *f, const struct insn *access);

/** Is the address of a memory access made from what memory holds, or from what other lanes or a called function have given? Followed back alike. */
bool address_is_handed(const struct function *f, const struct insn *access);

/** Is it, or made from the number of the thread? Else all threads of a block that come there access one place. */
bool address_varies(const struct function *f, const struct insn *access);

/** Is it made from the number of the thread in its block (x), by sums and products with what other threads have alike, and by nothing else? Then two threads that come
 *  there in one turn of a loop come to different elements. Followed back alike. */
bool address_is_spread(const struct function *f, const struct insn *access);

typedef void address_visit_fn(void *self, const struct insn *in);
/** Shows the instructions from which the address of a memory access is made, in as wide registers as its own is: where pointers come from. Followed back
 *  alike, up to what loads the value. @return how many there were: VARIES_STEPS may be not all */
int address_each_source(const struct function *f, const struct insn *access, address_visit_fn *visit, void *self);

/**
 * Do all threads of a block go the same way there, each time that they come to it? What its guard says is made of numbers in the text, of arguments
 * and of what is the same for the whole block, and so is what decides at each branch whether one of these is made. Then threads that
 * part there are at different turns of a loop: one is behind the others. False where that is not known.
 */
bool branch_is_uniform(const struct function *f, const struct insn *branch);

#endif
