/**
 * @file operands.h
 * The registers that an instruction reads and writes: all of them, wherever they are kept. One iterator
 * for every analysis.
 *
 *     struct operand_iter it = operands_of(in);
 *     for (struct operand o; operands_next(&it, &o);)
 *         …
 *
 * Reads come before writes: the guard, the sources, what the descriptor adds; then results. Constants are
 * given too (reg & CONST_BIT), sinks are not. A guarded write leaves the other lanes' value as it was.
 */
#ifndef SOFTGPU_CODE_OPERANDS_H
#define SOFTGPU_CODE_OPERANDS_H

#include "code/insn.h"

enum operand_role {
    ROLE_SOURCE,     /**< a value that goes into the result, or to memory, or decides about a branch */
    ROLE_GUARD,      /**< the predicate of `@p` */
    ROLE_ADDRESS,    /**< of a memory access, or of the function that is called */
    ROLE_ARGUMENT,   /**< of a call */
    ROLE_RESULT,
};

struct operand {
    uint32_t reg;
    uint8_t width;   /**< bytes that the instruction looks at; 1: a predicate; 0: the row does not tell */
    uint8_t role;    /**< enum operand_role */
    uint8_t index;   /**< of a source in the row's order: src[index], or the element of a vector */
    bool write;
};

struct operand_iter {
    const struct insn *in;
    int at;
};

static inline struct operand_iter operands_of(const struct insn *in)
{
    return (struct operand_iter){in, 0};
}

/** @return false at the end */
bool operands_next(struct operand_iter *it, struct operand *o);

/** Does it read the register, its guard included? */
bool insn_reads(const struct insn *in, uint32_t reg);
bool insn_writes(const struct insn *in, uint32_t reg);
/** Does one of those from `from` up to `to`, which is not looked at, write it? A constant is written by none. */
bool insns_write(const struct insn *from, const struct insn *to, uint32_t reg);

#endif
