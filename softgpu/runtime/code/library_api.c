/**
 * @file library_api.c
 * cudaLibrary*: device code that the program loads itself; and symbols by their host variable.
 */
#include "runtime/code/kernel.h"
#include "runtime/code/library.h"
#include "runtime/state/entry.h"
#include "runtime/state/stream.h"

#include <errno.h>
#include <string.h>

/** Files larger than this are no PTX. */
#define MAX_FILE_BYTES (512u << 20)

/** Whether it is the code that is at fault: a library's is read when something of it is asked for, and then the error is told. */
static bool is_told_late(cudaError_t e)
{
    return e == cudaErrorInvalidPtx || e == cudaErrorUnsupportedPtxVersion || e == cudaErrorInvalidKernelImage ||
           e == cudaErrorNoKernelImageForDevice;
}

static cudaError_t finish_load(struct library *l, cudaError_t e, enum library_form form, cudaLibrary_t *out)
{
    if (e && (form != LIBRARY_READ_LATE || !is_told_late(e))) {
        library_free(l);
        return e;
    }
    l->wrong = e;
    *out = (cudaLibrary_t)l;
    if (e)
        return cudaSuccess;
    struct on_device *here = library_here(l);
    here->tried = true;
    for (int i = 0; i < here->image->function_count; i++)
        if (here->image->functions[i]->is_entry)
            library_kernel(l, here->image->functions[i]->name, NULL);
    for (int i = 0; i < here->image->variable_count; i++)
        runtime.host_visible += here->image->variables[i].managed;
    return cudaSuccess;
}

static cudaError_t open_library(const char *name, const void *code, size_t limit, enum library_form form, cudaLibrary_t *out)
{
    struct library *l = library_new(name);
    return finish_load(l, library_load(l, code, limit), form, out);
}

cudaError_t library_open_by(const struct jit_options *j, enum library_form form, const char *name, const void *code, size_t limit,
                            cudaLibrary_t *out)
{
    char *text = NULL;
    size_t bytes = 0;
    if (j->wrong)
        return cudaErrorInvalidValue;
    FILE *log = j->log ? open_memstream(&text, &bytes) : NULL;
    library_log(log);
    library_bound(j->max_registers);
    library_whole(form != LIBRARY_PART);
    cudaError_t e = open_library(name, code, limit, form, out);
    library_whole(false);
    library_bound(0);
    library_log(NULL);
    if (log)
        fclose(log);
    jit_options_log(j, text);
    free(text);
    return e;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jit, void **jit_values, unsigned jit_count,
                                enum cudaLibraryOption *options, void **values, unsigned count)
{
    (void)options, (void)values, (void)count;
    API_ENTER();
    if (!library || !code || (jit_count && (!jit || !jit_values)))
        API_RETURN(cudaErrorInvalidValue);
    struct jit_options j = jit_options_of(jit_count, jit, jit_values);
    API_RETURN(library_open_by(&j, LIBRARY_READ_LATE, "PTX", code, SIZE_MAX, library));
}

char *library_read_file(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    size_t used = 0, room = 0;
    while (f && !ferror(f) && !feof(f)) {
        if (room - used < 65536)
            data = realloc(data, (room = room * 2 + 131072) + 1);
        if (!data || used > MAX_FILE_BYTES)
            break;
        used += fread(data + used, 1, room - used, f);
    }
    bool good = f && feof(f) && !ferror(f);
    if (f)
        fclose(f);
    if (!good) {
        free(data);
        return NULL;
    }
    data[used] = 0;
    *bytes = used;
    return data;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    enum cudaJitOption *jit, void **jit_values, unsigned jit_count,
                                    enum cudaLibraryOption *options, void **values,
                                    unsigned count)
{
    (void)options, (void)values, (void)count;
    API_ENTER();
    if (!library || !path || (jit_count && (!jit || !jit_values)))
        API_RETURN(cudaErrorInvalidValue);
    size_t bytes;
    char *data = library_read_file(path, &bytes);
    if (!data)
        API_RETURN(cudaErrorFileNotFound);
    struct jit_options j = jit_options_of(jit_count, jit, jit_values);
    cudaError_t e = library_open_by(&j, LIBRARY_READ_LATE, path, data, bytes, library);
    free(data);
    API_RETURN(e);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle)
{
    API_ENTER();
    struct library *l = library_of(handle);
    if (!l || l->registered)
        API_RETURN(cudaErrorInvalidResourceHandle);
    cudaError_t e = devices_wait("cudaLibraryUnload"); /* its kernels may be queued */
    library_free(l);
    API_RETURN(e);
}

/** Resolves `handle` into `l` or leaves the API call. */
#define RESOLVE(l, handle)                                                                         \
    struct library *l = library_of(handle);                                                        \
    if (!l)                                                                                        \
    API_RETURN(cudaErrorInvalidResourceHandle)

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t handle, const char *name)
{
    API_ENTER();
    RESOLVE(l, handle);
    if (!kernel || !name)
        API_RETURN(cudaErrorInvalidValue);
    if (l->wrong)
        API_RETURN(l->wrong);
    for (int i = 0; i < l->kernels.count; i++)
        if (!strcmp(l->kernels.data[i]->name, name)) {
            *kernel = (cudaKernel_t)l->kernels.data[i];
            API_RETURN(cudaSuccess);
        }
    API_RETURN(cudaErrorSymbolNotFound);
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t handle)
{
    API_ENTER();
    RESOLVE(l, handle);
    if (!count)
        API_RETURN(cudaErrorInvalidValue);
    *count = (unsigned)l->kernels.count;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned room, cudaLibrary_t handle)
{
    API_ENTER();
    RESOLVE(l, handle);
    if (!kernels)
        API_RETURN(cudaErrorInvalidValue);
    for (unsigned i = 0; i < room && i < (unsigned)l->kernels.count; i++)
        kernels[i] = (cudaKernel_t)l->kernels.data[i];
    API_RETURN(cudaSuccess);
}

static cudaError_t library_variable(void **pointer, size_t *bytes, struct library *l,
                                    const char *name, bool managed)
{
    uint64_t address;
    size_t size;
    if (!name || (!pointer && !bytes))
        return cudaErrorInvalidValue;
    cudaError_t e = library_find_variable(l, name, &address, &size, managed);
    if (e)
        return e;
    if (pointer)
        *pointer = (void *)(uintptr_t)address;
    if (bytes)
        *bytes = size;
    return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t handle,
                                 const char *name)
{
    API_ENTER();
    RESOLVE(l, handle);
    API_RETURN(library_variable(pointer, bytes, l, name, false));
}

cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t handle,
                                  const char *name)
{
    API_ENTER();
    RESOLVE(l, handle);
    API_RETURN(library_variable(pointer, bytes, l, name, true));
}

/* ---- symbols by their host variable ---- */

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    API_ENTER();
    uint64_t address;
    size_t bytes;
    if (!pointer)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = symbol_resolve(symbol, &address, &bytes);
    if (!e)
        *pointer = (void *)(uintptr_t)address;
    API_RETURN(e);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    API_ENTER();
    uint64_t address;
    if (!size)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(symbol_resolve(symbol, &address, size));
}
