/**
 * @file grid.h
 * cooperative_groups: the grid of a cooperative launch.
 *
 * Its barrier works as CUDA's: one word that the driver provides (%envreg1 and 2 hold the address that stands 4 bytes
 * before it) counts the blocks; block 0 brings what is missing to 2^31, so that the last one flips the highest bit.
 */
#ifndef FENCEPOST_GROUPS_GRID_H
#define FENCEPOST_GROUPS_GRID_H

namespace cooperative_groups
{

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
    /** What the word held before; only a block's first thread needs it. */
    typedef unsigned arrival_token;

    FENCEPOST_METHOD static bool is_valid() { return word() != nullptr; }
    FENCEPOST_METHOD static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    FENCEPOST_METHOD static dim3 group_dim() { return dim_blocks(); }
    FENCEPOST_METHOD static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    FENCEPOST_METHOD static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    FENCEPOST_METHOD static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    FENCEPOST_METHOD static unsigned long long size() { return num_blocks() * thread_block::size(); }
    FENCEPOST_METHOD static unsigned long long num_threads() { return size(); }
    FENCEPOST_METHOD static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    FENCEPOST_METHOD static arrival_token barrier_arrive()
    {
        unsigned *arrived = word(), before = 0;
        if (!arrived) // not a cooperative launch
            __trap();
        fencepost_block_barrier();
        if (thread_block::thread_rank() == 0) {
            unsigned mine = block_rank() == 0 ? 0x80000001u - (unsigned)num_blocks() : 1;
            asm volatile("atom.release.gpu.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrived + 1), "r"(mine) : "memory");
        }
        return before;
    }
    FENCEPOST_METHOD static void barrier_wait(arrival_token &&before)
    {
        if (thread_block::thread_rank() == 0)
            while (!((before ^ __nv_atomic_load_n(word() + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE)) >> 31)) {
            }
        fencepost_block_barrier();
    }
    FENCEPOST_METHOD static void sync() { barrier_wait(barrier_arrive()); }
};
FENCEPOST_DEVICE grid_group this_grid() { return grid_group(); }

} // namespace cooperative_groups

#endif
