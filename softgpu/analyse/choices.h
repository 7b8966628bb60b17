/**
 * @file choices.h
 * A selp of which one arm depends on what a check has read, and a comparison that tells by which arm its result came: behind the branch by that, what is
 * made of the result may have nothing to do with what was read.
 */
#ifndef SOFTGPU_ANALYSE_CHOICES_H
#define SOFTGPU_ANALYSE_CHOICES_H

#include "analyse/carried.h"

struct choice {
    const struct insn *choice, *same; /**< the selp, NULL: none; the comparison of its result with that arm */
    uint32_t arm;
    struct carried made;              /**< what of that which depends on the value is made of the choice alone */
};

/** Past one instruction; `depends`: what depends on the value before it. */
void choice_note(struct choice *c, const struct carried *depends, const struct insn *in);
/** Past a branch that the thread does not take: what has nothing to do with the value there, drops out. */
void choice_part(const struct choice *c, const struct insn *branch, struct carried *depends, struct carried *value);

#endif
