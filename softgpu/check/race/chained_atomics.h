/**
 * @file chained_atomics.h
 * An atomic of a warp that goes on with what atomics of its kind have begun, as in a histogram: each lane's is one more contribution to its
 * word's chain, and nothing else is to be judged or remembered.
 */
#ifndef SOFTGPU_CHECK_RACE_CHAINED_ATOMICS_H
#define SOFTGPU_CHECK_RACE_CHAINED_ATOMICS_H

#include "check/race/element.h"

/** What the lanes of one atomic have in common. */
struct chained {
    bool may;                 /**< false: no lane's is of that kind */
    bool returns;
    uint8_t flags;
    uint32_t floor;
    struct contribution contribution; /**< all but who and when */
};

/** Is the atomic one in the block's own shared memory that passes on nothing, and of which no thread of its kernel hears? Then the last one on a word tells
 *  all that anybody asks for, and a number does (stamps.h). A later one lies at no later time: nothing is between them that could be told apart by it. */
bool chained_unheard(const struct actor *me);
void chained_begin(struct chained *c, const struct actor *me, uint32_t floor, bool returns);
/** The actor's lane. @return false: nothing has been done, atomic_element() is to do it */
bool chained_atomic(const struct chained *c, struct actor *me, const struct mem_access *a);

/** access_atomics() of a plain access, where each half of a warp may fill a row whose words go on so: what that leaves is put down once (row_atomics.h). */
void access_plain_atomics(struct race *race, const struct warp *w, struct plain_access *p, uint32_t lanes);

/** Would the atomic leave something else, had it come after a store of what it leaves? */
bool atomic_adds(const struct insn *in);
/** … or tell its thread something else, in this launch? */
bool atomic_tells(const struct launch *launch, const struct insn *in);

#endif
