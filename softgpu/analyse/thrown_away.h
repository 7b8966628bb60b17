/**
 * @file thrown_away.h
 * Loads whose value may be thrown away. The compiler moves a load out of `t == last ? tile : 0` or `t > 5 && flag` to where
 * all threads execute it, and lets a `selp`, or an `and` of predicates, drop what it got. Where that drops it the program has
 * not read anything.
 */
#ifndef SOFTGPU_ANALYSE_THROWN_AWAY_H
#define SOFTGPU_ANALYSE_THROWN_AWAY_H

#include "code/image.h"

#define KEPT_STEPS 16   /* a longer way to where the value is dropped is not followed */
#define KEPT_VALUES 8
#define KEPT_RESULTS 32

/** One instruction on the way from the load, which all lanes go alike. */
struct kept_step {
    const struct insn *in;
    bool known;   /**< depends on nothing that is loaded on the way: it can be computed ahead */
};

/** From behind a load to where its value must have been dropped. */
struct kept_way {
    int count, values, results;   /**< results: that the steps write, in all */
    struct kept_step step[KEPT_STEPS];
    uint32_t value[KEPT_VALUES];  /**< registers that are read behind the way and then hold what was made of the value */
};

/** Does `in` drop source `index` in lanes where another one, `*by`, says so? */
bool insn_may_drop(const struct insn *in, unsigned index, uint32_t *by);

/** The way behind a weak load whose value may be dropped on it; NULL where it is always used (behind the way a register holds it in every lane),
 *  or the way cannot be followed. */
const struct kept_way *load_kept_way(const struct function *f, const struct insn *load);

#endif
