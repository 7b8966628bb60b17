/**
 * @file driver_module.c
 * Driver API: modules and libraries, which are one thing here, as are CUkernel, CUfunction and the runtime's handle.
 *
 * Options of the just-in-time compiler that tune its code mean nothing here, but for the registers that a kernel may have, which
 * its attributes tell; of the others the logs are filled.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/code/library.h"
#include "runtime/code/register_bound.h"
#include "runtime/driver/driver_jit.h"

/* ---- options: an array of names and one of values, or of places for values ---- */

struct driver_jit driver_jit_of(unsigned count, const CUjit_option *options, void **values)
{
    struct driver_jit j = {0};
    for (unsigned i = 0; options && values && i < count; i++)
        switch ((int)options[i]) {
        case CU_JIT_ERROR_LOG_BUFFER:
            j.log = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            j.log_bytes = (uint32_t)(uintptr_t)values[i];
            j.log_used = &values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER:
            j.info = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            j.info_bytes = (uint32_t)(uintptr_t)values[i];
            j.info_used = &values[i];
            break;
        case CU_JIT_MAX_REGISTERS: /* an H100's driver refuses 0 and takes what is below 24 for 24 */
            j.max_registers = (uint32_t)(uintptr_t)values[i];
            j.wrong = !j.max_registers;
            j.max_registers = j.max_registers < 24 ? 24 : j.max_registers;
            break;
        case CU_JIT_WALL_TIME:
            values[i] = NULL; /* 0.0 ms: nothing is compiled */
            break;
        default:
            break;
        }
    return j;
}

/* The values become the numbers of bytes that were written. */
void driver_jit_log(const struct driver_jit *j, const char *text)
{
    size_t bytes = text ? strlen(text) : 0;
    if (j->log && j->log_bytes) {
        if (bytes >= j->log_bytes)
            bytes = j->log_bytes - 1;
        memcpy(j->log, text ? text : "", bytes);
        j->log[bytes] = '\0';
    }
    if (j->log_used)
        *j->log_used = POINTER(j->log ? bytes : 0);
    if (j->info && j->info_bytes)
        j->info[0] = '\0';
    if (j->info_used)
        *j->info_used = NULL;
}

/* PTX with the option behind it; NULL: there is nothing to add, or the code is no text. */
static char *bounded(const struct driver_jit *j, const char *code)
{
    if (!j->max_registers || !code || !strstr(code, ".version"))
        return NULL;
    return register_bound_behind(code, strlen(code), j->max_registers);
}

static CUresult load_code(const struct driver_jit *j, cudaLibrary_t *out, const void *code, const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *log = j->log ? open_memstream(&text, &bytes) : NULL;
    library_log(log);
    cudaError_t e = path ? cudaLibraryLoadFromFile(out, path, NULL, NULL, 0, NULL, NULL, 0)
                         : cudaLibraryLoadData(out, code, NULL, NULL, 0, NULL, NULL, 0);
    library_log(NULL);
    if (log)
        fclose(log);
    driver_jit_log(j, text);
    free(text);
    bool is_ptx = !code || strstr(code, ".version");
    return e == cudaErrorInvalidPtx && !is_ptx ? CUDA_ERROR_INVALID_IMAGE : driver_result(e);
}

CUresult driver_jit_load(const struct driver_jit *j, cudaLibrary_t *out, const void *code, const char *path)
{
    if (j->wrong)
        return CUDA_ERROR_INVALID_VALUE;
    char *text = path ? NULL : bounded(j, code);
    CUresult r = load_code(j, out, text ? text : code, path);
    free(text);
    return r;
}

/* ---- libraries ---- */

static CUresult load(CUlibrary *out, const void *code, const char *path, unsigned count, const CUjit_option *options,
                     void **values)
{
    if (!out || (!code && !path) || (count && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_jit j = driver_jit_of(count, options, values);
    return driver_jit_load(&j, (cudaLibrary_t *)out, code, path);
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit, void **values, unsigned n,
                           CUlibraryOption *options, void **option_values, unsigned m)
{
    (void)options, (void)option_values, (void)m;
    DRIVER(load(library, code, NULL, n, jit, values));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit, void **values, unsigned n,
                               CUlibraryOption *options, void **option_values, unsigned m)
{
    (void)options, (void)option_values, (void)m;
    DRIVER(load(library, NULL, path, n, jit, values));
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
static CUresult same_library(const void *handle, void **out)
{
    unsigned count;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = driver_result(cudaLibraryGetKernelCount(&count, (cudaLibrary_t)(uintptr_t)handle));
    if (!r)
        *out = (void *)(uintptr_t)handle;
    return r;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    DRIVER(same_library(library, (void **)module));
}

/* ---- modules ---- */

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    DRIVER(load((CUlibrary *)module, NULL, path, 0, NULL, NULL));
}

CUresult cuModuleLoadData(CUmodule *module, const void *code)
{
    DRIVER(load((CUlibrary *)module, code, NULL, 0, NULL, NULL));
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *code, unsigned n, CUjit_option *options, void **values)
{
    DRIVER(load((CUlibrary *)module, code, NULL, n, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *code)
{
    DRIVER(load((CUlibrary *)module, code, NULL, 0, NULL, NULL));
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

CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
    RUNTIME(cudaLibraryGetGlobal((void **)p, bytes, (cudaLibrary_t)module, name));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    DRIVER_NEEDING(NEEDS_INIT, mode ? (*mode = CU_MODULE_EAGER_LOADING, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE);
}
