/**
 * @file driver_function.c
 * Driver API: attributes of functions, occupancy.
 */
#include "runtime/code/library.h"
#include "runtime/driver/driver.h"
#include "runtime/state/entry.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old calls exist here, too */

static CUresult attribute(int *value, CUfunction_attribute attr, const void *func)
{
    struct cudaFuncAttributes a;
    cudaError_t e = value ? cudaFuncGetAttributes(&a, func) : cudaErrorInvalidValue;
    if (e)
        return driver_result(e);
    switch (attr) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = a.maxThreadsPerBlock;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)a.sharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)a.constSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)a.localSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = a.numRegs;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = a.ptxVersion;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = a.binaryVersion;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = a.cacheModeCA;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = a.maxDynamicSharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = a.preferredShmemCarveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = a.clusterDimMustBeSet;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        *value = a.requiredClusterWidth;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        *value = a.requiredClusterHeight;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = a.requiredClusterDepth;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = a.nonPortableClusterSizeAllowed;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = a.clusterSchedulingPolicyPreference;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction function)
{
    DRIVER(attribute(value, attr, function));
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attr, CUkernel kernel, CUdevice device)
{
    DRIVER(device_exists(device) ? attribute(value, attr, kernel) : CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attr, int value)
{
    RUNTIME(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attr, value));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attr, int value, CUkernel kernel, CUdevice device)
{
    RUNTIME(cudaKernelSetAttributeForDevice((cudaKernel_t)kernel, (enum cudaFuncAttribute)attr, value, device));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    RUNTIME(cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config));
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    (void)device;
    RUNTIME(cudaFuncSetCacheConfig(kernel, (enum cudaFuncCache)config));
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    RUNTIME(cudaFuncSetSharedMemConfig(function, (enum cudaSharedMemConfig)config));
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    RUNTIME(cudaFuncGetName(name, function));
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    RUNTIME(cudaFuncGetName(name, kernel));
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    RUNTIME(cudaFuncGetParamInfo(function, index, offset, bytes));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    RUNTIME(cudaFuncGetParamInfo(kernel, index, offset, bytes));
}

/** What a handle names: `*kernel` and its library. */
static cudaError_t named(const void *handle, void **kernel, void **library)
{
    struct kernel *k;
    cudaError_t e = kernel || library ? kernel_find(handle, &k) : cudaErrorInvalidValue;
    if (!e && kernel)
        *kernel = k;
    if (!e && library)
        *library = k->library;
    return e;
}

static CUresult find(const void *handle, void **kernel, void **library)
{
    return driver_lock() ?: driver_result(runtime_leave(named(handle, kernel, library)));
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    DRIVER(find(kernel, (void **)function, NULL));
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    DRIVER(find(kernel, NULL, (void **)library));
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    DRIVER(find(function, NULL, (void **)module));
}

static CUresult loading_state(CUfunctionLoadingState *state, CUfunction function)
{
    void *unused;
    CUresult r = state ? find(function, &unused, NULL) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return r;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    DRIVER(loading_state(state, function));
}

CUresult cuFuncLoad(CUfunction function)
{
    void *unused;
    DRIVER(find(function, &unused, NULL));
}

/* ---- occupancy ---- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared)
{
    RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                              size_t shared, unsigned flags)
{
    RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags));
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int threads)
{
    RUNTIME(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads));
}

/* The largest block among those that keep most threads on an SM (as cuda_runtime.h's template of this name). */
static CUresult best_block(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared,
                           int limit)
{
    int most = 0, sms = 0, best = 0;
    if (!grid || !block || limit < 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = attribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (r)
        return r;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    if (limit && limit < most)
        most = limit;
    *grid = *block = 0;
    for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
        int blocks, asked = threads < most ? threads : most;
        cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, asked,
                                                                      shared_of ? shared_of(asked) : shared);
        if (e)
            return driver_result(e);
        if (blocks * asked > best) {
            best = blocks * asked;
            *block = asked;
            *grid = blocks * sms;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t shared, int limit)
{
    DRIVER(best_block(grid, block, function, shared_of, shared, limit));
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t shared, int limit,
                                                   unsigned flags)
{
    DRIVER(flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE
               ? CUDA_ERROR_INVALID_VALUE
               : best_block(grid, block, function, shared_of, shared, limit));
}
