/**
 * @file range_reads.h
 * Plain reads of global memory that nobody has written to since the launch began: a warp's whole access is remembered as one
 * entry beside the shadow words (shadow/read_ranges.h).
 */
#ifndef SOFTGPU_CHECK_RACE_RANGE_READS_H
#define SOFTGPU_CHECK_RACE_RANGE_READS_H

#include "check/race/element.h"

/** Reads by the lanes `left` of an access, one behind the other, each half so, in two like halves, or anyhow. @return the lanes that are
 *  remembered; for the others the words are to be looked at, for they are not only read, or have room for them */
uint32_t range_load(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor);
/** The same of copies by all lanes of an access; the actor acts as their agent, and all are at its time. */
uint32_t range_copy(const struct actor *me, const struct mem_access *a, uint32_t floor);
/** The same of what is left of a plain access to global memory, as far as nothing has to be found out of its lanes. @return those that are left then */
uint32_t range_plain_load(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor);
/** A read by all lanes of an access that a loop may make: is it remembered with those that the loop made before? Then there is nothing left to do. */
bool range_turn(const struct actor *me, const struct mem_access *a, uint32_t floor);
bool range_plain_turn(const struct actor *me, const struct plain_access *p, uint32_t floor);
/** range_load() of one lane, where it reads by bytes. */
bool range_load_lane(const struct actor *me, const struct mem_access *a, int lane, uint32_t floor);
/** The same of lanes that read one word at `address`, which its shadow word has no room for. */
bool range_load_one(const struct actor *me, const struct mem_access *a, uint64_t address, uint32_t lanes, uint8_t flags, uint8_t unit);

#endif
