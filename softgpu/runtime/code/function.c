/**
 * @file function.c
 * Function attributes and occupancy.
 */
#include "runtime/code/function.h"
#include "code/frame.h"
#include "parse/module.h"
#include "runtime/state/entry.h"

#include <stdio.h>
#include <string.h>

/** Registers are given to warps in units of 256, so to threads in units of 8. */

/** Of a block, on every device. */
#define MOST_THREADS 1024

int function_max_threads(const struct function *f)
{
    int limit = MOST_THREADS; /* registers do not lower it: ours are an estimate, see occupancy.c */
    unsigned bound = 1;
    for (int i = 0; i < 3; i++)
        bound *= f->max_threads[i] ? f->max_threads[i] : 1;
    if (f->max_threads[0] && bound < (unsigned)limit)
        limit = (int)bound;
    return limit;
}

int function_max_dynamic_shared(const struct kernel *k)
{
    int room = runtime.device->shared_per_block - (int)k->function->shared_bytes;
    return k->max_dynamic_shared > room ? k->max_dynamic_shared : room;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *func)
{
    API_ENTER();
    struct kernel *k;
    if (!out)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = kernel_resolve(func, &k);
    if (e)
        API_RETURN(e);
    const struct function *f = k->function;
    const struct ptx_module *m = f->image->module;
    memset(out, 0, sizeof *out);
    out->sharedSizeBytes = f->shared_bytes;
    out->localSizeBytes = function_local_size(f);
    for (int i = 0; i < f->image->variable_count; i++)
        if (f->image->variables[i].space == SPACE_CONST)
            out->constSizeBytes += f->image->variables[i].bytes;
    out->maxThreadsPerBlock = function_max_threads(f);
    out->numRegs = (int)f->registers;
    out->ptxVersion = m->target_sm;
    out->binaryVersion = runtime.device->major * 10 + runtime.device->minor;
    out->maxDynamicSharedSizeBytes = function_max_dynamic_shared(k);
    out->preferredShmemCarveout = k->preferred_carveout;
    const unsigned *cluster = f->cluster[0] ? f->cluster : k->cluster;
    out->clusterDimMustBeSet = f->cluster[0] != 0;
    out->requiredClusterWidth = (int)cluster[0];
    out->requiredClusterHeight = (int)cluster[1];
    out->requiredClusterDepth = (int)cluster[2];
    out->clusterSchedulingPolicyPreference = k->cluster_policy;
    out->nonPortableClusterSizeAllowed = k->any_cluster;
    API_RETURN(cudaSuccess);
}

static cudaError_t set_attribute(struct kernel *k, enum cudaFuncAttribute attr, int value)
{
    switch (attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 ||
            value > runtime.device->shared_per_block_optin - (int)k->function->shared_bytes)
            return cudaErrorInvalidValue;
        k->max_dynamic_shared = value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        k->preferred_carveout = value;
        return cudaSuccess;
    default:
        return cluster_set_attribute(k, attr, value);
    }
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    API_ENTER();
    struct kernel *k;
    cudaError_t e = kernel_resolve(func, &k);
    API_RETURN(e ? e : set_attribute(k, attr, value));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr,
                                            int value, int device)
{
    API_ENTER();
    struct kernel *k;
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    cudaError_t e = kernel_resolve(kernel, &k);
    API_RETURN(e ? e : set_attribute(k, attr, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    API_ENTER();
    struct kernel *k;
    if ((unsigned)config > cudaFuncCachePreferEqual)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(kernel_resolve(func, &k)); /* a hint on speed */
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    (void)config;
    API_ENTER();
    struct kernel *k;
    API_RETURN(kernel_resolve(func, &k));
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    API_ENTER();
    struct kernel *k;
    if (!name)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = kernel_resolve(func, &k);
    if (!e)
        *name = k->name;
    API_RETURN(e);
}

cudaError_t softgpu_function_name(char *text, size_t room, const void *function)
{
    API_ENTER();
    struct kernel *k;
    if (!text || !room)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = kernel_resolve(function, &k);
    if (!e)
        snprintf(text, room, "%s", k->name);
    API_RETURN(e);
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size)
{
    API_ENTER();
    struct kernel *k;
    cudaError_t e = kernel_resolve(func, &k);
    if (e)
        API_RETURN(e);
    if (!offset || index >= (size_t)k->function->param_count)
        API_RETURN(cudaErrorInvalidValue);
    *offset = k->function->params[index].offset;
    if (size)
        *size = k->function->params[index].bytes;
    API_RETURN(cudaSuccess);
}

/* A kernel's handle is the same for all of the three ways to name it. It is found without loading
 * the code. */
static cudaError_t handle_of(const void *func, void **out)
{
    struct kernel *k;
    if (!out)
        return cudaErrorInvalidValue;
    cudaError_t e = kernel_find(func, &k);
    if (!e)
        *out = k;
    return e;
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    runtime_enter_light();
    cudaError_t e = handle_of(func, (void **)kernel);
    API_RETURN(e == cudaErrorInvalidResourceHandle ? cudaErrorInvalidDeviceFunction : e);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *func)
{
    API_ENTER();
    API_RETURN(handle_of(func, (void **)function));
}

/* ---- occupancy ---- */

static cudaError_t occupancy(int *blocks, const void *func, int threads, size_t shared)
{
    struct kernel *k;
    if (!blocks || threads <= 0)
        return cudaErrorInvalidValue;
    cudaError_t e = kernel_resolve(func, &k);
    if (e)
        return e;
    *blocks = 0;
    if (threads <= MOST_THREADS) /* the kernel's own bound does not count here */
        *blocks = machine_occupancy(runtime.machine, k->function, threads, shared);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int threads, size_t shared)
{
    API_ENTER();
    API_RETURN(occupancy(blocks, func, threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    API_ENTER();
    if (flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(occupancy(blocks, func, threads, shared));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks,
                                                      int threads)
{
    API_ENTER();
    struct kernel *k;
    if (!bytes || blocks <= 0 || threads <= 0)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = kernel_resolve(func, &k);
    if (e)
        API_RETURN(e);
    const struct device_model *d = runtime.device;
    int64_t each = d->shared_per_sm / blocks - d->shared_reserved;
    int64_t room = each - k->function->shared_bytes;
    int64_t most = function_max_dynamic_shared(k);
    *bytes = 0;
    if ((threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES > d->max_threads_per_sm / blocks) /* so many do not fit whatever they use: as an H200 */
        API_RETURN(cudaErrorInvalidValue);
    *bytes = room <= 0 ? 0 : (size_t)((room < most ? room : most) / 128 * 128);
    API_RETURN(cudaSuccess);
}
