/**
 * @file decides.h
 * Loads whose value decides about one branch and is used for nothing else.
 */
#ifndef SOFTGPU_ANALYSE_DECIDES_H
#define SOFTGPU_ANALYSE_DECIDES_H

#include "analyse/spared.h"

#define DECIDES_STEPS 16   /* computations and loads between a load and its branch; more are not followed */

/** What lies on one side of the branch. */
struct decided_side {
    bool unused;    /**< nothing that was made of the value is read there */
    bool looks;     /**< and the thread does nothing but look until it reads the same location again, or until what it has read since
                         takes it out of the loop; or it tries again (retries.h), or comes to a swap that fails (swaps.h) */
    struct spared spared;   /**< all that the thread does there before it comes to the other side, where nothing made of the value is read
                         either */
};

/** Between the load and the branch are only computations, and loads of one element from where the value does not lead. */
struct decision {
    const struct insn *branch;
    struct decided_side side[2];   /**< behind it; at its target */
};

/** What the load's value decides; NULL if that cannot be told. */
const struct decision *load_decides(const struct function *f, const struct insn *load);

#endif
