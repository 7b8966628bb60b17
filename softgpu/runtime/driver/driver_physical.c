/**
 * @file driver_physical.c
 * Driver API: physical memory, which has no addresses until it is mapped (driver_virtual.c).
 */
#include "runtime/driver/driver_physical.h"

#include <sys/mman.h>
#include <unistd.h>

#include "memory/memory.h"
#include "runtime/state/outside.h"

static struct physical *memories;

static struct memory *memory(void)
{
    return machine_memory(runtime.machine);
}

struct physical *physical_find(CUmemGenericAllocationHandle handle)
{
    struct physical *p = memories;
    while (p && (uintptr_t)p != handle)
        p = p->next;
    return p && p->handles ? p : NULL;
}

static void unshare(const struct physical *p)
{
    if (p->fd < 0)
        return;
    close(p->fd);
    outside_less();
}

void physical_drop(struct physical *p)
{
    if (p->handles || p->mappings)
        return;
    for (struct physical **at = &memories; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            break;
        }
    munmap(p->host, p->bytes);
    unshare(p);
    if (runtime.machine)
        memory_discharge(memory(), p->prop.location.id, p->bytes);
    free(p);
}

void physical_return(void)
{
    for (const struct physical *p = memories; p; p = p->next)
        memory_charge(memory(), p->prop.location.id, p->bytes);
}

static cudaError_t check_place(const CUmemAllocationProp *p)
{
    if (p->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return cudaErrorInvalidValue;
    if (p->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return runtime_unsupported("device memory that is shared but by file descriptors (cuMemCreate)");
    if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return runtime_unsupported("cuMemCreate on the host");
    return device_exists(p->location.id) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t physical_add(CUmemGenericAllocationHandle *out, size_t bytes, int fd, const CUmemAllocationProp *prop)
{
    bool charged = memory_charge(memory(), prop->location.id, bytes);
    void *host = !charged   ? NULL
                 : fd >= 0 ? outside_map(fd, bytes)
                           : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct physical *p = !host || host == MAP_FAILED ? NULL : calloc(1, sizeof *p);
    if (!p) {
        if (charged)
            memory_discharge(memory(), prop->location.id, bytes);
        if (fd >= 0)
            close(fd);
        return cudaErrorMemoryAllocation;
    }
    *p = (struct physical){.next = memories, .bytes = bytes, .host = host, .fd = fd, .handles = 1, .written = fd >= 0, .prop = *prop};
    memories = p;
    if (fd >= 0)
        outside_more();
    *out = (uintptr_t)p;
    return cudaSuccess;
}

static cudaError_t create(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *prop,
                          unsigned long long flags)
{
    if (!out || !prop || !is_multiple(bytes) || flags)
        return cudaErrorInvalidValue;
    cudaError_t e = check_place(prop);
    if (e)
        return e;
    int fd = -1;
    if (prop->requestedHandleTypes) {
        struct outside_name name = {.bytes = bytes, .kind = OUTSIDE_PHYSICAL, .device = prop->location.id};
        if ((fd = outside_create(&name)) < 0)
            return cudaErrorNotSupported;
    }
    return physical_add(out, bytes, fd, prop);
}

static cudaError_t release(CUmemGenericAllocationHandle handle)
{
    struct physical *p = physical_find(handle);
    if (!p)
        return cudaErrorInvalidValue;
    p->handles--;
    physical_drop(p);
    return cudaSuccess;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *prop,
                     unsigned long long flags)
{
    VIRTUAL(create(out, bytes, prop, flags));
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    VIRTUAL(release(handle));
}

static CUresult granularity(size_t *bytes, const CUmemAllocationProp *prop)
{
    if (!bytes || !prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = GRANULARITY;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    (void)option;
    DRIVER_NEEDING(NEEDS_INIT, granularity(bytes, prop));
}

static cudaError_t properties(CUmemAllocationProp *out, CUmemGenericAllocationHandle handle)
{
    const struct physical *p = physical_find(handle);
    if (!out || !p)
        return cudaErrorInvalidValue;
    *out = p->prop;
    return cudaSuccess;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
    VIRTUAL(properties(prop, handle));
}
