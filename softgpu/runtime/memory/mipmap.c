/**
 * @file mipmap.c
 * Arrays of several levels: each half as large as the one before, all in one piece of device memory.
 */
#include "runtime/memory/array.h"

#include "runtime/state/capture.h"
#include "runtime/state/entry.h"

#define PITCH 512

static struct mipmapped *all;

struct mipmapped *mipmapped_resolve(cudaMipmappedArray_const_t handle)
{
    for (struct mipmapped *m = all; m; m = m->next)
        if ((cudaMipmappedArray_const_t)m == handle)
            return m;
    return NULL;
}

void arrays_reset(void)
{
    arrays_drop_all();
    for (struct mipmapped *m; (m = all);) {
        all = m->next;
        free(m);
    }
}

static size_t half(size_t n, unsigned level)
{
    return n && n >> level == 0 ? 1 : n >> level;
}

/** Layers and faces do not become fewer. */
static struct cudaExtent level_extent(struct cudaExtent e, unsigned flags, unsigned level)
{
    bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
    return (struct cudaExtent){half(e.width, level), half(e.height, level), layers ? e.depth : half(e.depth, level)};
}

/** Levels down to one of a single element. */
static unsigned levels_of(struct cudaExtent e, unsigned flags)
{
    size_t most = e.width > e.height ? e.width : e.height;
    unsigned n = 1;
    if (!(flags & (cudaArrayLayered | cudaArrayCubemap)) && e.depth > most)
        most = e.depth;
    while (most >>= 1)
        n++;
    return n < TEXTURE_LEVELS ? n : TEXTURE_LEVELS;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned levels, unsigned flags)
{
    API_ENTER_UNCAPTURED();
    size_t element;
    cudaError_t e = out && format ? array_check(format, extent, flags, &element) : cudaErrorInvalidValue;
    if (e)
        API_RETURN(e);
    unsigned most = levels_of(extent, flags), count = levels < 1 ? 1 : levels > most ? most : levels;
    struct array level[TEXTURE_LEVELS];
    uint64_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        level[i] = array_layout(format, level_extent(extent, flags, i), flags, element);
        level[i].base = bytes;
        bytes += array_bytes(&level[i]);
    }
    struct allocation *a = memory_alloc(machine_memory(runtime.machine), bytes, PITCH, ALLOC_DEVICE, NULL);
    if (!a)
        API_RETURN(cudaErrorMemoryAllocation);
    a->made_by = runtime_thread()->call;
    struct mipmapped *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    *m = (struct mipmapped){.next = all, .base = a->base, .count = count};
    for (unsigned i = 0; i < count; i++) {
        level[i].base += a->base;
        level[i].level_of = m;
        m->level[i] = array_add(&level[i]);
    }
    all = m;
    *out = (cudaMipmappedArray_t)m;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t handle, unsigned level)
{
    API_ENTER();
    struct mipmapped *m = mipmapped_resolve(handle);
    if (!m)
        API_RETURN(cudaErrorInvalidResourceHandle);
    if (!out || level >= m->count)
        API_RETURN(cudaErrorInvalidValue);
    *out = (cudaArray_t)m->level[level];
    API_RETURN(cudaSuccess);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle)
{
    API_ENTER_UNCAPTURED();
    if (!handle)
        API_RETURN(cudaSuccess);
    cudaError_t e = device_wait("cudaFreeMipmappedArray");
    struct mipmapped **at = &all, *m = mipmapped_resolve(handle);
    if (!m)
        API_RETURN(cudaErrorInvalidValue);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    for (unsigned i = 0; i < m->count; i++)
        array_drop(m->level[i]);
    array_release(m->base);
    free(m);
    API_RETURN(e);
}

/* ---- what only arrays have that softgpu refuses to make: none of them is sparse, mapped later or of several planes ---- */

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *out, cudaArray_t array, int device)
{
    (void)out, (void)array, (void)device;
    API_ENTER();
    API_RETURN(cudaErrorInvalidValue);
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *out, cudaMipmappedArray_t array,
                                                    int device)
{
    (void)out, (void)array, (void)device;
    API_ENTER();
    API_RETURN(cudaErrorInvalidValue);
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *out, cudaArray_t array)
{
    (void)out, (void)array;
    API_ENTER();
    API_RETURN(cudaErrorInvalidValue);
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *out, cudaMipmappedArray_t array)
{
    (void)out, (void)array;
    API_ENTER();
    API_RETURN(cudaErrorInvalidValue);
}

cudaError_t cudaArrayGetPlane(cudaArray_t *out, cudaArray_t array, unsigned plane)
{
    (void)out, (void)array, (void)plane;
    API_ENTER();
    API_RETURN(cudaErrorInvalidValue);
}
