/**
 * @file synchronize.h
 * Barriers and fences (Programming Guide, "Synchronization Functions", "Memory Fence Functions").
 */
#ifndef FENCEPOST_DEVICE_SYNCHRONIZE_H
#define FENCEPOST_DEVICE_SYNCHRONIZE_H

/* clang has this one built in; but clang 14 takes loads of a shared variable across that, where its address is not taken. */
FENCEPOST_DEVICE void fencepost_syncthreads() { asm volatile("bar.sync 0;" : : : "memory"); }
#define __syncthreads fencepost_syncthreads

FENCEPOST_DEVICE int __syncthreads_count(int predicate)
{
    int n;
    asm volatile("{ .reg .pred %%p1; setp.ne.u32 %%p1, %1, 0; bar.red.popc.u32 %0, 0, %%p1; }"
                 : "=r"(n) : "r"(predicate) : "memory");
    return n;
}

#define FENCEPOST_REDUCE(name, op)                                                                 \
    FENCEPOST_DEVICE int name(int predicate)                                                       \
    {                                                                                              \
        int all;                                                                                   \
        asm volatile("{ .reg .pred %%p1, %%p2; setp.ne.u32 %%p1, %1, 0; bar.red." op ".pred %%p2, 0, %%p1; " \
                     "selp.u32 %0, 1, 0, %%p2; }" : "=r"(all) : "r"(predicate) : "memory");        \
        return all;                                                                                \
    }
FENCEPOST_REDUCE(__syncthreads_and, "and")
FENCEPOST_REDUCE(__syncthreads_or, "or")
#undef FENCEPOST_REDUCE

FENCEPOST_DEVICE void __syncwarp(unsigned mask = 0xffffffff)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}

FENCEPOST_DEVICE void __threadfence_block() { asm volatile("membar.cta;" : : : "memory"); }
FENCEPOST_DEVICE void __threadfence() { asm volatile("membar.gl;" : : : "memory"); }
FENCEPOST_DEVICE void __threadfence_system() { asm volatile("membar.sys;" : : : "memory"); }

FENCEPOST_DEVICE void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" : : : "memory"); }
FENCEPOST_DEVICE void cudaTriggerProgrammaticLaunchCompletion()
{
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
}

#endif
