/**
 * @file driver_virtual.c
 * Driver API: virtual memory management. Addresses are reserved, memory is created, and mapped to addresses; access
 * makes an allocation of a mapping, which kernels, copies and checkers then know like any other.
 */
#include "base/list.h"
#include "memory/memory.h"
#include "runtime/driver/driver_physical.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/stream.h"

struct range {
    uint64_t base, bytes;
};

struct mapping {
    struct range range;
    struct physical *memory;
    uint8_t reach;                 /**< devices that may use it, a bit each; it is an allocation if any may */
    const void *made_by;           /**< the call that let the first one */
};

static LIST(struct range) reservations;
static LIST(struct mapping) mappings;

static struct memory *memory(void)
{
    return machine_memory(runtime.machine);
}

static bool within(const struct range *r, uint64_t base, uint64_t bytes)
{
    return base >= r->base && bytes <= r->bytes && base - r->base <= r->bytes - bytes;
}

static enum place_reserved reserved_at(uint64_t address)
{
    for (int i = 0; i < mappings.count; i++)
        if (within(&mappings.data[i].range, address, 1))
            return mappings.data[i].reach ? PLACE_UNKNOWN : PLACE_NO_ACCESS;
    for (int i = 0; i < reservations.count; i++)
        if (within(&reservations.data[i], address, 1))
            return PLACE_RESERVED;
    return PLACE_UNKNOWN;
}

/* Physical memory lives until its last handle and its last mapping (cuda.h: cuMemRelease), and neither is a context's. They
 * outlive cudaDeviceReset() and the last context, on an H200, too (tests/runtime/driver_mappings.cu). */
void driver_virtual_reset(void)
{
    for (int i = 0; runtime.machine && i < mappings.count; i++)
        if (mappings.data[i].reach) /* no leak: it goes on */
            memory_free(memory(), mappings.data[i].range.base);
}

void driver_virtual_return(void)
{
    for (int i = 0; i < reservations.count; i++)
        memory_reserve_again(memory(), reservations.data[i].base, reservations.data[i].bytes);
    if (reservations.count)
        memory_set_reserved(memory(), reserved_at);
    physical_return();
    for (int i = 0; i < mappings.count; i++) {
        const struct mapping *m = &mappings.data[i];
        if (m->reach)
            memory_map_at(memory(), m->range.base, m->memory->host, m->range.bytes, false, m->memory->prop.location.id, m->reach)
                ->made_by = m->made_by;
    }
}

bool driver_virtual_left(void)
{
    return mappings.count != 0;
}

bool driver_virtual_at(uint64_t base)
{
    for (int i = 0; i < mappings.count; i++)
        if (mappings.data[i].range.base == base)
            return true;
    return false;
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
    memory_set_reserved(memory(), reserved_at);
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
        a->made_by = m->made_by = runtime_thread()->outer_call;
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
        physical_drop(m.memory);
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
