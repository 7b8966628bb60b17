/**
 * @file part_rows.h
 * Plain words of global memory that are parts of rows, each lane's beside the next lane's, in memory that the launch writes, too (shadow/row_parts.h).
 */
#ifndef SOFTGPU_CHECK_RACE_PART_ROWS_H
#define SOFTGPU_CHECK_RACE_PART_ROWS_H

#include "check/race/race.h"

struct plain_access;

/** The lanes `left` of an access. @return those that need a closer look, at words of their own */
uint32_t part_loads(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor);
uint32_t part_stores(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor);

#endif
