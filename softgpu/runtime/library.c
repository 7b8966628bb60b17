/**
 * @file library.c
 * Device code: loading on first use, kernels and variables by name, cudaLibrary*.
 *
 * A registered fat binary is parsed when its first kernel or variable is used, as the real runtime
 * does; its errors are those of that call.
 */
#include "runtime/library.h"

#include <errno.h>
#include <string.h>

#include "parse/dump.h"
#include "runtime/fatbin.h"

/** Files larger than this are no PTX. */
#define MAX_FILE_BYTES (512u << 20)

static struct library *libraries;
/* Launches come in series: the answer of the last find_kernel(). */
static const void *last_handle;
static struct kernel *last_kernel;

static int device_sm(void)
{
    return runtime.device->major * 10 + runtime.device->minor;
}

struct library *library_new(const char *name)
{
    struct library *l = calloc(1, sizeof *l);
    if (!l || !(l->name = strdup(name)))
        abort();
    l->next = libraries;
    libraries = l;
    return l;
}

struct library *library_of(const void *handle)
{
    for (struct library *l = libraries; l; l = l->next)
        if (l == handle)
            return l;
    return NULL;
}

void library_free(struct library *l)
{
    for (struct library **at = &libraries; *at; at = &(*at)->next)
        if (*at == l) {
            *at = l->next;
            break;
        }
    if (l->image && runtime.machine)
        machine_unload(runtime.machine, l->image);
    last_handle = NULL;
    for (int i = 0; i < l->kernels.count; i++) {
        free(l->kernels.data[i]->name);
        free(l->kernels.data[i]);
    }
    for (int i = 0; i < l->symbols.count; i++)
        free(l->symbols.data[i].name);
    LIST_FREE(&l->kernels);
    LIST_FREE(&l->symbols);
    free(l->name);
    free(l);
}

/* The machine is about to go: images go with it; registered code loads again on its next use. */
void libraries_reset(void)
{
    for (struct library *l = libraries, *next; l; l = next) {
        next = l->next;
        if (l->image && runtime.machine)
            machine_unload(runtime.machine, l->image);
        l->image = NULL;
        l->tried = false;
        for (int i = 0; i < l->kernels.count; i++)
            l->kernels.data[i]->function = NULL;
        if (!l->registered)
            library_free(l);
    }
}

/* ---- loading ---- */

/* "9.3" of `.version 9.3`, found without parsing: a version that the parser does not know must
 * not be reported as a syntax error. */
static bool version_too_new(const struct diag *d)
{
    return d->kind == DIAG_UNSUPPORTED && strstr(d->message, "version");
}

/* `--dump`: the program's code at one stage, on stderr. */
static void dump(const struct library *l, const char *text, size_t bytes)
{
    const char *stage = runtime.options.dump;
    struct diag unused = {0};
    if (!strcmp(stage, "tokens"))
        tokens_dump(stderr, l->name, text, bytes, &unused);
    else if (!strcmp(stage, "module") && l->image)
        module_dump(stderr, l->image->module);
    else if (!strcmp(stage, "code") && l->image)
        image_dump(stderr, l->image);
}

static cudaError_t load_ptx(struct library *l, const char *text, size_t bytes)
{
    struct diag d = {0};
    l->image = machine_load(runtime.machine, l->name, text, bytes, &d);
    dump(l, text, bytes);
    if (l->image) {
        if (l->image->module->target_sm <= device_sm())
            return cudaSuccess;
        runtime_say("%s: PTX for sm_%d does not run on this device (sm_%d): compile with a lower "
                    "-arch, or choose a newer device", l->name, l->image->module->target_sm,
                    device_sm());
        machine_unload(runtime.machine, l->image);
        l->image = NULL;
        return cudaErrorNoKernelImageForDevice;
    }
    diag_print(stderr, l->name, &d);
    if (d.kind == DIAG_SYNTAX)
        return cudaErrorInvalidPtx;
    if (d.kind == DIAG_LIMIT)
        return cudaErrorMemoryAllocation;
    return version_too_new(&d) ? cudaErrorUnsupportedPtxVersion : cudaErrorNotSupported;
}

static cudaError_t load_fatbin(struct library *l, const void *data, size_t limit)
{
    struct diag d = {0};
    struct fatbin_ptx ptx;
    enum fatbin_status status = fatbin_find_ptx(data, limit, device_sm(), &ptx, &d);
    if (status != FATBIN_OK) {
        runtime_say("%s: %s", l->name, d.message);
        return status == FATBIN_BROKEN ? cudaErrorInvalidKernelImage
                                       : cudaErrorNoKernelImageForDevice;
    }
    cudaError_t e = load_ptx(l, ptx.text, ptx.bytes);
    free(ptx.text);
    return e;
}

cudaError_t library_load(struct library *l, const void *data, size_t limit)
{
    uint32_t magic = 0;
    if (limit >= sizeof magic)
        memcpy(&magic, data, sizeof magic);
    if (magic == FATBIN_MAGIC)
        return load_fatbin(l, data, limit);
    /* A wrapper points to its fat binary: only one that lies in this process has one. */
    if (magic == FATBIN_WRAPPER_MAGIC && limit == SIZE_MAX)
        return load_fatbin(l, ((const struct fatbin_wrapper *)data)->data, SIZE_MAX);
    if (magic == 0x464c457fu) { /* "\x7fELF" */
        runtime_say("%s: machine code without PTX cannot run here: compile with -ptx or -fatbin "
                    "-arch=compute_75", l->name);
        return cudaErrorNoKernelImageForDevice;
    }
    return load_ptx(l, data, limit == SIZE_MAX ? strlen(data) : strnlen(data, limit));
}

