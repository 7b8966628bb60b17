/**
 * @file origin.h
 * Where the address of a memory access comes from: a value, and a distance from it that is added on the way.
 */
#ifndef SOFTGPU_ANALYSE_ORIGIN_H
#define SOFTGPU_ANALYSE_ORIGIN_H

#include <stddef.h>

#include "code/image.h"

struct origin {
    const struct insn *made;   /**< the one instruction that makes the value; NULL: an absolute address */
    uint32_t reg;              /**< that it makes it in */
    int64_t offset;            /**< from there to what is accessed */
};

/** Follows copies and sums with constants. @return false where several instructions may have made the value */
bool origin_of(const struct function *f, const struct insn *access, struct origin *out);

/** Do two accesses name one location and as many bytes there, if both follow one making of the value? */
bool origins_agree(const struct function *f, const struct insn *access, const struct insn *other);

/** The number of so many bytes that a register holds when the thread comes to `at`, if the text says it: copies are followed. @return false if not */
bool origin_number(const struct function *f, const struct insn *at, uint32_t reg, size_t bytes, uint64_t *number);

/** Is what a register holds at `at` what another one holds at `other_at`, but for numbers that the text adds to either? *number: how much more.
 *  @return false also where several instructions may have made one of them */
bool origins_differ_by(const struct function *f, const struct insn *at, uint32_t reg, const struct insn *other_at, uint32_t other_reg, uint64_t *number);

#endif
