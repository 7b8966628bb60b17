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

#define MOST_PIECES 8

/** Where a thread comes along behind an instruction: pieces of the text, one after another. */
struct pieces {
    int count;                 /**< more than MOST_PIECES: not all are kept */
    struct piece {
        const struct insn *from, *to;   /**< `to` is not one of them any more */
    } piece[MOST_PIECES];
};

/** The thread comes to `in`. */
void pieces_note(struct pieces *p, const struct insn *in);

/** Do they name one location for who comes by `access` and then, that way, to `other`? There another way may lead, too, with another location. */
bool origins_agree_on_way(const struct function *f, const struct insn *access, const struct pieces *way, const struct insn *other);

/** The one instruction that has written what the register holds when the thread comes to `at`; NULL: there are several, or none on some way. */
const struct insn *register_writer(const struct function *f, const struct insn *at, uint32_t reg);

/** nvcc adds an index to a generic address and to the same one in global memory: the first sum of its block that adds the same, which may be
 *  itself. Whoever comes by one of them comes by the other. Of what is no such sum, itself. */
const struct insn *first_such_sum(const struct function *f, const struct insn *sum);

/** What it copies, or adds a number to, and does nothing else; REG_NONE: it is no such instruction. */
uint32_t insn_adds_to(const struct insn *in);

/** The number of so many bytes that a register holds when the thread comes to `at`, if the text says it: copies are followed. @return false if not */
bool origin_number(const struct function *f, const struct insn *at, uint32_t reg, size_t bytes, uint64_t *number);

/** Is what a register holds at `at` what another one holds at `other_at`, but for numbers that the text adds to either? *number: how much more. What is loaded
 *  twice by plain loads, and not written by the function, is the same.
 *  @return false also where several instructions may have made one of them */
bool origins_differ_by(const struct function *f, const struct insn *at, uint32_t reg, const struct insn *other_at, uint32_t other_reg, uint64_t *number);

#endif
