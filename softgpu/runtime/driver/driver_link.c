/**
 * @file driver_link.c
 * Driver API: cuLink*. Nothing is compiled: what comes out is the PTX of all that was added, one text behind the other,
 * which loading links (parse/link.c).
 */
#include <stdio.h>
#include <string.h>

#include "runtime/code/linked.h"
#include "runtime/code/register_bound.h"
#include "runtime/driver/driver_jit.h"

/** What CUlinkState points to. */
struct link {
    struct jit_options jit;
    struct linked all;
    bool complete;
    bool broken;               /**< nothing will come of it */
};

static CUresult create(unsigned count, const CUjit_option *options, void **values, CUlinkState *out)
{
    if (!out || (count && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    struct jit_options jit = jit_options_of(count, (const unsigned *)options, values);
    if (jit.wrong)
        return CUDA_ERROR_INVALID_VALUE;
    struct link *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->jit = jit;
    *out = (CUlinkState)l;
    return CUDA_SUCCESS;
}

static CUresult fail(const struct link *l, CUresult r, const char *why)
{
    jit_options_log(&l->jit, why);
    if (!l->jit.log)
        runtime_say("%s", why);
    return r;
}

/* Loaded once, so that what is wrong is told here, as a compiler and a linker would. */
static CUresult try_load(const struct link *l, enum library_form form, const char *ptx)
{
    cudaLibrary_t library;
    CUresult r = driver_jit_load(&l->jit, form, &library, ptx, NULL);
    return r ? r : driver_result(cudaLibraryUnload(library));
}

static CUresult add_ptx(struct link *l, const char *data, size_t bytes, struct diag *d)
{
    size_t used = l->all.bytes;
    enum fatbin_status status = linked_add(&l->all, data, strnlen(data, bytes), d);
    CUresult r = status ? fail(l, CUDA_ERROR_INVALID_VALUE, d->message) : try_load(l, LIBRARY_PART, l->all.text + used);
    if (!r && used && try_load(l, LIBRARY_PART, l->all.text)) { /* what two parts define: an H200's linker ends here */
        l->broken = true;
        r = CUDA_ERROR_UNKNOWN;
    }
    if (r && l->all.text)
        l->all.text[l->all.bytes = used] = 0;
    return r;
}

/* What NVRTC gives in place of machine code (libaudit/libaudit.c). */
static bool is_text(const char *data, size_t bytes)
{
    return memcmp(data, "\x7f" "ELF", bytes < 4 ? bytes : 4) && memmem(data, bytes, ".version", strlen(".version"));
}

static CUresult add_input(struct link *l, CUjitInputType type, const char *data, size_t bytes)
{
    struct diag d = {0};
    enum fatbin_status status;
    int sm = runtime.device->major * 10 + runtime.device->minor;
    if (!l || !data || !bytes)
        return l ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    switch (type == CU_JIT_INPUT_CUBIN && is_text(data, bytes) ? CU_JIT_INPUT_PTX : type) {
    case CU_JIT_INPUT_PTX:
        return add_ptx(l, data, bytes, &d);
    case CU_JIT_INPUT_FATBINARY:
        status = linked_add_fatbin(&l->all, data, bytes, sm, &d);
        break;
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
        status = linked_add_object(&l->all, data, bytes, sm, &d);
        break;
    default:
        fail(l, CUDA_ERROR_NOT_SUPPORTED, "linking of machine code or an intermediate form (cuLinkAddData, cuLinkAddFile)");
        return driver_result(runtime_unsupported("linking of machine code or of LTO-IR in place of PTX (cuLinkAddData, cuLinkAddFile; with "
                                                 "NVRTC, --gpu-architecture=compute_XX without -dlto, and nvrtcGetPTX)"));
    }
    return !status                    ? CUDA_SUCCESS
           : status == FATBIN_BROKEN ? fail(l, CUDA_ERROR_INVALID_IMAGE, d.message)
                                     : fail(l, CUDA_ERROR_NO_BINARY_FOR_GPU, d.message);
}

/* What was added has the bound of its own options, or that of the whole link. */
static CUresult add(struct link *l, CUjitInputType type, const char *data, size_t bytes, const struct jit_options *own)
{
    struct diag unused = {0};
    char bound[REGISTER_BOUND_BYTES];
    if (own->wrong)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = add_input(l, type, data, bytes);
    if (r)
        return r;
    register_bound_text(bound, own->max_registers ? own->max_registers : l->jit.max_registers);
    linked_add(&l->all, bound, strlen(bound), &unused);
    return CUDA_SUCCESS;
}

static CUresult add_file(struct link *l, CUjitInputType type, const char *path, const struct jit_options *own)
{
    FILE *f = path ? fopen(path, "rb") : NULL;
    char *data = NULL;
    size_t bytes = 0;
    if (!f)
        return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    FILE *copy = open_memstream(&data, &bytes);
    char part[4096];
    for (size_t n; copy && (n = fread(part, 1, sizeof part, f));)
        fwrite(part, 1, n, copy);
    if (copy)
        fclose(copy);
    fclose(f);
    CUresult r = add(l, type, data, bytes, own);
    free(data);
    return r;
}

static CUresult complete(struct link *l, void **code, size_t *bytes)
{
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!l->complete) { /* of nothing: an empty module, as on an H200 */
        linked_end(&l->all);
        CUresult r = l->broken ? CUDA_ERROR_UNKNOWN : try_load(l, LIBRARY_MODULE, l->all.text);
        if (r)
            return r == CUDA_ERROR_INVALID_PTX ? CUDA_ERROR_INVALID_SOURCE : r; /* something is missing */
        l->complete = true;
    }
    if (code)
        *code = l->all.text;
    if (bytes)
        *bytes = l->all.bytes + 1;
    return CUDA_SUCCESS;
}

static CUresult destroy(struct link *l)
{
    if (l)
        free(l->all.text);
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
    (void)name;
    const struct jit_options own = jit_options_of(count, (const unsigned *)options, values);
    DRIVER(add((struct link *)state, type, data, bytes, &own));
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                       CUjit_option *options, void **values)
{
    const struct jit_options own = jit_options_of(count, (const unsigned *)options, values);
    DRIVER(add_file((struct link *)state, type, path, &own));
}

CUresult cuLinkComplete(CUlinkState state, void **code, size_t *bytes)
{
    DRIVER(complete((struct link *)state, code, bytes));
}

CUresult cuLinkDestroy(CUlinkState state)
{
    DRIVER(destroy((struct link *)state));
}
