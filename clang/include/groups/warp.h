/**
 * @file warp.h
 * cooperative_groups: tiles of a warp, the threads that run together, and partitions of both.
 */
#ifndef FENCEPOST_GROUPS_WARP_H
#define FENCEPOST_GROUPS_WARP_H

namespace cooperative_groups
{

/** The lanes of this thread's tile of `threads`. */
FENCEPOST_DEVICE unsigned fencepost_tile_lanes(unsigned threads)
{
    unsigned lane = fencepost_rank() % 32;
    return threads == 32 ? 0xffffffff : ((1u << threads % 32) - 1) << (lane - lane % threads);
}

/** 1 to 32 neighbouring threads of a warp. */
template <unsigned threads, class Parent = thread_block> class thread_block_tile : public thread_group
{
    static_assert(threads && threads <= 32 && !(threads & (threads - 1)), "tiles of 1, 2, 4, 8, 16 or 32 threads");
    static FENCEPOST_METHOD unsigned mask() { return fencepost_tile_lanes(threads); }
    static FENCEPOST_METHOD unsigned first() { return __ffs((int)mask()) - 1; }

  public:
    FENCEPOST_METHOD thread_block_tile() : thread_group(mask()) {}
    FENCEPOST_METHOD static void sync() { __syncwarp(mask()); }
    FENCEPOST_METHOD static constexpr unsigned size() { return threads; }
    FENCEPOST_METHOD static constexpr unsigned num_threads() { return threads; }
    FENCEPOST_METHOD static unsigned thread_rank() { return fencepost_rank() % threads; }
    FENCEPOST_METHOD static unsigned meta_group_rank() { return Parent::thread_rank() / threads; }
    FENCEPOST_METHOD static unsigned meta_group_size() { return (Parent::size() + threads - 1) / threads; }
    template <class T> FENCEPOST_METHOD T shfl(T v, unsigned rank) const { return __shfl_sync(mask(), v, rank, threads); }
    template <class T> FENCEPOST_METHOD T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask(), v, by, threads); }
    template <class T> FENCEPOST_METHOD T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask(), v, by, threads); }
    template <class T> FENCEPOST_METHOD T shfl_xor(T v, unsigned by) const { return __shfl_xor_sync(mask(), v, by, threads); }
    FENCEPOST_METHOD int any(int v) const { return __any_sync(mask(), v); }
    FENCEPOST_METHOD int all(int v) const { return __all_sync(mask(), v); }
    FENCEPOST_METHOD unsigned ballot(int v) const { return __ballot_sync(mask(), v) >> first(); }
    template <class T> FENCEPOST_METHOD unsigned match_any(T v) const { return __match_any_sync(mask(), v) >> first(); }
    template <class T> FENCEPOST_METHOD unsigned match_all(T v, int &same) const
    {
        return __match_all_sync(mask(), v, &same) >> first();
    }
};
template <unsigned threads, class Parent>
FENCEPOST_DEVICE thread_block_tile<threads, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<threads, Parent>();
}

/** Any lanes of a warp, whose ranks are in the order of lanes. */
class coalesced_group : public thread_group
{
    unsigned part, parts;

    /** The lane of the thread of that rank, and this thread's own where there is none. */
    FENCEPOST_METHOD unsigned lane_of(unsigned rank) const
    {
        unsigned lane = 0xffffffff;
        asm("fns.b32 %0, %1, 0, %2;" : "=r"(lane) : "r"(lanes), "r"(rank + 1));
        return lane < 32 ? lane : __popc(fencepost_lanes_before());
    }
    /** Lanes of the warp as bits of ranks. */
    FENCEPOST_METHOD unsigned as_ranks(unsigned which) const
    {
        unsigned ranks = 0, left = lanes;
        for (unsigned rank = 0; left; rank++, left &= left - 1)
            ranks |= (which >> (__ffs((int)left) - 1) & 1) << rank;
        return ranks;
    }

