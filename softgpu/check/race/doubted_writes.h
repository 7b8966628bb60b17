/**
 * @file doubted_writes.h
 * Private to write.c: two strong writes of one place, in an order that the program relies on and nothing makes. Which of them stays?
 */
#ifndef SOFTGPU_CHECK_RACE_DOUBTED_WRITES_H
#define SOFTGPU_CHECK_RACE_DOUBTED_WRITES_H

#include "check/race/element.h"

/** Which of two writes stays that another thread of the block has made between the same barriers? In the order of the code it may be always the same. */
void doubt_phase(const struct actor *me, const struct mem_access *a, int element, const struct epoch *e, uint64_t before, uint64_t now);

/** Has the thread heard of something that the last write's thread has done later, though nothing orders the two? Then that write may land over this one,
 *  which leaves `now` in place of `before`. Who has read it, or knows somebody who has, comes after it. `c` and `unit`: of the element's first unit, before
 *  the write is remembered, or what an atomic finds. Of elements of up to 8 bytes. */
void doubt_landing(const struct actor *me, const struct mem_access *a, int element, const struct shadow_word *c, uint8_t unit, uint64_t before, uint64_t now);

#endif
