/**
 * @file forgotten_rows.h
 * Rows of shadow words of which nothing is remembered since a launch began, so that any access may come: for whole_rows.c, and for check/rows, which is made
 * for processors with vectors.
 */
#ifndef SOFTGPU_CHECK_RACE_FORGOTTEN_ROWS_H
#define SOFTGPU_CHECK_RACE_FORGOTTEN_ROWS_H

#include "check/race/shadow/shadow_rows.h"
#include "execute/plain_access.h"

/** The row at byte `at` of the allocation, whose shadow is there; NULL: none begins there, or nothing has been remembered of it yet. */
static inline struct shadow_row *row_known(const struct allocation *al, uint64_t at)
{
    const struct shadow *s = al->shadow;
    struct shadow_row *chunk = s->chunk[at / CHUNK_BYTES];
    return at % ROW_BYTES || at + ROW_BYTES > al->bytes || !chunk ? NULL : &chunk[at / ROW_BYTES % CHUNK_ROWS];
}

/** Is nothing remembered of it by agents from `floor` on? */
static inline bool row_is_forgotten(const struct shadow_row *row, uint32_t floor)
{
    return !row->words && !row->parted && !row->under && row->write.agent < floor && row->read.agent < floor;
}

/** Begins to fetch the `count` rows that may well be wanted soon after those that lane `lane` begins; of one to be stored, what it holds before, too. */
static inline void fetch_rows_ahead(const struct plain_access *p, int lane, size_t count)
{
    uint64_t at = p->at[lane] + (uint64_t)p->ahead;
    const struct shadow *s = p->allocation->shadow;
    if (!p->ahead || !s || at >= p->allocation->bytes || !s->chunk[at / CHUNK_BYTES])
        return;
    struct shadow_row *chunk = s->chunk[at / CHUNK_BYTES];
    const uint8_t *row = (const uint8_t *)&chunk[at / ROW_BYTES % CHUNK_ROWS];
    __builtin_prefetch(row, 1);
    __builtin_prefetch(row + count * sizeof(struct shadow_row) / 2, 1);
    __builtin_prefetch(row + count * sizeof(struct shadow_row) - 1, 1);
    if (count == 1)
        __builtin_prefetch(shadow_chunk_old(chunk, at / ROW_BYTES % CHUNK_ROWS), 1);
}

#endif
