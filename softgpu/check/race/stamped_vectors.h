/**
 * @file stamped_vectors.h
 * Private to stamped_accesses.c and those who make its functions by vectors, once for each kind of processor that has them.
 */
#ifndef SOFTGPU_CHECK_RACE_STAMPED_VECTORS_H
#define SOFTGPU_CHECK_RACE_STAMPED_VECTORS_H

#include "base/vectors.h"
#include "check/race/stamps.h"

/** stamps_load(), _store(), _join(), _take_load(), _take_store() */
struct stamped_vectors {
    uint32_t (*load)(const struct actor *me, const struct plain_access *p);
    uint32_t (*store)(const struct actor *me, const struct plain_access *p);
    bool (*join)(const struct actor *me, const struct plain_access *p);
    bool (*take_load)(struct race *race, const struct warp *w, const struct plain_access *p);
    bool (*take_store)(struct race *race, const struct warp *w, const struct plain_access *p);
};

extern const struct stamped_vectors stamped_vectors_avx2, stamped_vectors_avx512;

/** Those for this processor; NULL: it goes lane by lane. */
static inline const struct stamped_vectors *stamped_vectors(void)
{
    return VECTORS_OF(stamped_vectors);
}

#endif
