/**
 * @file decided.h
 * What a branch has decided, on the ways behind it: nvcc lets one comparison decide twice, once about a try and once about its end.
 */
#ifndef SOFTGPU_ANALYSE_DECIDED_H
#define SOFTGPU_ANALYSE_DECIDED_H

#include "code/image.h"

struct decided {
    const struct insn *compare;  /**< of whole numbers, in the registers that it reads; NULL: nothing is known */
    bool holds;                  /**< what it gave */
};

/** What has been decided when the comparison was made, whatever its registers hold since then. Without `compare`: nothing. */
struct decided decided_once(const struct function *f, const struct insn *branch, const struct insn *from);
/** What the branch, the last of its block, has decided where it leads to `from`. */
struct decided decided_by(const struct function *f, const struct insn *branch, const struct insn *from);

/** Where the branch leads that ends a block, as long as nobody has written what was compared. @return NULL: that is not known */
const struct insn *decided_way(const struct function *f, const struct decided *d, const struct insn *branch);

/** Where a block leads that is nothing but a branch, or begins with one, for who comes from the block that `last` ends and that has set the
 *  branch's predicate to a constant: so nvcc hands on what a function that it has inlined returns. @return NULL: that is not known */
const struct insn *decided_way_from(const struct function *f, const struct insn *last, const struct insn *branch);

/** Does the instruction write what was compared? */
bool decided_is_over(const struct decided *d, const struct insn *in);

#endif
