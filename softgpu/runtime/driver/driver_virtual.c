/**
 * @file driver_virtual.c
 * Driver API: virtual memory management. Addresses are reserved, memory is created, and mapped to addresses; access
 * makes an allocation of a mapping, which kernels, copies and checkers then know like any other.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/list.h"
#include "memory/memory.h"
#include "runtime/driver/driver_physical.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/outside.h"
#include "runtime/state/stream.h"

/** An entry point's body: memory and addresses are the process's, no context's, and none need be current. */
#define VIRTUAL(call) DRIVER_LOCKED_NEEDING(NEEDS_INIT, call)

struct range {
    uint64_t base, bytes;
};

struct mapping {
    struct range range;
    struct physical *memory;
    uint8_t reach;                 /**< devices that may use it, a bit each; it is an allocation if any may */
};

static LIST(struct range) reservations;
static LIST(struct mapping) mappings;
static struct physical *memories;

static struct memory *memory(void)
{
    return machine_memory(runtime.machine);
}

static bool within(const struct range *r, uint64_t base, uint64_t bytes)
{
    return base >= r->base && bytes <= r->bytes && base - r->base <= r->bytes - bytes;
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

static void drop(struct physical *p)
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

void driver_virtual_reset(void)
{
    reservations.count = mappings.count = 0;
    for (struct physical *p; (p = memories);) {
        memories = p->next;
        munmap(p->host, p->bytes);
        unshare(p);
        free(p);
    }
}

/* ---- addresses ---- */

static cudaError_t reserve(CUdeviceptr *out, size_t bytes, size_t align, unsigned long long flags)
{
    if (!out || !is_multiple(bytes) || (align & (align - 1)) || flags)
        return cudaErrorInvalidValue;
    uint64_t base = memory_reserve(memory(), bytes, align > GRANULARITY ? align : GRANULARITY);
    if (!base)
        return cudaErrorMemoryAllocation;
    *LIST_PUSH(&reservations) = (struct range){base, bytes};
    *out = base;
    return cudaSuccess;
}

static cudaError_t unreserve(CUdeviceptr base, size_t bytes)
{
    for (int i = 0; i < mappings.count; i++)
        if (mappings.data[i].range.base - base < bytes)
            return cudaErrorInvalidValue;
    for (int i = 0; i < reservations.count; i++)
        if (reservations.data[i].base == base && reservations.data[i].bytes == bytes) {
            reservations.data[i] = reservations.data[--reservations.count];
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* Where a program would like it is a wish. */
CUresult cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t align, CUdeviceptr wish, unsigned long long flags)
{
    (void)wish;
    VIRTUAL(reserve(out, bytes, align, flags));
}

CUresult cuMemAddressFree(CUdeviceptr base, size_t bytes)
{
    VIRTUAL(unreserve(base, bytes));
}

/* ---- memory ---- */

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
    drop(p);
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

/* ---- mappings ---- */

static bool is_free(uint64_t base, uint64_t bytes)
{
    bool reserved = false;
    for (int i = 0; i < reservations.count; i++)
        reserved |= within(&reservations.data[i], base, bytes);
    for (int i = 0; i < mappings.count; i++) {
        const struct range *r = &mappings.data[i].range;
        reserved &= base + bytes <= r->base || r->base + r->bytes <= base;
    }
    return reserved;
}

static cudaError_t map(CUdeviceptr base, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle)
{
    struct physical *p = physical_find(handle);
    if (!p || offset % GRANULARITY || !is_multiple(base) || !is_multiple(bytes))
        return cudaErrorInvalidValue;
    if (offset || bytes != p->bytes)
        return cudaErrorNotSupported; /* nor does an H200's driver map a part */
    if (!is_free(base, bytes))
        return cudaErrorInvalidValue;
    p->mappings++;
    *LIST_PUSH(&mappings) = (struct mapping){.range = {base, bytes}, .memory = p};
    return cudaSuccess;
}

/* From now on these devices may use it. */
static void allow(struct mapping *m, uint8_t reach)
{
    if (reach && !m->reach) {
        struct allocation *a = memory_map_at(memory(), m->range.base, m->memory->host, m->range.bytes,
                                             !m->memory->written, m->memory->prop.location.id, reach);
        a->made_by = runtime_thread()->outer_call;
        m->memory->written = true;
    } else if (reach) {
        memory_find(memory(), m->range.base)->reach = reach;
    } else if (m->reach) {
        memory_find(memory(), m->range.base)->freed_by = runtime.next_op++;
        memory_free(memory(), m->range.base);
    }
    m->reach = reach;
}

/** Whether the range is that of mappings, each of them whole, one after another. */
static bool is_mapped(uint64_t base, uint64_t bytes)
{
    struct range all = {base, bytes};
    uint64_t covered = 0;
    for (int i = 0; i < mappings.count; i++) {
        const struct range *r = &mappings.data[i].range;
        if (within(&all, r->base, r->bytes))
            covered += r->bytes;
    }
    return bytes && covered == bytes;
}

static cudaError_t set_access(CUdeviceptr base, size_t bytes, const CUmemAccessDesc *list, size_t count)
{
    if (!list || !count || !is_mapped(base, bytes))
        return cudaErrorInvalidValue;
    struct range all = {base, bytes};
    cudaError_t e = device_wait("cuMemSetAccess");
    for (size_t i = 0; i < count && !e; i++) {
        if (list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
            return runtime_unsupported("cuMemSetAccess for the host");
        if (!device_exists(list[i].location.id))
            return cudaErrorInvalidDevice;
        if (list[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
            return runtime_unsupported("memory that is mapped to be read only (cuMemSetAccess)");
        uint8_t bit = (uint8_t)(1u << list[i].location.id);
        bool may = list[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        for (int k = 0; k < mappings.count; k++) {
            struct mapping *m = &mappings.data[k];
            if (within(&all, m->range.base, m->range.bytes))
                allow(m, (uint8_t)(may ? m->reach | bit : m->reach & ~bit));
        }
    }
    return e;
}

static cudaError_t unmap(CUdeviceptr base, size_t bytes)
{
    struct range all = {base, bytes};
    if (is_free(base, bytes)) /* there is nothing, and nothing is wrong */
        return cudaSuccess;
    if (!is_mapped(base, bytes))
        return cudaErrorInvalidValue;
    cudaError_t e = device_wait("cuMemUnmap");
    for (int i = mappings.count - 1; i >= 0; i--) {
        struct mapping m = mappings.data[i];
        if (!within(&all, m.range.base, m.range.bytes))
            continue;
        allow(&m, 0);
        mappings.data[i] = mappings.data[--mappings.count];
        m.memory->mappings--;
        drop(m.memory);
    }
    return e;
}

static const struct mapping *mapping_at(uint64_t address)
{
    for (int i = 0; i < mappings.count; i++)
        if (address - mappings.data[i].range.base < mappings.data[i].range.bytes)
            return &mappings.data[i];
    return NULL;
}

static cudaError_t get_access(unsigned long long *flags, const CUmemLocation *where, CUdeviceptr p)
{
    const struct mapping *m = mapping_at(p);
    if (!flags || !where || !m)
        return cudaErrorInvalidValue;
    bool here = where->type == CU_MEM_LOCATION_TYPE_DEVICE && device_exists(where->id) && m->reach >> where->id & 1;
    *flags = here ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return cudaSuccess;
}

static cudaError_t retain(CUmemGenericAllocationHandle *out, const void *address)
{
    const struct mapping *m = mapping_at((uintptr_t)address);
    if (!out || !m)
        return cudaErrorInvalidValue;
    m->memory->handles++;
    *out = (uintptr_t)m->memory;
    return cudaSuccess;
}

CUresult cuMemMap(CUdeviceptr base, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    VIRTUAL(flags ? cudaErrorInvalidValue : map(base, bytes, offset, handle));
}

CUresult cuMemSetAccess(CUdeviceptr base, size_t bytes, const CUmemAccessDesc *list, size_t count)
{
    VIRTUAL(set_access(base, bytes, list, count));
}

CUresult cuMemUnmap(CUdeviceptr base, size_t bytes)
{
    VIRTUAL(unmap(base, bytes));
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *where, CUdeviceptr p)
{
    VIRTUAL(get_access(flags, where, p));
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *address)
{
    VIRTUAL(retain(out, address));
}
