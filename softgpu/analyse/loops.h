/**
 * @file loops.h
 * Loops: a branch back, and what stands in the text between its target and itself. With checks, a module's text is in the order of its flow
 * (decode/flow_layout.h): these are the flow's loops then, but where two ways lead into one.
 */
#ifndef SOFTGPU_ANALYSE_LOOPS_H
#define SOFTGPU_ANALYSE_LOOPS_H

#include "code/image.h"

#define LOOP_REGISTERS 64

/** Registers that may decide whether a loop goes on. */
struct deciders {
    uint32_t reg[LOOP_REGISTERS];   /**< offsets in the frame */
    int count;
    bool too_many;                  /**< there are more */
    const uint64_t *needed;         /**< before each instruction of the loop, a bit for each of the registers: what it holds
                                         there does decide. Other values share its place in the frame. */
};

struct loop {
    const struct insn *first, *last;   /**< the target, the branch back */
    struct deciders *deciders;         /**< loop_deciders()'s */
    int meets, meets_unseen;           /**< loop_meets()'s, loop_meets_unseen()'s */
};

enum loop_which { LOOP_INNERMOST, LOOP_OUTERMOST };

/** The shortest or the longest loop of `f` that holds `in`; NULL if none does. */
struct loop *loop_around(const struct function *f, const struct insn *in, enum loop_which which);

/** Between the start of the innermost loop that holds `in` and the last branch back to that start; first is
 *  NULL where there is none. A `continue` may be such a branch. */
struct loop loop_of_turns(const struct function *f, const struct insn *in);

/** Does a loop that holds `in` hold a barrier, a meeting of lanes, or a call? */
bool loop_meets(const struct function *f, const struct insn *in);
/** … or one of these of which observers are not told whenever lanes come through: a call, an arrival that waits for nobody, a barrier of the cluster, what is for whole warps? */
bool loop_meets_unseen(const struct function *f, const struct insn *in);

/**
 * What the guards of branches and exits in the loop depend on. A branch whose ways meet again in the loop counts if on one of
 * them a value is written that something which counts depends on, or something is done that other threads see: how long to sleep
 * decides nothing. That may add a register that does not matter, and then a loop seems to get somewhere; it leaves none out.
 * What a callee does is not looked at.
 */
const struct deciders *loop_deciders(const struct function *f, struct loop *l);

/** Of the deciders, those whose value behind `in`, which is in the loop, matters and is not what `in` itself has just written: a
 *  bit each. Not to be asked where there are too many. */
uint64_t loop_needs_behind(const struct loop *l, const struct deciders *d, const struct insn *in);

/** An atomic of one number that by its text leaves any value as it was: add 0, or 0, and all ones, a compare-and-swap of one value
 *  for itself. It is a strong read. */
bool insn_only_reads(const struct function *f, const struct insn *in);

/** Does the thread do nothing here that others, or it itself, would notice? It may load, too, also by such an atomic, and branch. */
bool insn_is_idle(const struct function *f, const struct insn *in);

/** A loop that nothing can end: what stands between the target of the branch back and itself only
 *  computes. The compiler makes such a loop of `while (flag == 0);` where flag is not volatile. */
bool loop_is_endless(const struct insn *branch_back);
/** Is a thread that comes to the instruction in such a loop, as far as the text goes on without another branch? */
bool loop_endless_from(const struct insn *in);

#endif
