/**
 * @file updates.h
 * Which accesses of a race are halves of an update: a place is read, and written by what was read. Private to the advice.
 */
#ifndef SOFTGPU_CHECK_RACE_UPDATES_H
#define SOFTGPU_CHECK_RACE_UPDATES_H

#include "code/image.h"

/** A load and a store of one line that name the same address: an update in place. */
bool same_address(const struct image *im, const struct insn *a, const struct insn *b);

/** Does the code load from the store's address, too, so that the two are one update? */
bool is_update(const struct image *im, const struct insn *store);

/** Are the two halves of updates of the same lines: of one, or of two turns of a loop that the compiler has unrolled? NULL: not known. */
bool update_in_place(const struct image *im, const struct insn *a, const struct insn *b);

/** Does a thread load a place and store there later: an update in two steps? What shares a macro's line need not be one. */
bool is_loaded_then_stored(const struct image *im, const struct insn *a, const struct insn *b);

/** Does the load's own thread store there later, on the line of the store: a check, and an act? In an unrolled loop the two may be of different turns.
 *  Not where one of the threads that look is chosen by its number to store. */
bool is_checked_then_stored(const struct image *im, const struct insn *a, const struct insn *b);

/** … and does the load decide whether it stores, and what it stores not come from memory: a mark that the first to come is to leave? Or what the load's
 *  value was compared with: a maximum by hand. */
bool is_claimed(const struct image *im, const struct insn *a, const struct insn *b);

/** Is one of the two a load, behind which its thread updates what it has read by an atomic as the other is, without a barrier between? */
bool looks_before_atomic(const struct image *im, const struct insn *a, const struct insn *b);

/** Does the load's thread ask whether it is one number that stands where it has just worked an atomic of the other's line, whose result nobody looks at? */
bool looks_behind_atomic(const struct image *im, const struct insn *load, const struct insn *atomic);

/** One line's load and store: does the line store first, and is nothing loaded there before? */
bool stores_first(const struct image *im, const struct insn *a, const struct insn *b);

#endif
