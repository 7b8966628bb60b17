/**
 * @file boxes.c
 * Copies of boxes, and from or to arrays: cudaMemcpy3D and what can be said by it. A side in the program's own
 * pageable memory travels as bytes, packed. By hand for that, as copies.c is.
 */
#include <stdlib.h>
#include <string.h>

#include "remote/client/client.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))
_Static_assert(sizeof(struct cudaMemcpy3DParms) <= sizeof((struct wire_copy_box *)0)->parms,
               "wire.h");

/** Bytes of an array's element; 1 for NULL, 0 for what is no array. */
static size_t element_of(cudaArray_t array)
{
    struct cudaChannelFormatDesc d;
    struct cudaExtent extent;
    unsigned flags;
    if (!array)
        return 1;
    if (cudaArrayGetInfo(&d, &extent, &flags, array) != cudaSuccess)
        return 0;
    return (size_t)(d.x + d.y + d.z + d.w) / 8;
}

/** The box's first byte. */
static char *first_byte(struct cudaPitchedPtr p, struct cudaPos at)
{
    return (char *)p.ptr + at.z * p.pitch * p.ysize + at.y * p.pitch + at.x;
}

static void move_rows(char *packed, struct cudaPitchedPtr p, struct cudaPos at, struct cudaExtent e,
                      bool in)
{
    char *base = first_byte(p, at);
    for (size_t z = 0; z < e.depth; z++)
        for (size_t y = 0; y < e.height; y++) {
            char *row = base + (z * p.ysize + y) * p.pitch,
                 *there = packed + (z * e.height + y) * e.width;
            memcpy(in ? there : row, in ? row : there, e.width);
        }
}

static cudaError_t copy(const struct cudaMemcpy3DParms *p, bool async, cudaStream_t stream,
                        const void *site)
{
    struct wire_copy_box w = {.stream = ADDRESS(stream), .async = async};
    struct call c;
    size_t plane, bytes = 0, element = p ? element_of(p->dstArray ? p->dstArray : p->srcArray) : 0;
    struct cudaExtent rows = p ? p->extent : (struct cudaExtent){0, 0, 0};
    if (!p || !element || __builtin_mul_overflow(rows.width, element, &rows.width))
        return cudaErrorInvalidValue;
    bool possible = !__builtin_mul_overflow(rows.width, rows.height, &plane) &&
                    !__builtin_mul_overflow(plane, rows.depth, &bytes) && bytes &&
                    bytes <= WIRE_BULK;
    w.src_inline = possible && !p->srcArray && p->srcPtr.ptr && !shared_known(p->srcPtr.ptr);
    w.dst_inline = possible && !p->dstArray && p->dstPtr.ptr && !shared_known(p->dstPtr.ptr);
    if ((w.src_inline && rows.height > 1 && p->srcPtr.pitch < rows.width) ||
        (w.dst_inline && rows.height > 1 && p->dstPtr.pitch < rows.width))
        return cudaErrorInvalidPitchValue;
    char *packed = w.src_inline || w.dst_inline ? malloc(bytes) : NULL;
    if ((w.src_inline || w.dst_inline) && !packed)
        return cudaErrorMemoryAllocation;
    call_begin(&c, WIRE_COPY_BOX, site);
    if (w.src_inline) {
        move_rows(packed, p->srcPtr, p->srcPos, rows, true);
        c.bulk = packed;
        c.head.bulk_bytes = bytes;
    }
    if (w.dst_inline) {
        c.bulk_to = packed;
        c.bulk_room = bytes;
    }
    w.bytes = w.src_inline || w.dst_inline ? bytes : 0;
    w.row = rows.width;
    memcpy(w.parms, p, sizeof *p);
    call_put(&c, &w, sizeof w);
    cudaError_t e = call_do(&c);
    if (w.dst_inline && c.answer.bulk_bytes == bytes)
        move_rows(packed, p->dstPtr, p->dstPos, rows, false);
    free(packed);
    return e;
}

EXPORT cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return copy(p, false, NULL, __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy(p, true, stream, __builtin_return_address(0));
}

/** A plane of `width` bytes and `height` rows; a side is an array with a corner in bytes and rows, or memory. */
struct side {
    cudaArray_t array;
    size_t x, y;
    const void *p;
    size_t pitch;
};

