/**
 * @file cooperative_groups/memcpy_async.h
 * Copies by a group into shared memory, and the wait for them (Programming Guide, "Memcpy Async").
 */
#ifndef FENCEPOST_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define FENCEPOST_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include "../cuda/shape"
#include "../groups/copy.h"

namespace cooperative_groups
{

/** `bytes` is a number, or an aligned_size_t<n>, which promises that both addresses and the number are multiples of n. */
template <class Group, class T, class Bytes>
FENCEPOST_DEVICE void memcpy_async(const Group &group, T *to, const T *from, const Bytes &bytes)
{
    constexpr size_t aligned = cuda::fencepost_alignment<T, Bytes>::value;
    fencepost_copy<aligned>((char *)to, (const char *)from, bytes, group.thread_rank(), group.size());
    fencepost_commit();
}
/** The first of `from_count` and `to_count` elements. */
template <class Group, class T, class To, class From>
FENCEPOST_DEVICE void memcpy_async(const Group &group, T *to, const To &to_count, const T *from, const From &from_count)
{
    size_t a = to_count, b = from_count;
    memcpy_async(group, to, from, (a < b ? a : b) * sizeof(T));
}

/** All but the group's last `groups` copies are there, for each of its threads. */
template <unsigned groups, class Group> FENCEPOST_DEVICE void wait_prior(const Group &group)
{
    fencepost_wait<groups>();
    group.sync();
}
template <class Group> FENCEPOST_DEVICE void wait(const Group &group) { wait_prior<0>(group); }

} // namespace cooperative_groups

#endif
