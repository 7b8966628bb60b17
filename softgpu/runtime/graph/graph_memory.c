/**
 * @file graph_memory.c
 * Memory that graphs' nodes allocate. There are no such nodes here: none is in use, none is kept for later,
 * and there is nothing to trim.
 */
#include <string.h>

#include "runtime/graph/graph.h"

static bool is_high(enum cudaGraphMemAttributeType attr)
{
    return attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
}

static bool is_current(enum cudaGraphMemAttributeType attr)
{
    return attr == cudaGraphMemAttrUsedMemCurrent || attr == cudaGraphMemAttrReservedMemCurrent;
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    API_ENTER();
    API_RETURN(device_exists(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    API_ENTER();
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!value || (!is_high(attr) && !is_current(attr)))
        API_RETURN(cudaErrorInvalidValue);
    memset(value, 0, sizeof(uint64_t));
    API_RETURN(cudaSuccess);
}

/* A high-water mark may be set back, to 0; nothing else may be set. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    API_ENTER();
    uint64_t mark;
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!value || !is_high(attr))
        API_RETURN(cudaErrorInvalidValue);
    memcpy(&mark, value, sizeof mark);
    API_RETURN(mark ? cudaErrorInvalidValue : cudaSuccess);
}
