/**
 * @file driver_module.c
 * Driver API: modules and libraries, which are one thing here, as are CUkernel, CUfunction and the runtime's handle.
 */
#include <string.h>

#include "runtime/code/library.h"
#include "runtime/driver/driver_jit.h"

CUresult driver_jit_load(const struct jit_options *j, enum library_form form, cudaLibrary_t *out, const void *code, const char *path)
{
    size_t bytes = SIZE_MAX;
    char *file = path ? library_read_file(path, &bytes) : NULL;
    if (path && !file)
        return CUDA_ERROR_FILE_NOT_FOUND;
    CUresult locked = driver_lock();
    cudaError_t e = locked ? cudaSuccess : runtime_leave(library_open_by(j, form, path ? path : "PTX", path ? file : code, bytes, out));
    free(file);
    return locked ? locked : driver_result(e);
}

/* ---- libraries ---- */

static CUresult load(enum library_form form, void *out, const void *code, const char *path, unsigned count, const CUjit_option *options,
                     void **values)
{
    if (!out || (!code && !path) || (count && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    struct jit_options j = jit_options_of(count, (const unsigned *)options, values);
    return driver_jit_load(&j, form, out, code, path);
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit, void **values, unsigned n,
                           CUlibraryOption *options, void **option_values, unsigned m)
{
    (void)options, (void)option_values, (void)m;
    DRIVER(load(LIBRARY_READ_LATE, library, code, NULL, n, jit, values));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit, void **values, unsigned n,
                               CUlibraryOption *options, void **option_values, unsigned m)
{
    (void)options, (void)option_values, (void)m;
    DRIVER(load(LIBRARY_READ_LATE, library, NULL, path, n, jit, values));
}

CUresult cuLibraryUnload(CUlibrary library)
{
    RUNTIME(cudaLibraryUnload((cudaLibrary_t)library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    RUNTIME(cudaLibraryGetKernel((cudaKernel_t *)kernel, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name)
{
    RUNTIME(cudaLibraryGetGlobal((void **)p, bytes, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name)
{
    RUNTIME(cudaLibraryGetManaged((void **)p, bytes, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetUnifiedFunction(void **f, CUlibrary library, const char *name)
{
    RUNTIME(cudaLibraryGetUnifiedFunction(f, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    RUNTIME(cudaLibraryGetKernelCount(count, (cudaLibrary_t)library));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned n, CUlibrary library)
{
    RUNTIME(cudaLibraryEnumerateKernels((cudaKernel_t *)kernels, n, (cudaLibrary_t)library));
}

/* A handle, if there is something that it names. */
static cudaError_t same_library(void *handle, CUmodule *out)
{
    struct library *l = library_of(handle);
    if (!out || !l)
        return out ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    cudaError_t e = library_ensure(l);
    if (!e)
        *out = handle;
    return e;
}

static CUresult module_of(CUlibrary library, CUmodule *out)
{
    return driver_lock() ?: driver_result(runtime_leave(same_library(library, out)));
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    DRIVER(module_of(library, module));
}

/* ---- modules ---- */

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    DRIVER(load(LIBRARY_MODULE, module, NULL, path, 0, NULL, NULL));
}

CUresult cuModuleLoadData(CUmodule *module, const void *code)
{
    DRIVER(load(LIBRARY_MODULE, module, code, NULL, 0, NULL, NULL));
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *code, unsigned n, CUjit_option *options, void **values)
{
    DRIVER(load(LIBRARY_MODULE, module, code, NULL, n, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *code)
{
    DRIVER(load(LIBRARY_MODULE, module, code, NULL, 0, NULL, NULL));
}

CUresult cuModuleUnload(CUmodule module)
{
    RUNTIME(cudaLibraryUnload((cudaLibrary_t)module));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    DRIVER(name && !*name ? CUDA_ERROR_INVALID_VALUE
                          : driver_result(cudaLibraryGetKernel((cudaKernel_t *)function, (cudaLibrary_t)module, name)));
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module)
{
    RUNTIME(cudaLibraryGetKernelCount(count, (cudaLibrary_t)module));
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned n, CUmodule module)
{
    RUNTIME(cudaLibraryEnumerateKernels((cudaKernel_t *)functions, n, (cudaLibrary_t)module));
}

static CUresult variable_of(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
    cudaKernel_t kernel;
    cudaError_t e = cudaLibraryGetGlobal((void **)p, bytes, (cudaLibrary_t)module, name);
    bool is_kernel = e == cudaErrorSymbolNotFound && !cudaLibraryGetKernel(&kernel, (cudaLibrary_t)module, name);
    return is_kernel ? CUDA_ERROR_INVALID_VALUE : driver_result(e);
}

CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
    DRIVER(variable_of(p, bytes, module, name));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    DRIVER_NEEDING(NEEDS_INIT, mode ? (*mode = CU_MODULE_EAGER_LOADING, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE);
}
