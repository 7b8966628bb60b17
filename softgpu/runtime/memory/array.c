/**
 * @file array.c
 * CUDA arrays as memory: allocation and description.
 */
#include "runtime/memory/array.h"

#include <string.h>

#include "runtime/state/capture.h"
#include "runtime/memory/copy.h"
#include "runtime/state/entry.h"

#define PITCH 512
#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

static struct array *arrays;

struct array *array_resolve(cudaArray_const_t handle)
{
    for (struct array *a = arrays; a; a = a->next)
        if ((cudaArray_const_t)a == handle)
            return a;
    return NULL;
}

void arrays_drop_all(void)
{
    while (arrays)
        array_drop(arrays);
}

struct array *array_add(const struct array *a)
{
    struct array *kept = malloc(sizeof *kept);
    if (!kept)
        abort();
    *kept = *a;
    kept->next = arrays;
    return arrays = kept;
}

void array_drop(struct array *a)
{
    struct array **at = &arrays;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    free(a);
}

size_t channels_bytes(const struct cudaChannelFormatDesc *d)
{
    int bits = d->x, channels = d->w ? 4 : d->z ? 0 : d->y ? 2 : 1;
    bool real = d->f == cudaChannelFormatKindFloat, whole = d->f == cudaChannelFormatKindSigned || d->f == cudaChannelFormatKindUnsigned;
    if ((bits != 16 && bits != 32 && (bits != 8 || real)) || (!real && !whole) || (d->y && d->y != bits) ||
        (d->z && d->z != bits) || (d->w && (d->w != bits || !d->z || !d->y)))
        return 0;
    return (size_t)bits / 8 * (size_t)channels;
}

/* What the H200's driver allows (tests/runtime/texture_calls_facts.gpu.txt): the limits that cudaGetDeviceProperties
 * tells of. */
static bool shape_fits(struct cudaExtent e, unsigned flags)
{
    bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap, surface = flags & cudaArraySurfaceLoadStore;
    if (!e.width || (flags & cudaArrayTextureGather && (!e.height || e.depth)))
        return false;
    if (cube)
        return e.width == e.height && e.width <= 32768 && (layered ? e.depth && e.depth % 6 == 0 && e.depth <= 2046 : e.depth == 6);
    if (layered)
        return e.depth && e.depth <= 2048 && e.width <= 32768 && e.height <= 32768;
    if (e.depth)
        return e.height && ((e.width <= 16384 && e.height <= 16384 && e.depth <= 16384) ||
                            (e.width <= 8192 && e.height <= 8192 && e.depth <= 32768));
    return e.width <= (surface && !e.height ? 32768 : 131072) && e.height <= 65536;
}

cudaError_t array_check(const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags, size_t *element)
{
    const unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
        return runtime_unsupported("an array that is sparse or mapped later");
    if (format->f > cudaChannelFormatKindNone)
        return runtime_unsupported("an array of this kind of channels");
    *element = channels_bytes(format);
    if (!*element)
        return cudaErrorInvalidChannelDescriptor;
    return flags & ~known || !shape_fits(extent, flags) ? cudaErrorInvalidValue : cudaSuccess;
}

struct array array_layout(const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags, size_t element)
{
    return (struct array){.element = element, .format = *format, .extent = extent, .flags = flags,
                          .pitch = (extent.width * element + PITCH - 1) / PITCH * PITCH,
                          .rows = extent.height ? extent.height : 1, .slices = extent.depth ? extent.depth : 1};
}

uint64_t array_bytes(const struct array *a)
{
    return (uint64_t)a->pitch * a->rows * a->slices;
}

static cudaError_t create(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                          struct cudaExtent extent, unsigned flags)
{
    size_t element;
    cudaError_t e = out && format ? array_check(format, extent, flags, &element) : cudaErrorInvalidValue;
    if (e)
        return e;
    struct array a = array_layout(format, extent, flags, element);
    struct allocation *m = memory_alloc(machine_memory(runtime.machine), array_bytes(&a), PITCH, ALLOC_DEVICE, NULL);
    if (!m)
        return cudaErrorMemoryAllocation;
    m->made_by = runtime_thread()->call;
    a.base = m->base;
    *out = (cudaArray_t)array_add(&a);
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(create(out, format, (struct cudaExtent){width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(create(out, format, extent, flags));
}

void array_release(uint64_t base)
{
    struct memory *m = machine_memory(runtime.machine);
    memory_find(m, base)->freed_by = runtime.next_op++;
    memory_free(m, base);
}

cudaError_t cudaFreeArray(cudaArray_t handle)
{
    API_ENTER_UNCAPTURED();
    if (!handle)
        API_RETURN(cudaSuccess);
    cudaError_t e = device_wait("cudaFreeArray");
    struct array *a = array_resolve(handle);
    if (!a)
        API_RETURN(cudaErrorInvalidValue);
    if (a->level_of) /* its memory goes with the other levels' */
        API_RETURN(e);
    array_release(a->base);
    array_drop(a);
    API_RETURN(e);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t handle)
{
    API_ENTER();
    struct array *a = array_resolve(handle);
    if (!a)
        API_RETURN(cudaErrorInvalidResourceHandle);
    if (format)
        *format = a->format;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t handle)
{
    API_ENTER();
    struct array *a = array_resolve(handle);
    if (!format || !a)
        API_RETURN(cudaErrorInvalidValue);
    *format = a->format;
    API_RETURN(cudaSuccess);
}
