/**
 * @file pool.h
 * Allocation in stream order.
 */
#ifndef SOFTGPU_RUNTIME_POOL_H
#define SOFTGPU_RUNTIME_POOL_H

#include "runtime/state/outside.h"
#include "runtime/state/runtime.h"

/** Allocates device memory; NULL for no bytes. In device_memory.c. */
cudaError_t device_alloc(void **out, size_t bytes);
/** Page-locked memory, as cudaMallocHost(); host_freed(): it is being freed. In device_memory.c. */
cudaError_t host_alloc(void **out, size_t bytes);
void host_freed(uint64_t base);
void device_memory_reset(void);
/** ipc_memory.c: an allocation is about to be freed; all are gone. */
void ipc_memory_freed(uint64_t base);
void ipc_memory_reset(void);
/** Moves an allocation's bytes into a file with a new name, for other processes, once all devices are done. */
cudaError_t ipc_memory_move(struct allocation *a, enum outside_kind kind, const char *call, struct outside_name *out);
/** For the checkers all of it is written now, by that call: what other processes write later is not seen. */
void ipc_memory_written(const struct allocation *a, const char *call);
/** Is it a pool's on the host? */
static inline bool is_of_host_pool(const struct allocation *a)
{
    return a->kind == ALLOC_HOST && a->own_reach;
}
/** pool.c: memory that may be a pool's is freed. @return false if the program has imported it more often than that */
bool pool_give_back(const void *p);
/** Does cudaFree() of it wait for nothing? Memory of a pool of this process's, but not a graph's. */
bool pool_frees(const struct allocation *a);
/** cudaFree() of such memory (CUDA Runtime API, cudaFree): whatever uses it and has not been waited for races with it. @return an error of
 *  a kernel's before it */
cudaError_t pool_free_by_host(const struct allocation *a, const char *call);
void pools_reset(void);
/** pool_reserve.c: the host has waited for a stream, an event or a device, which is when pools give memory back. */
void pools_synchronized(void);
/** The same of one device. */
void pools_reset_on(int device);

#endif
