/**
 * @file counted_looks.h
 * Counted, and then looked: a thread counts by an atomic, and sees by another access whether its was the count that it waits for. Between the two
 * others may count, too: then two see it, or none.
 */
#ifndef SOFTGPU_ANALYSE_COUNTED_LOOKS_H
#define SOFTGPU_ANALYSE_COUNTED_LOOKS_H

#include "code/image.h"

#define COUNTED_MAKERS 8

/** How the look asks. Whether a count has come to a number, or further, is asked for the first time that it has: that is the number itself. */
enum counted_how { COUNT_IS, COUNT_HAS_RISEN, COUNT_HAS_FALLEN };

/** A strong look, one comparison of what it gives with a number, and a branch by that. Whether both are of one place
 *  shows when they run. */
struct counted_look {
    const struct insn *step, *look;   /**< nobody looks at what the step returns, and the look is no poll */
    bool by_block;                    /**< a barrier stands between: a thread counts for its block, and others of it look */
    uint32_t number;                  /**< the register that holds, when the thread looks, the number that it looks for; or a constant's. … or, behind
                                           the look, once these have made it: computations, and reads of parameters */
    const struct insn *maker[COUNTED_MAKERS];
    int makers;
    enum counted_how how;
    int more;                         /**< it is so many more: < 1 is 0 */
    bool is_signed;
    bool twice;                       /**< who finds it does what two must not do: counts elsewhere, calls, updates, begins the count anew */
};

struct counted_looks {
    int count;
    struct counted_look *list;
};

/** All of a function with a body; never NULL. */
const struct counted_looks *counted_looks_of(const struct function *f);

#endif
