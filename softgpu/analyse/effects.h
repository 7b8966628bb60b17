/**
 * @file effects.h
 * What a kernel may do besides computing, with all that it calls.
 */
#ifndef SOFTGPU_ANALYSE_EFFECTS_H
#define SOFTGPU_ANALYSE_EFFECTS_H

#include "code/image.h"

/**
 * Can no result depend on the order of the kernel's blocks? So it is if neither it nor what it calls
 * contains any of:
 *   - a load of global memory (or by generic address) that is strong: volatile, relaxed, acquire;
 *   - a weak one that is waited for (tries.h: load_waits): it races, and without what others store its block would never end;
 *   - an atomic on global memory whose result is used, or whose outcome depends on order: exch,
 *     cas, inc, dec, or any floating-point one;
 *   - a read of a clock, %smid or %envreg; sleeping;
 *   - an indirect call, printf, malloc, free or an assertion; anything unsupported.
 * In a race-free program such blocks cannot observe each other, and integer add, min, max, and, or,
 * xor commute: results are bit-identical to those of one thread.
 */
bool kernel_is_order_free(const struct function *kernel);

/** Has it, or what it calls, a load of global memory that may be carried out more than once? Who has none waits for nobody. */
bool kernel_may_look_again(const struct function *kernel);

/**
 * Is what each thread does the same in every schedule, if one run of the kernel has no data race? So it is if its threads
 * hear of each other at barriers of the whole block and by warps' meetings alone: by induction over these each read then
 * returns the one write that happens before it. Neither it nor what it calls contains any of:
 *   - a strong load or store, a fence, an asynchronous copy, an mbarrier, a texture or surface, a matrix of a warp;
 *   - an atomic that orders, whose result is used, that is a float's, or is another one than all the other atomics in there:
 *     relaxed sums of integers commute, and nobody sees which came first;
 *   - a barrier that has a count, does not wait, or is not .aligned; a cluster's;
 *   - what kernel_is_order_free() excludes, and activemask.
 * Whether the lanes of each warp really come together to where they meet, a run says (grid->came_apart).
 */
bool kernel_is_determined(const struct function *kernel);

/**
 * Do its threads hear of each other at barriers of the whole block and by warps' meetings alone? As kernel_is_determined(), but its atomics,
 * all of them relaxed and nobody's result used, may be of any kind: which came first changes what memory holds in the end, and no thread asks.
 */
bool kernel_hears_nothing(const struct function *kernel);
/** The same, where barriers of the cluster that release and acquire count as the block's, and shared memory of other blocks is used as the own. */
bool kernel_hears_at_barriers(const struct function *kernel);
/** The same, and none of its atomics ever only reads, as a compare-and-swap that fails does. */
bool kernel_hears_no_atomic(const struct function *kernel);

/** May the function that is called come to a barrier, or what that calls? True where a function pointer hides it. */
bool call_may_wait(const struct insn *call);

/** Can its threads launch kernels or graphs? True where a function pointer hides it. */
bool kernel_launches(const struct function *kernel);
bool kernel_launches_kernels(const struct function *kernel);
/** `or_any`: true where a function pointer hides it. */
bool kernel_launches_graphs(const struct function *kernel, bool or_any);
/** May the kernel ask which lanes run together (activemask)? Any function of its image is taken for called. */
bool kernel_asks_for_convergence(const struct function *kernel);
/** May it take over blocks of its grid that have not begun (clusterlaunchcontrol)? Likewise. */
bool kernel_takes_blocks(const struct function *kernel);
/** May it wait for the grids that it depends on (griddepcontrol.wait)? Likewise. */
bool kernel_waits_for_grids(const struct function *kernel);

#endif
