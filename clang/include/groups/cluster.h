/**
 * @file cluster.h
 * cooperative_groups: the blocks of a cluster, from compute_90 on.
 */
#ifndef FENCEPOST_GROUPS_CLUSTER_H
#define FENCEPOST_GROUPS_CLUSTER_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

namespace cooperative_groups
{

#define FENCEPOST_REGISTER(name, reg)                                                              \
    FENCEPOST_DEVICE unsigned name()                                                               \
    {                                                                                              \
        unsigned v;                                                                                \
        asm volatile("mov.u32 %0, %%" reg ";" : "=r"(v));                                          \
        return v;                                                                                  \
    }
FENCEPOST_REGISTER(fencepost_block_of_cluster, "cluster_ctarank")
FENCEPOST_REGISTER(fencepost_blocks_of_cluster, "cluster_nctarank")
FENCEPOST_REGISTER(fencepost_block_x, "cluster_ctaid.x")
FENCEPOST_REGISTER(fencepost_block_y, "cluster_ctaid.y")
FENCEPOST_REGISTER(fencepost_block_z, "cluster_ctaid.z")
FENCEPOST_REGISTER(fencepost_blocks_x, "cluster_nctaid.x")
FENCEPOST_REGISTER(fencepost_blocks_y, "cluster_nctaid.y")
FENCEPOST_REGISTER(fencepost_blocks_z, "cluster_nctaid.z")
#undef FENCEPOST_REGISTER

class cluster_group
{
  public:
    struct arrival_token {};

    FENCEPOST_METHOD static arrival_token barrier_arrive()
    {
        asm volatile("barrier.cluster.arrive;" : : : "memory");
        return arrival_token();
    }
    FENCEPOST_METHOD static void barrier_wait() { asm volatile("barrier.cluster.wait;" : : : "memory"); }
    FENCEPOST_METHOD static void barrier_wait(arrival_token &&) { barrier_wait(); }
    FENCEPOST_METHOD static void sync() { barrier_wait(barrier_arrive()); }
    FENCEPOST_METHOD static unsigned num_blocks() { return fencepost_blocks_of_cluster(); }
    FENCEPOST_METHOD static unsigned block_rank() { return fencepost_block_of_cluster(); }
    FENCEPOST_METHOD static dim3 dim_blocks() { return dim3(fencepost_blocks_x(), fencepost_blocks_y(), fencepost_blocks_z()); }
    FENCEPOST_METHOD static dim3 block_index() { return dim3(fencepost_block_x(), fencepost_block_y(), fencepost_block_z()); }
    FENCEPOST_METHOD static unsigned num_threads() { return num_blocks() * thread_block::size(); }
    FENCEPOST_METHOD static unsigned size() { return num_threads(); }
    FENCEPOST_METHOD static unsigned thread_rank() { return block_rank() * thread_block::size() + fencepost_rank(); }
    FENCEPOST_METHOD static dim3 dim_threads()
    {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    FENCEPOST_METHOD static dim3 thread_index()
    {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z);
    }
    /** The same shared variable in the cluster's block number `block`. */
    template <class T> FENCEPOST_METHOD static T *map_shared_rank(T *variable, unsigned block)
    {
        T *there;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(variable), "r"(block));
        return there;
    }
    FENCEPOST_METHOD static unsigned query_shared_rank(const void *address)
    {
        unsigned block;
        asm volatile("getctarank.u64 %0, %1;" : "=r"(block) : "l"(address));
        return block;
    }
};
FENCEPOST_DEVICE cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#endif

#endif