  public:
    FENCEPOST_METHOD coalesced_group(unsigned which, unsigned number, unsigned of)
        : thread_group(which), part(number), parts(of) {}
    FENCEPOST_METHOD void sync() const { __syncwarp(lanes); }
    FENCEPOST_METHOD unsigned size() const { return __popc(lanes); }
    FENCEPOST_METHOD unsigned num_threads() const { return size(); }
    FENCEPOST_METHOD unsigned thread_rank() const { return __popc(lanes & fencepost_lanes_before()); }
    FENCEPOST_METHOD unsigned meta_group_rank() const { return part; }
    FENCEPOST_METHOD unsigned meta_group_size() const { return parts; }
    template <class T> FENCEPOST_METHOD T shfl(T v, unsigned rank) const
    {
        return __shfl_sync(lanes, v, lane_of(rank));
    }
    template <class T> FENCEPOST_METHOD T shfl_up(T v, unsigned by) const
    {
        unsigned rank = thread_rank();
        return __shfl_sync(lanes, v, lane_of(rank < by ? rank : rank - by));
    }
    template <class T> FENCEPOST_METHOD T shfl_down(T v, unsigned by) const
    {
        return __shfl_sync(lanes, v, lane_of(thread_rank() + by));
    }
    FENCEPOST_METHOD int any(int v) const { return __any_sync(lanes, v); }
    FENCEPOST_METHOD int all(int v) const { return __all_sync(lanes, v); }
    FENCEPOST_METHOD unsigned ballot(int v) const { return as_ranks(__ballot_sync(lanes, v)); }
    template <class T> FENCEPOST_METHOD unsigned match_any(T v) const { return as_ranks(__match_any_sync(lanes, v)); }
    template <class T> FENCEPOST_METHOD unsigned match_all(T v, int &same) const
    {
        return as_ranks(__match_all_sync(lanes, v, &same));
    }
};
FENCEPOST_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask(), 0, 1); }

template <unsigned threads, class Parent>
FENCEPOST_DEVICE unsigned fencepost_lanes_of(const thread_block_tile<threads, Parent> &)
{
    return fencepost_tile_lanes(threads);
}
FENCEPOST_DEVICE unsigned fencepost_lanes_of(const coalesced_group &group) { return group.fencepost_lanes(); }

/** Tiles of a number of threads that only the run knows. */
FENCEPOST_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned threads)
{
    unsigned mine = 0, left = group.fencepost_lanes(), number = group.thread_rank() / threads;
    for (unsigned rank = 0; left; rank++, left &= left - 1)
        if (rank / threads == number)
            mine |= left & (0 - left);
    return coalesced_group(mine, number, (group.size() + threads - 1) / threads);
}

FENCEPOST_DEVICE thread_group tiled_partition(const thread_group &group, unsigned threads)
{
    if (group.fencepost_lanes())
        return tiled_partition(coalesced_group(group.fencepost_lanes(), 0, 1), threads);
    return coalesced_group(fencepost_tile_lanes(threads), 0, 1);
}

/** Threads of one label together; the parts are in the order of their first lanes. */
template <class Group, class Label> FENCEPOST_DEVICE coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned lanes = fencepost_lanes_of(group), mine = __match_any_sync(lanes, label), before = fencepost_lanes_before();
    unsigned firsts = __ballot_sync(lanes, !(mine & before));
    return coalesced_group(mine, __popc(firsts & ((mine & (0 - mine)) - 1)), __popc(firsts));
}
/** The threads for which it is false, and those for which it is true; one part where all agree, as in CUDA. */
template <class Group> FENCEPOST_DEVICE coalesced_group binary_partition(const Group &group, bool which)
{
    unsigned lanes = fencepost_lanes_of(group), those = __ballot_sync(lanes, which);
    if (those == 0 || those == lanes)
        return coalesced_group(lanes, 0, 1);
    return coalesced_group(which ? those : lanes & ~those, which, 2);
}

} // namespace cooperative_groups

#endif
