/**
 * @file array_copy.c
 * Copies to, from and between arrays. Offsets and widths are in bytes, heights in rows.
 */
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

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
    if ((to && !to->array) || (from && !from->array))
        return cudaErrorInvalidResourceHandle;
    if ((to && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)) ||
        (from && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)))
        return cudaErrorInvalidMemcpyDirection;
    if ((to && !window_fits(to, width, height)) || (from && !window_fits(from, width, height)))
        return cudaErrorInvalidValue;
    if (height == 1 && ((!to && dpitch < width) || (!from && spitch < width)))
        return cudaErrorInvalidValue; /* of several rows it is an invalid pitch */
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

/* ---- the old one-dimensional forms run on from row to row ---- */

static size_t row_left(const struct window *w, size_t count)
{
    size_t left = w ? w->array->extent.width * w->array->element - w->x : count;
    return left < count ? left : count;
}

static bool run_fits(const struct window *w, size_t count)
{
    size_t row = w->array->extent.width * w->array->element;
    return w->x < row && w->y < w->array->rows && count <= (w->array->rows - w->y) * row - w->x;
}

static void run_on(struct window *w, size_t row, size_t rows)
{
    w->x += row;
    w->y += rows - 1;
    if (w->x == w->array->extent.width * w->array->element) {
        w->x = 0;
        w->y++;
    }
}

/* Piece by piece: the rest of a row, or rows as a whole. */
static cudaError_t run_copy(const char *name, struct window *to, uint8_t *dst, struct window *from, const uint8_t *src,
                            size_t count, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    if ((to && !to->array) || (from && !from->array))
        return cudaErrorInvalidResourceHandle;
    if ((to && !run_fits(to, count)) || (from && !run_fits(from, count)))
        return cudaErrorInvalidValue;
    while (count) {
        size_t row = row_left(from, row_left(to, count));
        bool whole = (!to || (!to->x && row == row_left(to, SIZE_MAX))) && (!from || (!from->x && row == row_left(from, SIZE_MAX)));
        size_t rows = whole ? count / row : 1;
        cudaError_t e = array_copy(name, to, dst, row, from, src, row, row, rows, kind, stream, async);
        if (e)
            return e;
        count -= row * rows;
        if (to)
            run_on(to, row, rows);
        else
            dst += row * rows;
        if (from)
            run_on(from, row, rows);
        else
            src += row * rows;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(run_copy("cudaMemcpyToArray", WINDOW(dst, x, y), NULL, NULL, src, count, kind, NULL, false));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(run_copy("cudaMemcpyFromArray", NULL, dst, WINDOW(src, x, y), NULL, count, kind, NULL, false));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(run_copy("cudaMemcpyToArrayAsync", WINDOW(dst, x, y), NULL, NULL, src, count, kind, stream, true));
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(run_copy("cudaMemcpyFromArrayAsync", NULL, dst, WINDOW(src, x, y), NULL, count, kind, stream, true));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
                                   size_t sx, size_t sy, size_t count, enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(run_copy("cudaMemcpyArrayToArray", WINDOW(dst, dx, dy), NULL, WINDOW(src, sx, sy), NULL, count, kind, NULL,
                        false));
}
