/**
 * @file whole_rows.h
 * The common case of plain loads and stores: half a warp, one word a lane, one after another, fills a row of shadow words
 * (shadow_row) in which everything is plainly ordered. Then one epoch is looked at and changed.
 */
#ifndef SOFTGPU_CHECK_RACE_WHOLE_ROWS_H
#define SOFTGPU_CHECK_RACE_WHOLE_ROWS_H

#include "check/race/race.h"

struct mem_access;

/** For accesses of plain words (one weak element of 4 bytes). @return the lanes of `a` that are done; the others need a closer
 *  look, at words of their own */
uint32_t rows_load(const struct actor *me, const struct mem_access *a, uint32_t floor);
uint32_t rows_store(const struct actor *me, const struct mem_access *a, uint32_t floor);
/** The same of accesses of several words a lane by a whole warp (mem_access.even). */
uint32_t even_load(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor);
uint32_t even_store(const struct actor *me, const struct mem_access *a, uint32_t floor);
uint32_t plain_rows_load(const struct actor *me, const struct plain_access *p, uint32_t floor);
uint32_t plain_rows_store(const struct actor *me, const struct plain_access *p, uint32_t floor);

#endif