static void set_managed(struct library *l)
{
    for (int i = 0; i < l->symbols.count; i++) {
        struct symbol *s = &l->symbols.data[i];
        struct image_variable *v = s->managed ? image_variable(l->image, s->name) : NULL;
        if (v) {
            *s->managed = (void *)(uintptr_t)v->address;
            runtime.host_visible++;
        }
    }
}

cudaError_t library_ensure(struct library *l)
{
    if (l->tried)
        return l->status;
    l->tried = true;
    if (l->needs_link) {
        runtime_unsupported("linking of -rdc=true device code");
        return l->status = cudaErrorNotSupported;
    }
    l->status = library_load(l, l->fatbin, SIZE_MAX);
    if (l->status == cudaSuccess)
        set_managed(l);
    return l->status;
}

/* ---- kernels and symbols ---- */

struct kernel *library_kernel(struct library *l, const char *name, const void *host_function)
{
    for (int i = 0; i < l->kernels.count; i++)
        if (!strcmp(l->kernels.data[i]->name, name))
            return l->kernels.data[i];
    struct kernel *k = calloc(1, sizeof *k);
    if (!k || !(k->name = strdup(name)))
        abort();
    k->library = l;
    k->host_function = host_function;
    k->max_dynamic_shared = k->preferred_carveout = -1;
    *LIST_PUSH(&l->kernels) = k;
    return k;
}

static struct kernel *find_kernel(const void *handle)
{
    if (handle == last_handle)
        return last_kernel;
    for (struct library *l = libraries; l; l = l->next)
        for (int i = 0; i < l->kernels.count; i++) {
            struct kernel *k = l->kernels.data[i];
            if (k == handle || (k->host_function && k->host_function == handle)) {
                last_handle = handle;
                return last_kernel = k;
            }
        }
    return NULL;
}

cudaError_t kernel_find(const void *handle, struct kernel **out)
{
    *out = handle ? find_kernel(handle) : NULL;
    return *out     ? cudaSuccess
           : handle ? cudaErrorInvalidResourceHandle
                    : cudaErrorInvalidDeviceFunction;
}

cudaError_t kernel_resolve(const void *handle, struct kernel **out)
{
    struct kernel *k;
    cudaError_t found = kernel_find(handle, &k);
    if (found)
        return found;
    if (!k->function) {
        cudaError_t e = library_ensure(k->library);
        if (e)
            return e;
        k->function = image_function(k->library->image, k->name);
        if (!k->function || !k->function->is_entry || !k->function->entry) {
            k->function = NULL;
            return cudaErrorInvalidDeviceFunction;
        }
    }
    *out = k;
    return cudaSuccess;
}

static cudaError_t variable_of(struct library *l, const char *name, uint64_t *address,
                               size_t *bytes, bool managed)
{
    cudaError_t e = library_ensure(l);
    if (e)
        return e;
    struct image_variable *v = image_variable(l->image, name);
    if (!v || v->space == SPACE_SHARED || (managed && !v->managed))
        return cudaErrorSymbolNotFound;
    *address = v->address;
    *bytes = v->bytes;
    return cudaSuccess;
}

cudaError_t symbol_resolve(const void *host, uint64_t *address, size_t *bytes)
{
    for (struct library *l = libraries; l && host; l = l->next)
        for (int i = 0; i < l->symbols.count; i++) {
            const struct symbol *s = &l->symbols.data[i];
            if (s->host != host && !(s->managed && *s->managed == host))
                continue;
            cudaError_t e = variable_of(l, s->name, address, bytes, false);
            return e == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : e;
        }
    return cudaErrorInvalidSymbol;
}

/* ---- cudaLibrary* ---- */

static cudaError_t finish_load(struct library *l, cudaError_t e, cudaLibrary_t *out)
{
    if (e) {
        library_free(l);
        return e;
    }
    l->tried = true;
    *out = (cudaLibrary_t)l;
    for (int i = 0; i < l->image->function_count; i++)
        if (l->image->functions[i]->is_entry)
            library_kernel(l, l->image->functions[i]->name, NULL);
    for (int i = 0; i < l->image->variable_count; i++)
        runtime.host_visible += l->image->variables[i].managed;
    return cudaSuccess;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jit, void **jit_values, unsigned jit_count,
                                enum cudaLibraryOption *options, void **values, unsigned count)
{
    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    API_ENTER();
    if (!library || !code)
        API_RETURN(cudaErrorInvalidValue);
    struct library *l = library_new("PTX");
    API_RETURN(finish_load(l, library_load(l, code, SIZE_MAX), library));
}

/* @return the file's bytes with a NUL after them, or NULL with errno set */
static char *read_file(const char *path, size_t *bytes)
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
    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    API_ENTER();
    if (!library || !path)
        API_RETURN(cudaErrorInvalidValue);
    size_t bytes;
    char *data = read_file(path, &bytes);
    if (!data)
        API_RETURN(cudaErrorFileNotFound);
    struct library *l = library_new(path);
    cudaError_t e = finish_load(l, library_load(l, data, bytes), library);
    free(data);
    API_RETURN(e);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle)
{
    API_ENTER();
    struct library *l = library_of(handle);
    if (!l || l->registered)
        API_RETURN(cudaErrorInvalidResourceHandle);
    cudaError_t e = device_wait("cudaLibraryUnload"); /* its kernels may be queued */
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
    if (!kernels || !room)
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
    cudaError_t e = variable_of(l, name, &address, &size, managed);
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
