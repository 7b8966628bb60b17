/**
 * @file copies.c
 * Copies. A side that is the program's own pageable memory travels as bytes; the runtime stages such
 * memory before the call returns, so nothing about their order is lost.
 *
 * By hand: whether a side travels, and how its rows are packed, hangs on where it lies.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/call_site.h"
#include "remote/client/client.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

/** Rows between pitched and packed memory. */
static void copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height)
{
    for (size_t y = 0; y < height; y++)
        memcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width);
}

static bool is_to_symbol(uint32_t call)
{
    return call == COPY_TO_SYMBOL || call == COPY_TO_SYMBOL_ASYNC;
}

static bool is_from_symbol(uint32_t call)
{
    return call == COPY_FROM_SYMBOL || call == COPY_FROM_SYMBOL_ASYNC;
}

static size_t extent(uint64_t pitch, const struct wire_copy *w)
{
    return pitch * (w->height - 1) + w->width;
}

/** Can the byte be read? The kernel reads the mask before it looks at what to do with it. */
static bool is_readable(const char *p)
{
    int error = errno;
    bool fails = syscall(SYS_rt_sigprocmask, ~0, (uintptr_t)p & ~(uintptr_t)7, NULL, 8) != 0 && errno == EFAULT;
    errno = error;
    return !fails;
}

/** Does a side lie in the program's memory, as far as its ends tell? If not, a call that is refused anyway must not fail by it. */
static bool is_there(const void *p, size_t bytes)
{
    const char *first = p;
    return is_readable(first) && is_readable(first + bytes - 1);
}

/** A wrong pointer of the program's fails here, where it is the program's fault to see. */
static void touch(const void *p, size_t bytes)
{
    const volatile char *first = p;
    (void)first[0];
    (void)first[bytes - 1];
}

static cudaError_t copy(struct wire_copy w, const void *site)
{
    struct call c;
    size_t bytes;
    void *packed = NULL;
    call_begin(&c, WIRE_COPY, site);
    bool possible = !__builtin_mul_overflow(w.width, w.height, &bytes) && bytes && bytes <= WIRE_BULK &&
                    w.width <= w.dst_pitch && w.width <= w.src_pitch;
    const void *src = (const void *)(uintptr_t)w.src;
    void *dst = (void *)(uintptr_t)w.dst;
    w.src_inline = possible && src && !is_from_symbol(w.call) && !shared_known(src);
    w.dst_inline = possible && dst && !is_to_symbol(w.call) && !shared_known(dst);
    bool source = !w.src_inline || is_there(src, extent(w.src_pitch, &w));
    bool there = source && (!w.dst_inline || is_there(dst, extent(w.dst_pitch, &w)));
    bool scattered = w.height > 1 || !there;
    if (scattered && (w.src_inline || w.dst_inline) && !(packed = calloc(1, bytes)))
        return cudaErrorMemoryAllocation;
    if (w.src_inline) {
        if (scattered && source)
            copy_rows(packed, w.width, src, w.src_pitch, w.width, w.height);
        c.bulk = scattered ? packed : src;
        c.head.bulk_bytes = bytes;
    }
    if (w.dst_inline) {
        c.bulk_to = scattered ? packed : dst;
        c.bulk_room = bytes;
    }
    call_put(&c, &w, sizeof w);
    cudaError_t e = call_do(&c);
    if (!there && e == cudaSuccess)
        touch(source ? dst : src, extent(source ? w.dst_pitch : w.src_pitch, &w));
    if (w.dst_inline && scattered && c.answer.bulk_bytes == bytes)
        copy_rows(dst, w.dst_pitch, packed, w.width, w.width, w.height);
    free(packed);
    return e;
}

static cudaError_t linear(enum wire_copy_call call, void *dst, const void *src, size_t count,
                          enum cudaMemcpyKind kind, cudaStream_t stream, const void *site)
{
    return copy((struct wire_copy){.call = call, .kind = kind, .dst = ADDRESS(dst),
                                   .src = ADDRESS(src), .dst_pitch = count, .src_pitch = count,
                                   .width = count, .height = 1, .stream = ADDRESS(stream)},
                site);
}

