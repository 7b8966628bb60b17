/**
 * @file chance_advice.h
 * Where threads come to a place by a wait, a lock, a check or a sequence of looks that does not keep them apart, though they may have heard of each other
 * by chance. Private to advice.c; each returns false where it is not so.
 */
#ifndef SOFTGPU_CHECK_RACE_CHANCE_ADVICE_H
#define SOFTGPU_CHECK_RACE_CHANCE_ADVICE_H

#include "check/race/explain.h"
#include "report/finding.h"

/** Both have come past one wait for their turn, which an atomic has given them; without a fence between the two a thread may find there what was there
 *  before. */
bool advise_turn(struct finding *f, const struct actor *me, const struct insn *other);

/** A check and a store, or a plain look and an atomic, whose thread need not have come by the read that saw the other's signal: it was not meant to order
 *  the two. Within a block a barrier is what else orders them. */
bool advise_check(struct finding *f, const struct actor *me, const struct conflict_info *info, uint32_t signal_read);

/** Data that a sequence lock guards, plain: it is read beside writes, and forgotten then. */
bool advise_sequence(struct finding *f, const struct actor *me, const struct insn *other);

/** Is there a fence behind the lock, and one before it is given back, or do these order by themselves? */
bool lock_orders(const struct image *im, const struct insn *lock, const struct insn *at);

#endif
