/**
 * @file driver_stream.c
 * Driver API: streams and events. The handles are the runtime's.
 */
#include "runtime/driver/driver_green.h"

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    RUNTIME(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    RUNTIME(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    RUNTIME(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    RUNTIME(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    RUNTIME(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    RUNTIME(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
    RUNTIME(cudaStreamAddCallback(stream, (cudaStreamCallback_t)callback, data, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data)
{
    RUNTIME(cudaLaunchHostFunc(stream, fn, data));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t length, unsigned flags)
{
    RUNTIME(cudaStreamAttachMemAsync(stream, POINTER(p), length, flags));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    RUNTIME(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    RUNTIME(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    RUNTIME(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
    RUNTIME(cudaStreamGetDevice(stream, device));
}

/* Streams belong to a device; of its contexts it is the one that is current, unless they are a green one's. */
static CUresult context_of(CUstream stream, CUcontext *out)
{
    unsigned flags;
    cudaError_t e = out ? cudaStreamGetFlags(stream, &flags) : cudaErrorInvalidValue;
    if (!e)
        *out = green_of(stream) ? (CUcontext)green_of(stream) : driver_current();
    return driver_result(e);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    DRIVER(context_of(stream, context));
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green)
{
    if (green)
        *green = green_of(stream);
    DRIVER(context_of(stream, context));
}

/* Both APIs have the same attributes, in the same layout. */
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue *value)
{
    RUNTIME(cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)attr, (cudaLaunchAttributeValue *)value));
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
    RUNTIME(cudaStreamSetAttribute(stream, (cudaLaunchAttributeID)attr, (const cudaLaunchAttributeValue *)value));
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
    RUNTIME(cudaStreamCopyAttributes(dst, src));
}

/* ---- captures ---- */

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    RUNTIME(cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *nodes,
                                     const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    RUNTIME(cudaStreamBeginCaptureToGraph(stream, graph, nodes, (const cudaGraphEdgeData *)data, count,
                                          (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    RUNTIME(cudaStreamEndCapture(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    RUNTIME(cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status));
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                const CUgraphNode **nodes, const CUgraphEdgeData **edges, size_t *count)
{
    RUNTIME(cudaStreamGetCaptureInfo(stream, (enum cudaStreamCaptureStatus *)status, (unsigned long long *)id, graph,
                                     nodes, (const cudaGraphEdgeData **)edges, count));
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes, const CUgraphEdgeData *data,
                                           size_t count, unsigned flags)
{
    RUNTIME(cudaStreamUpdateCaptureDependencies(stream, nodes, (const cudaGraphEdgeData *)data, count, flags));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    RUNTIME(cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode));
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    RUNTIME(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
    RUNTIME(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    RUNTIME(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    RUNTIME(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventQuery(CUevent event)
{
    RUNTIME(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    RUNTIME(cudaEventSynchronize(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    RUNTIME(cudaEventElapsedTime(ms, start, end));
}
