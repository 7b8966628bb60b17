/**
 * @file older_read.h
 * Private to the race checker: which older write may a read return? (older.c)
 */
#ifndef SOFTGPU_CHECK_RACE_OLDER_READ_H
#define SOFTGPU_CHECK_RACE_OLDER_READ_H

#include "check/race/element.h"

/** Older bytes of an element, where its shadow words have them. @return false if none has, or they are the same */
bool older_bytes(const struct unit *units, int n, uint64_t now, uint64_t *old);
/** On what does a strong read rely for order, which the last write is not ordered before? */
enum reliance {
    RELIES_NOT,         /**< on nothing that is known */
    RELIES_ON_SIGNAL,   /**< the reader has seen a later signal of the writer's */
    RELIES_ON_STEP,     /**< it has itself come by the store that wrote, to a place of its own, with its warp, or with its block in shared
                             memory, and has done nothing since but read: it exchanges with the others */
    RELIES_ON_TURN,     /**< the same, and a barrier of both came after its own store: the writer is a turn ahead */
    RELIES_ON_PHASE,    /**< a thread of its block has written since the last barrier, and both come by the write and the read without one between:
                             told only if something hangs on which comes first */
};
struct older_read {
    const struct past *write;   /**< that it returns */
    struct epoch missed;        /**< the next newer one */
    enum reliance relies;
    bool immaterial;            /**< but nothing hangs on which of the two it gets */
    bool asked;                 /**< what it relies on had to be looked for */
};
/** Need a read not see this write of the location, by causality or because it, or what comes before it, has read it? */
bool may_miss(const struct actor *me, const struct shadow_word *c, const struct past *w);
/** Which older write may a strong read return? None if the last must be seen: by causality, because it has been read by someone
 *  whom that orders before us, or by ourselves. The write before the last; where the program relies on an order with an
 *  earlier one, the write before that. */
bool older_read(const struct actor *me, const struct shadow_word *c, const struct mem_access *a, int element,
                struct older_read *out);

#endif
