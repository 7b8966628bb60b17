/**
 * @file form.h
 * How the values of a register grow from lane to lane, as far as the text of a function says it: what is the same in all lanes, and a constant
 * times %tid.x (`step`). Warps lie in their block as one row, or as two of 16 threads, or anyhow: that is known when the code begins (`%rows` in
 * emit.h). In a row such a register grows by `step` from each lane to the next, in two rows it does so in each half of the warp. So nobody needs to
 * look at each lane's address.
 *
 * The form is that of all lanes' values in the compiled code, those that do not run included, and of all writes of a web together. A write that
 * leaves some lanes what they had has none.
 *
 * A number of 32 bits that is extended to 64 may wrap in between two lanes. Then what is made of it has a jump there, at most one in a warp, so that
 * its last lane tells whether there is one.
 */
#ifndef SOFTGPU_COMPILE_FORM_H
#define SOFTGPU_COMPILE_FORM_H

#include "compile/plan.h"

enum form_kind {
    FORM_UNWRITTEN,  /**< no write is known yet */
    FORM_EVEN,
    FORM_ANY
};

struct form {
    enum form_kind kind;
    int64_t step;
    bool wraps;      /**< of 64 bits: where the last lane is not 31 steps from the first, some lane in between is not where it should be, either */
};

/** Finds the forms of all webs of a plan that has everything else. */
void form_find(struct plan *p);
/** The form of a register that instruction `i` reads, or of a literal. */
struct form form_of(const struct plan *p, int i, uint32_t reg);

#endif
