/**
 * @file driver_launch.c
 * Driver API: libraries, modules, kernels and launches. CUfunction, CUkernel and the runtime's
 * kernel handle are one thing, as are CUmodule, CUlibrary and cudaLibrary_t.
 */
#include "runtime/driver/driver.h"
#include "runtime/code/function.h"

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit, void **values,
                           unsigned n, CUlibraryOption *options, void **option_values, unsigned m)
{
    (void)jit, (void)values, (void)n, (void)options, (void)option_values, (void)m;
    return driver_result(cudaLibraryLoadData((cudaLibrary_t *)library, code, NULL, NULL, 0, NULL,
                                             NULL, 0));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit,
                               void **values, unsigned n, CUlibraryOption *options,
                               void **option_values, unsigned m)
{
    (void)jit, (void)values, (void)n, (void)options, (void)option_values, (void)m;
    return driver_result(cudaLibraryLoadFromFile((cudaLibrary_t *)library, path, NULL, NULL, 0,
                                                 NULL, NULL, 0));
}

CUresult cuLibraryUnload(CUlibrary library)
{
    return driver_result(cudaLibraryUnload((cudaLibrary_t)library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    return driver_result(cudaLibraryGetKernel((cudaKernel_t *)kernel, (cudaLibrary_t)library,
                                              name));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name)
{
    return driver_result(cudaLibraryGetGlobal((void **)p, bytes, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name)
{
    return driver_result(cudaLibraryGetManaged((void **)p, bytes, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    return driver_result(cudaLibraryGetKernelCount(count, (cudaLibrary_t)library));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned n, CUlibrary library)
{
    return driver_result(cudaLibraryEnumerateKernels((cudaKernel_t *)kernels, n,
                                                     (cudaLibrary_t)library));
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    *module = (CUmodule)library;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    return cuLibraryLoadFromFile((CUlibrary *)module, path, NULL, NULL, 0, NULL, NULL, 0);
}

CUresult cuModuleLoadData(CUmodule *module, const void *code)
{
    return cuLibraryLoadData((CUlibrary *)module, code, NULL, NULL, 0, NULL, NULL, 0);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *code, unsigned n, CUjit_option *options,
                            void **values)
{
    (void)n, (void)options, (void)values;
    return cuModuleLoadData(module, code);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *code)
{
    return cuModuleLoadData(module, code);
}

CUresult cuModuleUnload(CUmodule module)
{
    return cuLibraryUnload((CUlibrary)module);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    return cuLibraryGetKernel((CUkernel *)function, (CUlibrary)module, name);
}

CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
    return cuLibraryGetGlobal(p, bytes, (CUlibrary)module, name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    *function = (CUfunction)kernel;
    return CUDA_SUCCESS;
}

static CUresult read_attribute(int *value, CUfunction_attribute attr, const void *func)
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
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = a.maxDynamicSharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = a.preferredShmemCarveout;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction function)
{
    return read_attribute(value, attr, function);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attr, CUkernel kernel,
                              CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : read_attribute(value, attr, kernel);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attr, int value)
{
    return driver_result(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attr, value));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attr, int value, CUkernel kernel,
                              CUdevice device)
{
    if (device)
        return CUDA_ERROR_INVALID_DEVICE;
    return cuFuncSetAttribute((CUfunction)kernel, attr, value);
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    return driver_result(cudaFuncGetName(name, function));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t shared)
{
    return driver_result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads,
                                                                       shared));
}

/* `extra` may hold all arguments as one buffer: {POINTER, p, SIZE, &n, END}. */
static bool find_buffer(void **extra, const void **buffer, size_t *bytes)
{
    *buffer = NULL;
    *bytes = 0;
    for (int i = 0; extra && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            *buffer = extra[i + 1];
        else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            *bytes = *(size_t *)extra[i + 1];
        else
            return false;
    }
    return true;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream stream, void **args,
                        void **extra)
{
    const void *buffer;
    size_t bytes;
    cudaError_t e = runtime_enter();
    if (!e && (!find_buffer(extra, &buffer, &bytes) || (args && extra)))
        e = cudaErrorInvalidValue;
    if (!e)
        e = launch_packed(function, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, false,
                          args, buffer, bytes);
    return driver_result(runtime_leave(e));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                   CUstream stream, void **args)
{
    return driver_result(cudaLaunchCooperativeKernel(function, (dim3){gx, gy, gz},
                                                     (dim3){bx, by, bz}, args, shared, stream));
}

/* The two APIs' attributes have the same layout and numbers. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **args, void **extra)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    if (extra)
        return cuLaunchKernel(function, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX,
                              c->blockDimY, c->blockDimZ, c->sharedMemBytes, c->hStream, args,
                              extra);
    cudaLaunchConfig_t config = {
        .gridDim = {c->gridDimX, c->gridDimY, c->gridDimZ},
        .blockDim = {c->blockDimX, c->blockDimY, c->blockDimZ},
        .dynamicSmemBytes = c->sharedMemBytes, .stream = c->hStream,
        .attrs = (cudaLaunchAttribute *)c->attrs, .numAttrs = c->numAttrs,
    };
    return driver_result(cudaLaunchKernelExC(&config, function, args));
}
