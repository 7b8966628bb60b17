/**
 * @file libraries.c
 * Code that the program loads itself. By hand, since its length stands in its own text or header, and files
 * are read here: the server opens none for a program.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/client/client.h"
#include "runtime/code/fatbin.h"
#include "runtime/code/jit_options.h"

/* Why code does not load is said by the server, on stderr: the logs stay empty. */
static cudaError_t load(cudaLibrary_t *out, const char *name, const void *code, uint64_t bytes,
                        const struct jit_options *jit, const void *site)
{
    struct call c;
    uint64_t name_bytes = strlen(name), library = 0, most_registers = jit->max_registers;
    if (bytes > WIRE_CODE || name_bytes >= WIRE_STRING || jit->wrong)
        return cudaErrorInvalidValue;
    char *bulk = malloc(name_bytes + bytes + 1);
    if (!bulk)
        return cudaErrorMemoryAllocation;
    memcpy(bulk, name, name_bytes);
    memcpy(bulk + name_bytes, code, bytes);
    call_begin(&c, WIRE_LOAD, site);
    call_put(&c, &name_bytes, sizeof name_bytes);
    call_put(&c, &most_registers, sizeof most_registers);
    c.bulk = bulk;
    c.head.bulk_bytes = name_bytes + bytes;
    cudaError_t e = call_do(&c);
    call_get(&c, &library, sizeof library);
    if (!e)
        *out = (cudaLibrary_t)(uintptr_t)library;
    jit_options_log(jit, NULL);
    free(bulk);
    return e;
}

EXPORT cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                       enum cudaJitOption *jit, void **jit_values,
                                       unsigned jit_count, enum cudaLibraryOption *options,
                                       void **values, unsigned count)
{
    (void)options, (void)values, (void)count;
    uint32_t magic = 0;
    if (!library || !code || (jit_count && (!jit || !jit_values)))
        return cudaErrorInvalidValue;
    if (strnlen(code, sizeof magic) == sizeof magic)
        memcpy(&magic, code, sizeof magic);
    if (magic == FATBIN_WRAPPER_MAGIC)
        code = ((const struct fatbin_wrapper *)code)->data;
    uint64_t bytes = magic == FATBIN_MAGIC || magic == FATBIN_WRAPPER_MAGIC ? fatbin_bytes(code)
                                                                           : strlen(code);
    struct jit_options j = jit_options_of(jit_count, jit, jit_values);
    return load(library, "PTX", code, bytes, &j, __builtin_return_address(0));
}

/** The file's bytes; NULL where it cannot be read, or is too large for code. */
static char *read_file(const char *path, uint64_t *bytes)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size >= 0 && size <= (long)WIRE_CODE && fseek(f, 0, SEEK_SET) == 0)
        data = malloc((size_t)size + 1);
    if (data && fread(data, 1, (size_t)size, f) != (size_t)size) {
        free(data);
        data = NULL;
    }
    if (f)
        fclose(f);
    *bytes = data ? (uint64_t)size : 0;
    return data;
}

EXPORT cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                           enum cudaJitOption *jit, void **jit_values,
                                           unsigned jit_count, enum cudaLibraryOption *options,
                                           void **values, unsigned count)
{
    (void)options, (void)values, (void)count;
    uint64_t bytes;
    if (!library || !path || (jit_count && (!jit || !jit_values)))
        return cudaErrorInvalidValue;
    char *data = read_file(path, &bytes);
    if (!data)
        return cudaErrorFileNotFound;
    struct jit_options j = jit_options_of(jit_count, jit, jit_values);
    cudaError_t e = load(library, path, data, bytes, &j, __builtin_return_address(0));
    free(data);
    return e;
}

EXPORT cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    cudaError_t e = forward_cudaLibraryUnload(__builtin_return_address(0), library);
    layouts_forget();
    return e;
}

/* ---- names of kernels: the program keeps the pointer, so each lies here until the process ends ---- */

struct kernel_name {
    struct kernel_name *next;
    const void *function;
    char text[];
};

static const char *keep_name(const void *function, const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct kernel_name *names;
    size_t bytes = strlen(text) + 1;

    pthread_mutex_lock(&lock);
    struct kernel_name *n = names;
    while (n && (n->function != function || strcmp(n->text, text)))
        n = n->next;
    if (!n && (n = malloc(sizeof *n + bytes))) {
        n->function = function;
        memcpy(n->text, text, bytes);
        n->next = names;
        names = n;
    }
    pthread_mutex_unlock(&lock);
    return n ? n->text : NULL;
}

EXPORT cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    char text[4096];
    if (!name)
        return cudaErrorInvalidValue;
    cudaError_t e = softgpu_function_name(text, sizeof text, function);
    const char *kept = e ? NULL : keep_name(function, text);
    if (kept)
        *name = kept;
    return e || kept ? e : cudaErrorMemoryAllocation;
}
