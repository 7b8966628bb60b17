/**
 * @file carried.h
 * Registers that hold one value, or something computed from it, followed in the order of the text.
 */
#ifndef SOFTGPU_ANALYSE_CARRIED_H
#define SOFTGPU_ANALYSE_CARRIED_H

#include "code/image.h"

#define MAX_CARRIED 32   /* what does not fit is left out */

struct carried {
    uint32_t reg[MAX_CARRIED];   /**< offsets in the frame */
    int count;
};

bool carried_in(const struct carried *c, uint32_t reg);
void carried_put(struct carried *c, uint32_t reg);
void carried_drop(struct carried *c, uint32_t reg);
/** What a load or an atomic gets. */
struct carried carried_result(const struct insn *load);
/** Past one instruction: what it computes from a carried register joins, what it overwrites leaves. */
void carried_compute(struct carried *c, const struct insn *in);
/** The same where only copies count, cvta included. */
void carried_copy(struct carried *c, const struct insn *in);

/** The register whose value the instruction copies; REG_NONE if it does not only copy one. */
uint32_t insn_copies(const struct insn *in);

/** The registers that hold a memory instruction's address when it is executed: copies of one that the basic block has, or
 *  makes, and that is no copy itself: `*origin`. */
struct carried carried_address(const struct function *f, const struct insn *access, uint32_t *origin);

#endif
