/**
 * @file cooperative_groups/scan.h
 * Scans over threads of a warp, by shuffles. Not here: the forms with _update, which add to an atomic.
 */
#ifndef FENCEPOST_COOPERATIVE_GROUPS_SCAN_H
#define FENCEPOST_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

namespace cooperative_groups
{

template <class Group, class T, class Operator>
FENCEPOST_DEVICE T inclusive_scan(const Group &group, T value, Operator &&combine)
{
    unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned by = 1; by < size; by *= 2) {
        T before = group.shfl_up(value, by);
        if (rank >= by)
            value = combine(before, value);
    }
    return value;
}
template <class Group, class T> FENCEPOST_DEVICE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
/** The first thread gets T(). */
template <class Group, class T, class Operator>
FENCEPOST_DEVICE T exclusive_scan(const Group &group, T value, Operator &&combine)
{
    value = group.shfl_up(inclusive_scan(group, value, combine), 1);
    return group.thread_rank() ? value : T();
}
template <class Group, class T> FENCEPOST_DEVICE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
