/**
 * @file cooperative_groups.h
 * cooperative_groups: the grid, a cluster, the thread block, and threads of a warp. Here: what is said of any group.
 *
 * Copies by a group, reduce() and the scans are in cooperative_groups/. Not here: tiles of more than a warp (block_tile_memory),
 * the multi-device grid, which CUDA itself has dropped.
 */
#ifndef FENCEPOST_COOPERATIVE_GROUPS_H
#define FENCEPOST_COOPERATIVE_GROUPS_H

#include "groups/block.h"
#include "groups/warp.h"
#include "groups/grid.h"
#include "groups/cluster.h"

namespace cooperative_groups
{

template <class Group> FENCEPOST_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> FENCEPOST_DEVICE auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> FENCEPOST_DEVICE auto group_size(const Group &group) { return group.size(); }

/** One thread of the group, the first, calls `function`. */
template <class Group, class Function, class... Arguments>
FENCEPOST_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments)
{
    if (group.thread_rank() == 0)
        function(static_cast<Arguments &&>(arguments)...);
}
/** The same for threads of a warp, and all get what it returned. */
template <class Group, class Function, class... Arguments>
FENCEPOST_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...))
{
    decltype(function(static_cast<Arguments &&>(arguments)...)) result{};
    if (group.thread_rank() == 0)
        result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
