/**
 * @file rows_vectors.h
 * Private to check/rows: its functions by vectors, once for each kind of processor that has them.
 */
#ifndef SOFTGPU_CHECK_ROWS_ROWS_VECTORS_H
#define SOFTGPU_CHECK_ROWS_ROWS_VECTORS_H

#include "base/vectors.h"
#include "execute/plain_list.h"

/** Which of plain_rows.self and .slot is whose. */
enum rows_self { ROWS_RACE, ROWS_UNINIT, ROWS_DEADLOCK };

extern const struct plain_rows rows_vectors_avx2, rows_vectors_avx512;

/** Those for this processor; NULL: it goes lane by lane, and nothing is done at once. */
static inline const struct plain_rows *rows_vectors(void)
{
    return VECTORS_OF(rows_vectors);
}

#endif