static cudaError_t plane(struct side dst, struct side src, size_t width, size_t height,
                         enum cudaMemcpyKind kind, bool async, cudaStream_t stream,
                         const void *site)
{
    size_t element = element_of(dst.array ? dst.array : src.array);
    size_t other = element_of(src.array ? src.array : dst.array);
    if (!element || element != other || dst.x % element || src.x % element || width % element)
        return cudaErrorInvalidValue;
    if (!dst.array && width > dst.pitch)
        return cudaErrorInvalidPitchValue;
    if (!src.array && width > src.pitch)
        return cudaErrorInvalidPitchValue;
    const struct cudaMemcpy3DParms p = {
        .dstArray = dst.array,
        .srcArray = src.array,
        .dstPos = {dst.x / element, dst.y, 0},
        .srcPos = {src.x / element, src.y, 0},
        .dstPtr = {(void *)(uintptr_t)dst.p, dst.pitch, width, height},
        .srcPtr = {(void *)(uintptr_t)src.p, src.pitch, width, height},
        .extent = {width / element, height, 1},
        .kind = kind};
    return copy(&p, async, stream, site);
}

#define AN_ARRAY(a, x_, y_)                                                                        \
    ((struct side){.array = (cudaArray_t)(uintptr_t)(a), .x = (x_), .y = (y_)})
#define MEMORY(p_, pitch_) ((struct side){.p = (p_), .pitch = (pitch_)})

EXPORT cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src,
                                       size_t pitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind)
{
    return plane(AN_ARRAY(dst, x, y), MEMORY(src, pitch), width, height, kind, false, NULL,
                 __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                            size_t pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return plane(AN_ARRAY(dst, x, y), MEMORY(src, pitch), width, height, kind, true, stream,
                 __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                                         size_t y, size_t width, size_t height,
                                         enum cudaMemcpyKind kind)
{
    return plane(MEMORY(dst, pitch), AN_ARRAY(src, x, y), width, height, kind, false, NULL,
                 __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src,
                                              size_t x, size_t y, size_t width, size_t height,
                                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return plane(MEMORY(dst, pitch), AN_ARRAY(src, x, y), width, height, kind, true, stream,
                 __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy,
                                            cudaArray_const_t src, size_t sx, size_t sy,
                                            size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return plane(AN_ARRAY(dst, dx, dy), AN_ARRAY(src, sx, sy), width, height, kind, false, NULL,
                 __builtin_return_address(0));
}

/* ---- the old one-dimensional forms run on from row to row: the rest of a row, rows as a whole, what is left of one ---- */

/** A run of bytes in an array, from a corner on, to or from memory. */
static cudaError_t run(cudaArray_const_t array, size_t x, size_t y, char *memory, size_t count, bool to_array,
                       enum cudaMemcpyKind kind, bool async, cudaStream_t stream, const void *site)
{
    struct cudaChannelFormatDesc d;
    struct cudaExtent extent;
    unsigned flags;

    if (!array)
        return cudaErrorInvalidResourceHandle;
    cudaError_t e = cudaArrayGetInfo(&d, &extent, &flags, (cudaArray_t)(uintptr_t)array);
    size_t row = extent.width * element_of((cudaArray_t)(uintptr_t)array), rows = extent.height ? extent.height : 1;
    if (e || !row || x >= row || y >= rows || count > (rows - y) * row - x)
        return e ? e : cudaErrorInvalidValue;
    while (count && !e) {
        size_t width = count < row - x ? count : row - x, height = x || width < row ? 1 : count / row;
        struct side in = AN_ARRAY(array, x, y), out = MEMORY(memory, width);
        e = plane(to_array ? in : out, to_array ? out : in, width, height, kind, async, stream, site);
        count -= width * height;
        memory += width * height;
        x = 0;
        y += height;
    }
    return e;
}

EXPORT cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return run(dst, x, y, (char *)(uintptr_t)src, count, true, kind, false, NULL, __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run(dst, x, y, (char *)(uintptr_t)src, count, true, kind, true, stream, __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind)
{
    return run(src, x, y, dst, count, false, kind, false, NULL, __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run(src, x, y, dst, count, false, kind, true, stream, __builtin_return_address(0));
}
