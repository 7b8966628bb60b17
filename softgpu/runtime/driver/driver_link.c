/**
 * @file driver_link.c
 * Driver API: cuLink*, of PTX. Nothing is compiled: one piece of PTX is its own result, which modules are loaded from.
 * Several would have to be linked, which softgpu does not do.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/driver/driver_jit.h"

/** What CUlinkState points to. */
struct link {
    struct driver_jit jit;
    char *ptx;                     /**< owned; NULL: nothing yet */
    size_t bytes;
};

static CUresult create(unsigned count, const CUjit_option *options, void **values, CUlinkState *out)
{
    if (!out || (count && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    struct link *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->jit = driver_jit_of(count, options, values);
    *out = (CUlinkState)l;
    return CUDA_SUCCESS;
}

static CUresult fail(const struct link *l, const char *why)
{
    driver_jit_log(&l->jit, why);
    return driver_result(runtime_unsupported(why));
}

static CUresult add(struct link *l, CUjitInputType type, const char *data, size_t bytes)
{
    if (!l || !data || !bytes)
        return l ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    if (type != CU_JIT_INPUT_PTX)
        return fail(l, "linking anything but PTX (cuLinkAddData, cuLinkAddFile)");
    if (l->ptx)
        return fail(l, "linking several pieces of PTX (cuLinkAddData, cuLinkAddFile)");
    l->bytes = strnlen(data, bytes) + 1;
    l->ptx = malloc(l->bytes);
    if (!l->ptx)
        abort();
    memcpy(l->ptx, data, l->bytes - 1);
    l->ptx[l->bytes - 1] = '\0';
    cudaLibrary_t library; /* loaded once, so that what is wrong is told here, as a compiler would */
    CUresult r = driver_jit_load(&l->jit, &library, l->ptx, NULL);
    if (!r)
        return driver_result(cudaLibraryUnload(library));
    free(l->ptx);
    l->ptx = NULL;
    return r;
}

static CUresult add_file(struct link *l, CUjitInputType type, const char *path)
{
    FILE *f = path ? fopen(path, "rb") : NULL;
    char *data = NULL;
    size_t room = 0;
    if (!f)
        return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    ssize_t bytes = getdelim(&data, &room, '\0', f);
    fclose(f);
    CUresult r = add(l, type, data, bytes > 0 ? (size_t)bytes : 0);
    free(data);
    return r;
}

static CUresult complete(struct link *l, void **code, size_t *bytes)
{
    if (!l || !l->ptx)
        return l ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    if (code)
        *code = l->ptx;
    if (bytes)
        *bytes = l->bytes;
    return CUDA_SUCCESS;
}

static CUresult destroy(struct link *l)
{
    if (l)
        free(l->ptx);
    free(l);
    return l ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state)
{
    DRIVER(create(count, options, values, state));
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned count, CUjit_option *options, void **values)
{
    (void)name, (void)count, (void)options, (void)values;
    DRIVER(add((struct link *)state, type, data, bytes));
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                       CUjit_option *options, void **values)
{
    (void)count, (void)options, (void)values;
    DRIVER(add_file((struct link *)state, type, path));
}

CUresult cuLinkComplete(CUlinkState state, void **code, size_t *bytes)
{
    DRIVER(complete((struct link *)state, code, bytes));
}

CUresult cuLinkDestroy(CUlinkState state)
{
    DRIVER(destroy((struct link *)state));
}
