/**
 * @file cooperative_groups/reduce.h
 * reduce() over threads of a warp, by shuffles; each of them gets the result. Not here: reduce_update_async, reduce_store_async.
 */
#ifndef FENCEPOST_COOPERATIVE_GROUPS_REDUCE_H
#define FENCEPOST_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups
{

#define FENCEPOST_OPERATOR(name, result)                                                           \
    template <class T> struct name {                                                               \
        FENCEPOST_METHOD T operator()(T a, T b) const { return result; }                           \
    };
FENCEPOST_OPERATOR(plus, a + b)
FENCEPOST_OPERATOR(less, a < b ? a : b)
FENCEPOST_OPERATOR(greater, a > b ? a : b)
FENCEPOST_OPERATOR(bit_and, a & b)
FENCEPOST_OPERATOR(bit_or, a | b)
FENCEPOST_OPERATOR(bit_xor, a ^ b)
#undef FENCEPOST_OPERATOR

template <unsigned threads, class Parent, class T, class Operator>
FENCEPOST_DEVICE T reduce(const thread_block_tile<threads, Parent> &tile, T value, Operator &&combine)
{
    for (unsigned by = threads / 2; by > 0; by /= 2)
        value = combine(value, tile.shfl_xor(value, by));
    return value;
}
/* Any number of threads: each has the next `by` values, its own first, of those that there are. */
template <class T, class Operator> FENCEPOST_DEVICE T reduce(const coalesced_group &group, T value, Operator &&combine)
{
    unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned by = 1; by < size; by *= 2) {
        T next = group.shfl_down(value, by);
        if (rank + by < size)
            value = combine(value, next);
    }
    return group.shfl(value, 0);
}

} // namespace cooperative_groups

#endif
