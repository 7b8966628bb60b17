/**
 * @file inline_known.h
 * What is known of a function's registers on a way through it that code for debugging takes: predicates and integers that are set to numbers, and what
 * copies, comparisons, conversions and masks make of them. (A function's `return true` is a number that its caller masks, compares and branches by.)
 */
#ifndef SOFTGPU_DECODE_INLINE_KNOWN_H
#define SOFTGPU_DECODE_INLINE_KNOWN_H

#include "parse/module.h"

#define MOST_KNOWN 16

/** What registers hold wherever they are read, those that one instruction alone writes; by register. */
struct constants {
    bool *is;
    uint64_t *value;
};

/** @param made  only_writers_of() */
struct constants always_known(const struct ptx_function *f, const int *made);
void always_known_free(struct constants *c);

/** What always makes the same number is that number. @param made  only_writers_of() */
void numbers_are_named(struct ptx_module *m, struct ptx_function *f, const int *made);
/** A predicate that became a number, which was converted, masked, and compared, is what is asked for. @param made  only_writers_of() */
void answers_are_asked_once(struct ptx_function *f, const int *made);

/** The latest of them. */
struct known {
    const struct constants *always; /**< or NULL */
    int reg[MOST_KNOWN], count;
    uint64_t value[MOST_KNOWN];
};

bool known_value(const struct known *k, int reg, uint64_t *value);
/** Past an instruction. @return whether it does no more than make something known */
bool known_past(const struct ptx_function *f, struct known *k, const struct ptx_instr *pi);

#endif
