/**
 * @file async_touch.h
 * Private to asynchronous copies: what they read and write.
 */
#ifndef SOFTGPU_CHECK_RACE_ASYNC_TOUCH_H
#define SOFTGPU_CHECK_RACE_ASYNC_TOUCH_H

#include "check/race/race.h"
#include "execute/async_copy.h"

enum touch { TOUCH_READ, TOUCH_MAP /**< … through the tensormap proxy */, TOUCH_WRITE, TOUCH_UPDATE };

/** The actor's lane, or the agent that it acts as, accesses one side of a copy. `scratch` is too large to be made anew for
 *  each piece. */
void touch_side(struct actor *me, struct mem_access *scratch, const struct copy_side *side, const struct copy_side *from,
                enum touch how);
/** Lanes of the actor's warp, all at the time that it acts at, read their pieces of a copy's source, as a warp's plain read: whole words of memory that
 *  nobody has written to since the launch began. @return the lanes that are remembered so; the others are to be looked at one by one */
uint32_t touch_source(const struct actor *me, struct mem_access *scratch, const struct copy_side *from, uint32_t lanes);

#endif
