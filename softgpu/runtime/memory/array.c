/**
 * @file array.c
 * CUDA arrays, as far as they are memory: allocation, description, copies.
 */
#include "runtime/memory/array.h"

#include <string.h>

#include "runtime/state/capture.h"
#include "runtime/memory/copy.h"

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

void arrays_reset(void)
{
    for (struct array *a; (a = arrays);) {
        arrays = a->next;
        free(a);
    }
}

/* Bytes of an element: one, two or four channels of equal width. */
static size_t element_bytes(const struct cudaChannelFormatDesc *d)
{
    int bits = d->x, channels = d->w ? 4 : d->z ? 0 : d->y ? 2 : 1;
    if ((bits != 8 && bits != 16 && bits != 32) || (d->y && d->y != bits) ||
        (d->z && d->z != bits) || (d->w && (d->w != bits || !d->z || !d->y)))
        return 0;
    return (size_t)bits / 8 * (size_t)channels;
}

static cudaError_t create(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                          struct cudaExtent extent, unsigned flags)
{
    if (!out || !format || !extent.width)
        return cudaErrorInvalidValue;
    size_t element = element_bytes(format);
    if (!element)
        return cudaErrorInvalidChannelDescriptor;
    if (extent.width > 1u << 20 || extent.height > 1u << 20 || extent.depth > 1u << 20)
        return cudaErrorInvalidValue;
    struct array a = {.element = element, .format = *format, .extent = extent, .flags = flags};
    a.pitch = (extent.width * element + PITCH - 1) / PITCH * PITCH;
    a.rows = extent.height ? extent.height : 1;
    a.slices = extent.depth ? extent.depth : 1;
    struct allocation *m = memory_alloc(machine_memory(runtime.machine),
                                        a.pitch * a.rows * a.slices, PITCH, ALLOC_DEVICE, NULL);
    if (!m)
        return cudaErrorMemoryAllocation;
    a.base = m->base;
    a.next = arrays;
    arrays = malloc(sizeof a);
    if (!arrays)
        abort();
    *arrays = a;
    *out = (cudaArray_t)arrays;
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

cudaError_t cudaFreeArray(cudaArray_t handle)
{
    API_ENTER_UNCAPTURED();
    if (!handle)
        API_RETURN(cudaSuccess);
    cudaError_t e = device_wait("cudaFreeArray");
    for (struct array **at = &arrays; *at; at = &(*at)->next) {
        struct array *a = *at;
        if ((cudaArray_t)a != handle)
            continue;
        *at = a->next;
        memory_free(machine_memory(runtime.machine), a->base);
        free(a);
        API_RETURN(e);
    }
    API_RETURN(cudaErrorInvalidValue);
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

/* ---- copies: offsets and widths are in bytes, heights in rows ---- */

struct window {
    struct array *array;
    size_t x, y;
};

static bool window_fits(const struct window *w, size_t width, size_t height)
{
    size_t row = w->array->extent.width * w->array->element;
    return w->x <= row && width <= row - w->x && w->y <= w->array->rows &&
           height <= w->array->rows - w->y;
}

static uint64_t window_base(const struct window *w)
{
    return w->array->base + w->y * w->array->pitch + w->x;
}

static cudaError_t array_copy(const char *name, const struct window *to, void *dst, size_t dpitch,
                              const struct window *from, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream, bool async)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, async, &s);
    if (e)
        return e;
    if ((to && (!to->array || !window_fits(to, width, height))) ||
        (from && (!from->array || !window_fits(from, width, height))))
        return cudaErrorInvalidValue;
    struct box_copy box = {.dst = to ? window_base(to) : ADDRESS(dst),
                           .dst_pitch = to ? to->array->pitch : dpitch,
                           .src = from ? window_base(from) : ADDRESS(src),
                           .src_pitch = from ? from->array->pitch : spitch,
                           .width = width, .height = height, .depth = 1};
    return copy_box(name, box, kind, s, async);
}

#define WINDOW(a, x_, y_) (&(struct window){array_resolve(a), (x_), (y_)})

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(array_copy("cudaMemcpy2DToArray", WINDOW(dst, x, y), NULL, 0, NULL, src, pitch,
                          width, height, kind, NULL, false));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(array_copy("cudaMemcpy2DToArrayAsync", WINDOW(dst, x, y), NULL, 0, NULL, src, pitch,
                          width, height, kind, stream, true));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(array_copy("cudaMemcpy2DFromArray", NULL, dst, pitch, WINDOW(src, x, y), NULL, 0,
                          width, height, kind, NULL, false));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(array_copy("cudaMemcpy2DFromArrayAsync", NULL, dst, pitch, WINDOW(src, x, y), NULL,
                          0, width, height, kind, stream, true));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
                                     size_t sx, size_t sy, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(array_copy("cudaMemcpy2DArrayToArray", WINDOW(dst, dx, dy), NULL, 0,
                          WINDOW(src, sx, sy), NULL, 0, width, height, kind, NULL, false));
}

/* The old one-dimensional forms run on from row to row: they are served where one row, or whole
 * rows, are meant. */
static bool whole_rows(const struct array *a, size_t x, size_t count, size_t *width,
                       size_t *height)
{
    size_t row = a ? a->extent.width * a->element : 0;
    *width = count;
    *height = 1;
    if (!row || x + count <= row)
        return row != 0;
    *width = row;
    *height = count / row;
    return x == 0 && count % row == 0;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    API_ENTER();
    size_t width, height;
    if (!whole_rows(array_resolve(dst), x, count, &width, &height))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(array_copy("cudaMemcpyToArray", WINDOW(dst, x, y), NULL, 0, NULL, src, width, width,
                          height, kind, NULL, false));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    API_ENTER();
    size_t width, height;
    if (!whole_rows(array_resolve(src), x, count, &width, &height))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(array_copy("cudaMemcpyFromArray", NULL, dst, width, WINDOW(src, x, y), NULL, 0,
                          width, height, kind, NULL, false));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    size_t width, height;
    if (!whole_rows(array_resolve(dst), x, count, &width, &height))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(array_copy("cudaMemcpyToArrayAsync", WINDOW(dst, x, y), NULL, 0, NULL, src, width,
                          width, height, kind, stream, true));
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    size_t width, height;
    if (!whole_rows(array_resolve(src), x, count, &width, &height))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(array_copy("cudaMemcpyFromArrayAsync", NULL, dst, width, WINDOW(src, x, y), NULL, 0,
                          width, height, kind, stream, true));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
                                   size_t sx, size_t sy, size_t count, enum cudaMemcpyKind kind)
{
    API_ENTER();
    size_t width, height, other, rows;
    if (!whole_rows(array_resolve(dst), dx, count, &width, &height) ||
        !whole_rows(array_resolve(src), sx, count, &other, &rows) || width != other)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(array_copy("cudaMemcpyArrayToArray", WINDOW(dst, dx, dy), NULL, 0,
                          WINDOW(src, sx, sy), NULL, 0, width, height, kind, NULL, false));
}
