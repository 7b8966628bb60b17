/**
 * @file driver_old.c
 * Driver API: symbols of earlier CUDA versions, for programs built with those: the same as today's but for what has
 * been added since. Those with 32-bit addresses (CUDA 3.1 and before) are not there.
 */
#define __CUDA_API_VERSION_INTERNAL /* every version by its own name */
#include <cuda.h>
#include <stddef.h>

#include "runtime/driver/driver.h"

/* ---- other rules, the same parameters ---- */

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, cuDeviceGetUuid_v2(uuid, device));
}

CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, cuCtxCreate_v2(context, flags, device));
}

CUresult cuCtxDestroy(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, cuCtxDestroy_v2(context));
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, cuCtxPushCurrent_v2(context));
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    DRIVER_NEEDING(NEEDS_INIT, cuCtxPopCurrent_v2(context));
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, cuDevicePrimaryCtxRelease_v2(device));
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, cuDevicePrimaryCtxReset_v2(device));
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    DRIVER_NEEDING(NEEDS_INIT, cuDevicePrimaryCtxSetFlags_v2(device, flags));
}

CUresult cuStreamDestroy(CUstream stream)
{
    DRIVER(cuStreamDestroy_v2(stream));
}

CUresult cuEventDestroy(CUevent event)
{
    DRIVER(cuEventDestroy_v2(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    DRIVER(cuEventElapsedTime_v2(ms, start, end));
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags)
{
    DRIVER(cuMemHostRegister_v2(p, bytes, flags));
}

CUresult cuStreamBeginCapture(CUstream stream)
{
    DRIVER(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *p, CUipcMemHandle handle, unsigned flags)
{
    DRIVER(cuIpcOpenMemHandle_v2(p, handle, flags));
}

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state)
{
    DRIVER(cuLinkCreate_v2(count, options, values, state));
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned count,
                       CUjit_option *options, void **values)
{
    DRIVER(cuLinkAddData_v2(state, type, data, bytes, name, count, options, values));
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *options,
                       void **values)
{
    DRIVER(cuLinkAddFile_v2(state, type, path, count, options, values));
}

/* ---- fewer parameters ---- */

CUresult cuGetProcAddress(const char *name, void **out, int version, cuuint64_t flags)
{
    DRIVER_NEEDING(NEEDS_NOTHING, cuGetProcAddress_v2(name, out, version, flags, NULL)
                                      ?: *out ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

/* A device by its number, -1 the host. */
static CUmemLocation place(CUdevice device)
{
    bool host = device == CU_DEVICE_CPU;
    return (CUmemLocation){.type = host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
                           .id = host ? 0 : device};
}

CUresult cuMemAdvise(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUdevice device)
{
    DRIVER(cuMemAdvise_v2(p, bytes, advice, place(device)));
}

CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUdevice device, CUstream stream)
{
    DRIVER(cuMemPrefetchAsync_v2(p, bytes, place(device), 0, stream));
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attrs, size_t *first, size_t attr_count, size_t *failed, CUstream s)
{
    if (failed)
        *failed = SIZE_MAX; /* none in particular */
    DRIVER(cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, first, attr_count, s));
}

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed, unsigned long long flags, CUstream s)
{
    if (failed)
        *failed = SIZE_MAX; /* none in particular */
    DRIVER(cuMemcpy3DBatchAsync_v2(count, list, flags, s));
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
    DRIVER(cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL));
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **nodes, size_t *count)
{
    DRIVER(cuStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, NULL, count));
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes, size_t count, unsigned flags)
{
    DRIVER(cuStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, count, flags));
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    DRIVER(cuGraphAddDependencies_v2(graph, from, to, NULL, count));
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    DRIVER(cuGraphRemoveDependencies_v2(graph, from, to, NULL, count));
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    DRIVER(cuGraphGetEdges_v2(graph, from, to, NULL, count));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    DRIVER(cuGraphNodeGetDependencies_v2(node, nodes, NULL, count));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    DRIVER(cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, count));
}

CUresult cuGraphAddNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count, CUgraphNodeParams *p)
{
    DRIVER(cuGraphAddNode_v2(out, graph, before, NULL, count, p));
}

/* ---- what they tell of failure ---- */

static CUresult instantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t bytes)
{
    if (node)
        *node = NULL;
    if (log && bytes)
        *log = '\0';
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t bytes)
{
    DRIVER(instantiate(exec, graph, node, log, bytes));
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t bytes)
{
    DRIVER(instantiate(exec, graph, node, log, bytes));
}

static CUresult update(CUgraphExec exec, CUgraph graph, CUgraphNode *node, CUgraphExecUpdateResult *result)
{
    CUgraphExecUpdateResultInfo info = {0};
    CUresult r = cuGraphExecUpdate_v2(exec, graph, &info);
    if (node)
        *node = info.errorNode;
    if (result)
        *result = info.result;
    return r;
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *node, CUgraphExecUpdateResult *result)
{
    DRIVER(update(exec, graph, node, result));
}

/* ---- kernel nodes without CUkernel ---- */

static CUDA_KERNEL_NODE_PARAMS_v2 longer(const CUDA_KERNEL_NODE_PARAMS_v1 *p)
{
    return (CUDA_KERNEL_NODE_PARAMS_v2){p->func,      p->gridDimX,  p->gridDimY,       p->gridDimZ,     p->blockDimX,
                                        p->blockDimY, p->blockDimZ, p->sharedMemBytes, p->kernelParams, p->extra,
                                        NULL,         NULL};
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *of)
{
    CUDA_KERNEL_NODE_PARAMS_v2 p = of ? longer(of) : (CUDA_KERNEL_NODE_PARAMS_v2){0};
    DRIVER(cuGraphAddKernelNode_v2(out, graph, before, count, of ? &p : NULL));
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *of)
{
    CUDA_KERNEL_NODE_PARAMS_v2 p = of ? longer(of) : (CUDA_KERNEL_NODE_PARAMS_v2){0};
    DRIVER(cuGraphKernelNodeSetParams_v2(node, of ? &p : NULL));
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *of)
{
    CUDA_KERNEL_NODE_PARAMS_v2 p = of ? longer(of) : (CUDA_KERNEL_NODE_PARAMS_v2){0};
    DRIVER(cuGraphExecKernelNodeSetParams_v2(exec, node, of ? &p : NULL));
}

static CUresult get(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *out)
{
    CUDA_KERNEL_NODE_PARAMS_v2 p;
    CUresult r = out ? cuGraphKernelNodeGetParams_v2(node, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *out = (CUDA_KERNEL_NODE_PARAMS_v1){p.func,      p.gridDimX,  p.gridDimY,       p.gridDimZ,     p.blockDimX,
                                            p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra};
    return r;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *of)
{
    DRIVER(get(node, of));
}
