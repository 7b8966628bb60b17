/**
 * @file driver_physical.h
 * Memory without addresses (cuMemCreate): driver_physical.c has it, driver_virtual.c maps it and driver_share.c hands it to other processes.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_PHYSICAL_H
#define SOFTGPU_RUNTIME_DRIVER_PHYSICAL_H

#include "runtime/driver/driver.h"

/** An entry point's body: memory and addresses are the process's, no context's, and none need be current. */
#define VIRTUAL(call) DRIVER_LOCKED_NEEDING(NEEDS_INIT, call)

/** What all sizes and addresses are multiples of, as on an H200. */
#define GRANULARITY (2ull << 20)

/** What CUmemGenericAllocationHandle stands for. */
struct physical {
    struct physical *next;
    uint64_t bytes;
    uint8_t *host;
    int fd;                        /**< the file that other processes may have, too; -1: none */
    unsigned handles, mappings;    /**< it lives as long as there are any of either */
    bool written;                  /**< it has been mapped, and so perhaps written */
    CUmemAllocationProp prop;
};

static inline bool is_multiple(uint64_t n)
{
    return n && n % GRANULARITY == 0;
}

/** NULL if it is no live handle. */
struct physical *physical_find(CUmemGenericAllocationHandle handle);
/** Frees it if nobody has it any more. */
void physical_drop(struct physical *p);
/** A device has new memory: counts what there is of it. */
void physical_return(void);
/** Makes one; `fd`: the file with its bytes, which becomes its own; -1: none. */
cudaError_t physical_add(CUmemGenericAllocationHandle *out, size_t bytes, int fd, const CUmemAllocationProp *prop);

#endif
