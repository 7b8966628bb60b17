/**
 * @file tells.h
 * A thread that has updated a location says so to others: sets a flag, or counts. Whoever is told may look once more, as the
 * next round of a breadth-first search does, and then an update that another one has overwritten is made again.
 */
#ifndef SOFTGPU_ANALYSE_TELLS_H
#define SOFTGPU_ANALYSE_TELLS_H

#include "code/image.h"

/**
 * What `act` is executed with, where a comparison lets it be, goes from `from` up to `end` (what is guarded as `act` is, if `act` has a guard).
 * Is a number stored elsewhere there, or a counter raised, or a register set that decides such a thing later, or goes into an atomic or a barrier?
 */
bool act_tells(const struct function *f, const struct insn *act, const struct insn *from, const struct insn *end);

/** Does it put a number, or add one, somewhere: a flag, a counter? Not a compare-and-swap. */
bool insn_writes_number(const struct function *f, const struct insn *in);

/** Does a way lead from the look to a store of this very number there, as of a flag that is set if it is not yet set? */
bool look_finds_said(const struct function *f, const struct insn *look, uint64_t number);

/** Does a maximum by hand (ACT_PICKS) store by it, and its thread says that it has? */
bool store_is_told(const struct function *f, const struct insn *store);

/** Is it the look of a maximum by hand (ACT_PICKS) whose thread also says that it has updated? */
bool look_is_told(const struct function *f, const struct insn *look);

#endif
