/**
 * @file copies.c
 * Copies whose pageable side is bytes in the message.
 *
 * The runtime asks staging_holds() about every host address, under its lock: a copy from or to host
 * memory that is neither shared nor here is an invalid value. A call with a pageable side has taken or
 * brought its bytes when it returns, so they live long enough.
 */
#include "remote/server/server.h"

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
