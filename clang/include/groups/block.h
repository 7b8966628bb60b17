/**
 * @file block.h
 * cooperative_groups: the thread block, and the group of any kind that functions of a student's take (thread_group).
 */
#ifndef FENCEPOST_GROUPS_BLOCK_H
#define FENCEPOST_GROUPS_BLOCK_H

namespace cooperative_groups
{

FENCEPOST_DEVICE void fencepost_block_barrier() { asm volatile("barrier.sync 0;" : : : "memory"); }
FENCEPOST_DEVICE unsigned fencepost_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
FENCEPOST_DEVICE unsigned fencepost_lanes_before()
{
    unsigned lanes;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    return lanes;
}

/** The block, or those lanes of a warp that a partition has left together. */
class thread_group
{
  protected:
    unsigned lanes; // 0: the block
    FENCEPOST_METHOD explicit thread_group(unsigned which) : lanes(which) {}

  public:
    FENCEPOST_METHOD void sync() const
    {
        if (lanes)
            __syncwarp(lanes);
        else
            fencepost_block_barrier();
    }
    FENCEPOST_METHOD unsigned long long size() const
    {
        return lanes ? __popc(lanes) : blockDim.x * blockDim.y * blockDim.z;
    }
    FENCEPOST_METHOD unsigned long long num_threads() const { return size(); }
    FENCEPOST_METHOD unsigned long long thread_rank() const
    {
        return lanes ? __popc(lanes & fencepost_lanes_before()) : fencepost_rank();
    }
    FENCEPOST_METHOD bool is_valid() const { return true; }
    /* What partitions make their groups of. */
    FENCEPOST_METHOD unsigned fencepost_lanes() const { return lanes; }
};

class thread_block : public thread_group
{
  public:
    FENCEPOST_METHOD thread_block() : thread_group(0) {}
    /* As CUDA's, whose block arrives nowhere: the wait is the barrier. */
    struct arrival_token {};
    FENCEPOST_METHOD static arrival_token barrier_arrive() { return arrival_token(); }
    FENCEPOST_METHOD static void barrier_wait(arrival_token &&) { fencepost_block_barrier(); }
    FENCEPOST_METHOD static void sync() { fencepost_block_barrier(); }
    FENCEPOST_METHOD static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    FENCEPOST_METHOD static unsigned num_threads() { return size(); }
    FENCEPOST_METHOD static unsigned thread_rank() { return fencepost_rank(); }
    FENCEPOST_METHOD static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    FENCEPOST_METHOD static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    FENCEPOST_METHOD static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    FENCEPOST_METHOD static dim3 group_dim() { return dim_threads(); }
};
FENCEPOST_DEVICE thread_block this_thread_block() { return thread_block(); }

} // namespace cooperative_groups

#endif
