/**
 * @file map_proxy.h
 * Tensor maps in memory: copies read them through a proxy of their own.
 */
#ifndef SOFTGPU_CHECK_RACE_MAP_PROXY_H
#define SOFTGPU_CHECK_RACE_MAP_PROXY_H

#include "check/race/race.h"
#include "execute/async_copy.h"

/** fence.proxy.tensormap::generic of the acting lane: */
void map_proxy_release(struct actor *me, enum mem_scope scope);
/** … of the map that `map` is. */
void map_proxy_acquire(struct actor *me, struct mem_access *scratch, const struct copy_side *map, enum mem_scope scope);
/** The map is read for a copy: reports a store that is ordered before that by base causality only. */
void map_proxy_check(struct actor *me, struct mem_access *scratch, const struct copy_side *map);

#endif
