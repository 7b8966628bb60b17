/**
 * @file cooperative_groups/reduce.h
 * reduce() over a tile, by shuffles; every thread of the tile gets the result.
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

template <class Tile, class T, class Operator> FENCEPOST_DEVICE T reduce(const Tile &tile, T value, Operator &&combine)
{
    for (unsigned by = tile.size() / 2; by > 0; by /= 2)
        value = combine(value, tile.shfl_xor(value, by));
    return value;
}

} // namespace cooperative_groups

#endif
