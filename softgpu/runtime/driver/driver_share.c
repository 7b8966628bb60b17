/**
 * @file driver_share.c
 * Driver API: memory that is handed to other processes as file descriptors. Errors are an H200's
 * (tests/runtime/share_facts.cu).
 */
#include <fcntl.h>
#include <unistd.h>

#include "runtime/driver/driver_physical.h"
#include "runtime/state/outside.h"

static cudaError_t export(void *out, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type, unsigned long long flags)
{
    const struct physical *p = physical_find(handle);
    if (!out || !p || p->fd < 0 || !p->prop.requestedHandleTypes || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags)
        return cudaErrorInvalidValue;
    int fd = fcntl(p->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return cudaErrorOperatingSystem;
    *(int *)out = fd;
    return cudaSuccess;
}

static cudaError_t import(CUmemGenericAllocationHandle *out, int from, CUmemAllocationHandleType type)
{
    struct outside_name name;
    if (!out || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return cudaErrorInvalidValue;
    int fd = fcntl(from, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return cudaErrorUnknown;
    if (!outside_name_of(fd, &name) || name.kind != OUTSIDE_PHYSICAL || !is_multiple(name.bytes) || !device_exists(name.device)) {
        close(fd);
        return cudaErrorInvalidValue;
    }
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = name.device}};
    return physical_add(out, name.bytes, fd, &prop);
}

CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                                      unsigned long long flags)
{
    DRIVER_LOCKED_NEEDING(NEEDS_INIT, export(out, handle, type, flags));
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *from, CUmemAllocationHandleType type)
{
    DRIVER_LOCKED_NEEDING(NEEDS_INIT, import(out, (int)(intptr_t)from, type));
}
