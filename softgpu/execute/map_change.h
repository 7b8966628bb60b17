/**
 * @file map_change.h
 * Private to execute/: tensor maps in memory.
 */
#ifndef SOFTGPU_EXECUTE_MAP_CHANGE_H
#define SOFTGPU_EXECUTE_MAP_CHANGE_H

#include "code/tensor_map.h"
#include "execute/async_copy.h"
#include "execute/warp.h"

/** Reads the map at the address that the lane gives, and tells in `side` where it is; left as it was where there is none.
 *  @return false after a fault */
bool map_read(struct warp *w, const struct insn *at, int lane, struct tensor_map *map, struct copy_side *side);

#endif
