/**
 * @file driver_ipc.c
 * Driver API: handles for other processes. They are the runtime's.
 */
#include <string.h>

#include "runtime/driver/driver.h"

_Static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t), "laid out alike");
_Static_assert(sizeof(CUmemPoolPtrExportData) == sizeof(struct cudaMemPoolPtrExportData), "laid out alike");
_Static_assert(sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t), "laid out alike");

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr p)
{
    RUNTIME(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)handle, POINTER(p)));
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *p, CUipcMemHandle handle, unsigned flags)
{
    cudaIpcMemHandle_t same;
    memcpy(&same, &handle, sizeof same);
    RUNTIME(cudaIpcOpenMemHandle((void **)p, same, flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr p)
{
    RUNTIME(cudaIpcCloseMemHandle(POINTER(p)));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    RUNTIME(cudaIpcGetEventHandle((cudaIpcEventHandle_t *)handle, event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    cudaIpcEventHandle_t same;
    memcpy(&same, &handle, sizeof same);
    RUNTIME(cudaIpcOpenEventHandle(event, same));
}

CUresult cuMemPoolExportToShareableHandle(void *out, CUmemoryPool pool, CUmemAllocationHandleType type, unsigned long long flags)
{
    RUNTIME(flags >> 32 ? cudaErrorInvalidValue
                        : cudaMemPoolExportToShareableHandle(out, pool, (enum cudaMemAllocationHandleType)type, (unsigned)flags));
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *out, void *handle, CUmemAllocationHandleType type, unsigned long long flags)
{
    RUNTIME(flags >> 32 ? cudaErrorInvalidValue
                        : cudaMemPoolImportFromShareableHandle(out, handle, (enum cudaMemAllocationHandleType)type, (unsigned)flags));
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *out, CUdeviceptr p)
{
    RUNTIME(cudaMemPoolExportPointer((struct cudaMemPoolPtrExportData *)out, POINTER(p)));
}

CUresult cuMemPoolImportPointer(CUdeviceptr *out, CUmemoryPool pool, CUmemPoolPtrExportData *data)
{
    RUNTIME(cudaMemPoolImportPointer((void **)out, pool, (struct cudaMemPoolPtrExportData *)data));
}
