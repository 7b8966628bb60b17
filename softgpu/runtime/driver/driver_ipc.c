/**
 * @file driver_ipc.c
 * Driver API: handles for other processes. They are the runtime's.
 */
#include <string.h>

#include "runtime/driver/driver.h"

_Static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t), "laid out alike");
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
