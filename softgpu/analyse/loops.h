/**
 * @file loops.h
 * Loops: a branch back, and what stands in the text between its target and itself.
 */
#ifndef SOFTGPU_ANALYSE_LOOPS_H
#define SOFTGPU_ANALYSE_LOOPS_H

#include "code/image.h"

#define LOOP_REGISTERS 64

/** Registers that decide whether a loop goes on. */
struct deciders {
    uint32_t reg[LOOP_REGISTERS];   /**< offsets in the frame */
    int count;
    bool too_many;                  /**< there are more */
};

struct loop {
    const struct insn *first, *last;   /**< the target, the branch back */
    struct deciders *deciders;         /**< loop_deciders()'s */
    int meets;                         /**< loop_meets()'s */
};

enum loop_which { LOOP_INNERMOST, LOOP_OUTERMOST };

/** The shortest or the longest loop of `f` that holds `in`; NULL if none does. */
struct loop *loop_around(const struct function *f, const struct insn *in, enum loop_which which);

/** Between the start of the innermost loop that holds `in` and the last branch back to that start; first is
 *  NULL where there is none. A `continue` may be such a branch. */
struct loop loop_of_turns(const struct function *f, const struct insn *in);

/** Does a loop that holds `in` hold a barrier, a meeting of lanes, or a call? */
bool loop_meets(const struct function *f, const struct insn *in);

/**
 * What the guards of branches and exits in the loop depend on, followed back through whatever computes it
 * in there, without regard to paths. That may add a register that does not matter, and then a loop seems
 * to get somewhere; it leaves none out. What a callee does is not looked at.
 */
const struct deciders *loop_deciders(const struct function *f, struct loop *l);

/** A loop that nothing can end: what stands between the target of the branch back and itself only
 *  computes. The compiler makes such a loop of `while (flag == 0);` where flag is not volatile. */
bool loop_is_endless(const struct insn *branch_back);
/** Is a thread that comes to the instruction in such a loop, as far as the text goes on without another branch? */
bool loop_endless_from(const struct insn *in);

#endif
