/**
 * @file copies.c
 * Copies whose pageable side is bytes in the message.
 *
 * The runtime asks staging_holds() about every host address, under its lock: a copy from or to host
 * memory that is neither shared nor here is an invalid value. A call with a pageable side has taken or
 * brought its bytes when it returns, so they live long enough.
 */
#include <string.h>

#include "remote/server/server.h"
#include "runtime/state/host_thread.h"

static __thread struct {
    uint64_t base, bytes;
} staging[2];

bool staging_holds(uint64_t address, uint64_t bytes)
{
    for (int i = 0; i < 2; i++)
        if (staging[i].base && bytes <= staging[i].bytes &&
            address - staging[i].base <= staging[i].bytes - bytes)
            return true;
    return false;
}

static void set_staging(int i, const void *p, uint64_t bytes)
{
    staging[i].base = (uint64_t)(uintptr_t)p;
    staging[i].bytes = p ? bytes : 0;
}

static cudaError_t make_call(const struct wire_copy *w)
{
    void *dst = (void *)(uintptr_t)w->dst;
    const void *src = (const void *)(uintptr_t)w->src;
    cudaStream_t stream = (cudaStream_t)(uintptr_t)w->stream;
    enum cudaMemcpyKind kind = (enum cudaMemcpyKind)w->kind;
    switch ((enum wire_copy_call)w->call) {
    case COPY_LINEAR:
        return cudaMemcpy(dst, src, w->width, kind);
    case COPY_LINEAR_ASYNC:
        return cudaMemcpyAsync(dst, src, w->width, kind, stream);
    case COPY_PLANE:
        return cudaMemcpy2D(dst, w->dst_pitch, src, w->src_pitch, w->width, w->height, kind);
    case COPY_PLANE_ASYNC:
        return cudaMemcpy2DAsync(dst, w->dst_pitch, src, w->src_pitch, w->width, w->height, kind,
                                 stream);
    case COPY_TO_SYMBOL:
        return cudaMemcpyToSymbol(dst, src, w->width, w->offset, kind);
    case COPY_TO_SYMBOL_ASYNC:
        return cudaMemcpyToSymbolAsync(dst, src, w->width, w->offset, kind, stream);
    case COPY_FROM_SYMBOL:
        return cudaMemcpyFromSymbol(dst, src, w->width, w->offset, kind);
    case COPY_FROM_SYMBOL_ASYNC:
        return cudaMemcpyFromSymbolAsync(dst, src, w->width, w->offset, kind, stream);
    case COPY_CALLS:
        break;
    }
    return cudaErrorInvalidValue;
}

static bool is_async(uint32_t call)
{
    return call == COPY_LINEAR_ASYNC || call == COPY_PLANE_ASYNC || call == COPY_TO_SYMBOL_ASYNC ||
           call == COPY_FROM_SYMBOL_ASYNC;
}

/** Whether a message's box is as large as it says, with rows that are not cut. */
static bool is_box(const struct wire_copy_box *w, const struct cudaMemcpy3DParms *p)
{
    uint64_t plane, bytes;
    return w->row && !__builtin_mul_overflow(w->row, (uint64_t)p->extent.height, &plane) &&
           !__builtin_mul_overflow(plane, (uint64_t)p->extent.depth, &bytes) && bytes == w->bytes &&
           bytes <= WIRE_BULK;
}

/** The bytes in the message, in the place of a side of the copy. */
static void put_inline(struct cudaPitchedPtr *side, struct cudaPos *at, int number, void *p,
                       const struct wire_copy_box *w, size_t height)
{
    *side = (struct cudaPitchedPtr){p, w->row, w->row, height};
    *at = (struct cudaPos){0, 0, 0};
    set_staging(number, p, w->bytes);
}

static cudaError_t copy_box_call(const struct wire_copy_box *w, const struct cudaMemcpy3DParms *p)
{
    return w->async ? cudaMemcpy3DAsync(p, (cudaStream_t)(uintptr_t)w->stream) : cudaMemcpy3D(p);
}

cudaError_t serve_copy_box(struct request *r, struct reply *o)
{
    struct wire_copy_box w;
    struct cudaMemcpy3DParms p;
    void *to = NULL;
    request_take(r, &w, sizeof w);
    memcpy(&p, w.parms, sizeof p);
    bool any = w.src_inline || w.dst_inline;
    r->bad |= (any && !is_box(&w, &p)) || r->head.bulk_bytes != (w.src_inline ? w.bytes : 0);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    if (any && w.async && is_capturing(w.stream)) {
        runtime_thread()->client_memory = true;
        cudaError_t captured = copy_box_call(&w, &p);
        runtime_thread()->client_memory = false;
        return captured;
    }
    if (w.src_inline)
        put_inline(&p.srcPtr, &p.srcPos, 0, r->bulk, &w, p.extent.height);
    if (w.dst_inline) {
        to = malloc(w.bytes);
        if (!to)
            return cudaErrorMemoryAllocation;
        put_inline(&p.dstPtr, &p.dstPos, 1, to, &w, p.extent.height);
    }
    cudaError_t e = copy_box_call(&w, &p);
    set_staging(0, NULL, 0);
    set_staging(1, NULL, 0);
    o->bulk = to;
    o->answer.bulk_bytes = to && !e ? w.bytes : 0;
    return e;
}

cudaError_t serve_copy(struct request *r, struct reply *o)
{
    struct wire_copy w;
    uint64_t bytes;
    void *to = NULL;
    request_take(r, &w, sizeof w);
    bool small = !__builtin_mul_overflow(w.width, w.height, &bytes) && bytes && bytes <= WIRE_BULK;
    r->bad |= w.call >= COPY_CALLS || ((w.src_inline || w.dst_inline) && !small) ||
              r->head.bulk_bytes != (w.src_inline ? bytes : 0);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    if ((w.src_inline || w.dst_inline) && is_async(w.call) && is_capturing(w.stream)) {
        runtime_thread()->client_memory = true; /* the copy takes place later: where the bytes are then */
        cudaError_t captured = make_call(&w);
        runtime_thread()->client_memory = false;
        return captured;
    }
    if (w.src_inline) {
        w.src = (uint64_t)(uintptr_t)r->bulk;
        w.src_pitch = w.width;
        set_staging(0, r->bulk, bytes);
    }
    if (w.dst_inline) {
        to = malloc(bytes);
        if (!to)
            return cudaErrorMemoryAllocation;
        w.dst = (uint64_t)(uintptr_t)to;
        w.dst_pitch = w.width;
        set_staging(1, to, bytes);
    }
    cudaError_t e = make_call(&w);
    set_staging(0, NULL, 0);
    set_staging(1, NULL, 0);
    o->bulk = to;
    o->answer.bulk_bytes = to && !e ? bytes : 0;
    return e;
}
