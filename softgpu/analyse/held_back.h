/**
 * @file held_back.h
 * Loads whose value goes only where a guard holds back lanes: `ld %a, [p]; add %a, %a, 1; @%q st [p], %a`. A compiler that spreads
 * fewer elements than a block has threads (Triton) has the others load, too, and only the first ones store. Where the guard holds a
 * lane back, what it got reaches nothing.
 */
#ifndef SOFTGPU_ANALYSE_HELD_BACK_H
#define SOFTGPU_ANALYSE_HELD_BACK_H

#include "code/image.h"

#define HELD_WAY 256     /* instructions behind the load; a longer way is not followed */
#define HELD_STEPS 24

/** One instruction on the way from the load that counts for who is held back. */
struct held_step {
    const struct insn *in;
    bool uses;   /**< takes the value to memory, in lanes that its guard lets through; else it makes such a guard, of nothing that is loaded */
};

struct held_uses {
    int count;
    struct held_step step[HELD_STEPS];   /**< in the order of the text */
};

/** All that takes the value of a weak load anywhere; NULL where that is more than guarded instructions, or cannot be told. */
const struct held_uses *load_held_uses(const struct function *f, const struct insn *load);

#endif
