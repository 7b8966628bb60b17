/**
 * @file locks.h
 * Which accesses of a race are made under a lock, as far as the code tells. Private to the advice.
 */
#ifndef SOFTGPU_CHECK_RACE_LOCKS_H
#define SOFTGPU_CHECK_RACE_LOCKS_H

#include "code/image.h"

/** The atomic by which a thread takes the lock under which it comes to `at`: tried again until it succeeds, before that, and
 *  its place is written behind it. NULL: there is none. A flag that is taken back when it is seen is no lock. */
const struct insn *lock_before(const struct image *im, const struct insn *at);

/** Where its place is written, behind `behind`, which stands under it: NULL if nowhere. */
const struct insn *lock_given_back(const struct image *im, const struct insn *taken, const struct insn *behind);

/** The atomic that takes the lock which the store gives back; NULL if it does not. */
const struct insn *lock_at(const struct image *im, const struct insn *store);

#endif
