/**
 * @file driver_logs.c
 * Driver API: logs, which are the Runtime API's (runtime/logs.c). Both number iterators and levels alike.
 */
#include "runtime/driver/driver.h"

CUresult cuLogsCurrent(CUlogIterator *out, unsigned flags)
{
    DRIVER_NEEDING(NEEDS_NOTHING, driver_result(cudaLogsCurrent(out, flags)));
}

CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned flags)
{
    DRIVER_NEEDING(NEEDS_NOTHING, driver_result(cudaLogsDumpToMemory(iterator, buffer, size, flags)));
}

CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *path, unsigned flags)
{
    DRIVER_NEEDING(NEEDS_NOTHING, driver_result(cudaLogsDumpToFile(iterator, path, flags)));
}

CUresult cuLogsRegisterCallback(CUlogsCallback function, void *data, CUlogsCallbackHandle *out)
{
    DRIVER_NEEDING(NEEDS_NOTHING, driver_result(cudaLogsRegisterCallback((cudaLogsCallback_t)(void *)function, data,
                                                                         (cudaLogsCallbackHandle *)out)));
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle)
{
    DRIVER_NEEDING(NEEDS_NOTHING, driver_result(cudaLogsUnregisterCallback((cudaLogsCallbackHandle)handle)));
}
