/**
 * @file cooperative_groups.h
 * cooperative_groups: the grid, the thread block, and tiles of a warp. Coalesced groups and clusters are not here.
 *
 * The grid's barrier works as CUDA's: one word that the driver provides (%envreg1 and 2 hold the address that stands 4 bytes
 * before it) counts the blocks; block 0 brings what is missing to 2^31, so that the last one flips the highest bit.
 */
#ifndef FENCEPOST_COOPERATIVE_GROUPS_H
#define FENCEPOST_COOPERATIVE_GROUPS_H

namespace cooperative_groups
{

FENCEPOST_DEVICE void fencepost_block_barrier() { asm volatile("barrier.sync 0;" : : : "memory"); }

class thread_block
{
  public:
    FENCEPOST_METHOD static void sync() { fencepost_block_barrier(); }
    FENCEPOST_METHOD static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    FENCEPOST_METHOD static unsigned num_threads() { return size(); }
    FENCEPOST_METHOD static unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    FENCEPOST_METHOD static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    FENCEPOST_METHOD static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    FENCEPOST_METHOD static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
FENCEPOST_DEVICE thread_block this_thread_block() { return thread_block(); }

/** 1 to 32 neighbouring threads of a warp. */
template <unsigned threads, class Parent = thread_block> class thread_block_tile
{
    static_assert(threads && threads <= 32 && !(threads & (threads - 1)), "tiles of 1, 2, 4, 8, 16 or 32 threads");
    static FENCEPOST_METHOD unsigned mask()
    {
        unsigned lane = thread_block::thread_rank() % 32;
        return threads == 32 ? 0xffffffff : ((1u << threads % 32) - 1) << (lane - lane % threads);
    }
    static FENCEPOST_METHOD unsigned first() { return __ffs((int)mask()) - 1; }

  public:
    FENCEPOST_METHOD static void sync() { __syncwarp(mask()); }
    FENCEPOST_METHOD static constexpr unsigned size() { return threads; }
    FENCEPOST_METHOD static constexpr unsigned num_threads() { return threads; }
    FENCEPOST_METHOD static unsigned thread_rank() { return thread_block::thread_rank() % threads; }
    FENCEPOST_METHOD static unsigned meta_group_rank() { return thread_block::thread_rank() / threads; }
    FENCEPOST_METHOD static unsigned meta_group_size() { return (thread_block::size() + threads - 1) / threads; }
    template <class T> FENCEPOST_METHOD T shfl(T v, unsigned rank) const { return __shfl_sync(mask(), v, rank, threads); }
    template <class T> FENCEPOST_METHOD T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask(), v, by, threads); }
    template <class T> FENCEPOST_METHOD T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask(), v, by, threads); }
    template <class T> FENCEPOST_METHOD T shfl_xor(T v, unsigned by) const { return __shfl_xor_sync(mask(), v, by, threads); }
    FENCEPOST_METHOD int any(int v) const { return __any_sync(mask(), v); }
    FENCEPOST_METHOD int all(int v) const { return __all_sync(mask(), v); }
    FENCEPOST_METHOD unsigned ballot(int v) const { return __ballot_sync(mask(), v) >> first(); }
};
template <unsigned threads, class Parent>
FENCEPOST_DEVICE thread_block_tile<threads, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<threads, Parent>();
}

class grid_group
{
    FENCEPOST_METHOD static unsigned *word()
    {
        unsigned high, low;
        asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
        return (unsigned *)((unsigned long long)high << 32 | low);
    }

  public:
    FENCEPOST_METHOD static bool is_valid() { return word() != nullptr; }
    FENCEPOST_METHOD static unsigned num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
    FENCEPOST_METHOD static unsigned block_rank()
    {
        return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    FENCEPOST_METHOD static unsigned long long size() { return (unsigned long long)num_blocks() * thread_block::size(); }
    FENCEPOST_METHOD static unsigned long long num_threads() { return size(); }
    FENCEPOST_METHOD static unsigned long long thread_rank()
    {
        return (unsigned long long)block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    FENCEPOST_METHOD static void sync()
    {
        unsigned *arrived = word();
        if (!arrived) // not a cooperative launch
            __trap();
        arrived++;
        fencepost_block_barrier();
        if (thread_block::thread_rank() == 0) {
            unsigned mine = block_rank() == 0 ? 0x80000001u - num_blocks() : 1, before;
            asm volatile("atom.release.gpu.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrived), "r"(mine) : "memory");
            while (!((before ^ __nv_atomic_load_n(arrived, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE)) >> 31)) {
            }
        }
        fencepost_block_barrier();
    }
};
FENCEPOST_DEVICE grid_group this_grid() { return grid_group(); }

} // namespace cooperative_groups

#endif