EXPORT cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return linear(COPY_LINEAR, dst, src, count, kind, NULL, __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return linear(COPY_LINEAR_ASYNC, dst, src, count, kind, stream, __builtin_return_address(0));
}

static cudaError_t plane(enum wire_copy_call call, void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                         cudaStream_t stream, const void *site)
{
    return copy((struct wire_copy){.call = call, .kind = kind, .dst = ADDRESS(dst),
                                   .src = ADDRESS(src), .dst_pitch = dpitch, .src_pitch = spitch,
                                   .width = width, .height = height, .stream = ADDRESS(stream)},
                site);
}

EXPORT cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return plane(COPY_PLANE, dst, dpitch, src, spitch, width, height, kind, NULL,
                 __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return plane(COPY_PLANE_ASYNC, dst, dpitch, src, spitch, width, height, kind, stream,
                 __builtin_return_address(0));
}

static cudaError_t symbol(enum wire_copy_call call, const void *dst, const void *src, size_t count,
                          size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                          const void *site)
{
    return copy((struct wire_copy){.call = call, .kind = kind, .dst = ADDRESS(dst),
                                   .src = ADDRESS(src), .dst_pitch = count, .src_pitch = count,
                                   .width = count, .height = 1,
                                   .offset = offset, .stream = ADDRESS(stream)},
                site);
}

/* Programs call these through typed templates of the toolkit's. */

EXPORT cudaError_t cudaMemcpyToSymbol(const void *to, const void *src, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind)
{
    return symbol(COPY_TO_SYMBOL, to, src, count, offset, kind, NULL, CALL_SITE_THROUGH(1));
}

EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void *to, const void *src, size_t count,
                                           size_t offset, enum cudaMemcpyKind kind,
                                           cudaStream_t stream)
{
    return symbol(COPY_TO_SYMBOL_ASYNC, to, src, count, offset, kind, stream,
                  CALL_SITE_THROUGH(1));
}

EXPORT cudaError_t cudaMemcpyFromSymbol(void *dst, const void *from, size_t count, size_t offset,
                                        enum cudaMemcpyKind kind)
{
    return symbol(COPY_FROM_SYMBOL, dst, from, count, offset, kind, NULL,
                  CALL_SITE_THROUGH(1));
}

EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *from, size_t count,
                                             size_t offset, enum cudaMemcpyKind kind,
                                             cudaStream_t stream)
{
    return symbol(COPY_FROM_SYMBOL_ASYNC, dst, from, count, offset, kind, stream,
                  CALL_SITE_THROUGH(1));
}

/* ---- batches: the server reads their sources when their order says, so that no bytes can travel with the call ---- */

static cudaError_t pageable_in_batch(const char *call)
{
    fprintf(stderr, "softgpu: %s of pageable memory is not supported in the sandbox; it returns cudaErrorNotSupported\n", call);
    return cudaErrorNotSupported;
}

EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t number,
                                        struct cudaMemcpyAttributes *attributes, size_t *firsts, size_t attribute_number,
                                        cudaStream_t stream)
{
    for (size_t i = 0; dsts && srcs && i < number; i++)
        if ((dsts[i] && !shared_known(dsts[i])) || (srcs[i] && !shared_known(srcs[i])))
            return pageable_in_batch("cudaMemcpyBatchAsync");
    return forward_cudaMemcpyBatchAsync(__builtin_return_address(0), dsts, srcs, sizes, number, attributes, firsts, attribute_number,
                                        stream);
}

static bool is_pageable(const struct cudaMemcpy3DOperand *o)
{
    return o->type == cudaMemcpyOperandTypePointer && o->op.ptr.ptr && !shared_known(o->op.ptr.ptr);
}

EXPORT cudaError_t cudaMemcpy3DBatchAsync(size_t number, struct cudaMemcpy3DBatchOp *list, unsigned long long flags, cudaStream_t stream)
{
    for (size_t i = 0; list && i < number; i++)
        if (is_pageable(&list[i].src) || is_pageable(&list[i].dst))
            return pageable_in_batch("cudaMemcpy3DBatchAsync");
    return forward_cudaMemcpy3DBatchAsync(__builtin_return_address(0), number, list, flags, stream);
}
