/**
 * @file memcpy_api.c
 * cudaMemcpy and cudaMemset in all their linear forms: 1D, 2D, 3D, peer, symbols.
 */
#include "runtime/code/kernel.h"
#include "runtime/memory/array.h"
#include "runtime/state/capture.h"
#include "runtime/memory/copy.h"
#include "runtime/state/entry.h"
#include "runtime/state/failure.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

static cudaError_t line(const char *name, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                        cudaStream_t stream, bool async)
{
    struct stream *s;
    if (!count && !stream && (unsigned)kind <= cudaMemcpyDefault)
        return cudaSuccess;
    cudaError_t e = stream_for_work(stream, async, &s);
    if (e)
        return e;
    struct box_copy box = {.dst = ADDRESS(dst), .src = ADDRESS(src), .dst_pitch = count,
                           .src_pitch = count, .width = count, .height = 1, .depth = 1};
    return copy_box(name, box, kind, s, async);
}

/* Addresses that memory has been mapped to one after another (cuMemMap) are one range to the program. */
static cudaError_t linear(const char *name, void *dst, const void *src, size_t count,
                          enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    cudaError_t e = cudaSuccess;
    for (size_t done = 0, n; !e && (done < count || !count); done += n) {
        char *to = (char *)dst + done;
        const char *from = (const char *)src + done;
        n = mapped_part(ADDRESS(from), mapped_part(ADDRESS(to), count - done));
        e = line(name, to, from, n, kind, stream, async);
        if (!count)
            break;
    }
    return e;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(linear("cudaMemcpy", dst, src, count, kind, NULL, false));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(linear("cudaMemcpyAsync", dst, src, count, kind, stream, true));
}

/* Addresses say themselves which device's they are: the numbers need only be some device's (so on two H200). */
static cudaError_t peers_fit(uint64_t dst, int to, uint64_t src, int from, size_t count)
{
    if (!device_exists(to) || !device_exists(from))
        return cudaErrorInvalidDevice;
    bool pageable = count && (place_of(dst, count) == PLACE_PAGEABLE || place_of(src, count) == PLACE_PAGEABLE);
    return pageable ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t count)
{
    API_ENTER();
    cudaError_t e = peers_fit(ADDRESS(dst), to, ADDRESS(src), from, count);
    API_RETURN(e ? e : linear("cudaMemcpyPeer", dst, src, count, cudaMemcpyDefault, NULL, false));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t count,
                                cudaStream_t stream)
{
    API_ENTER();
    cudaError_t e = peers_fit(ADDRESS(dst), to, ADDRESS(src), from, count);
    API_RETURN(e ? e : linear("cudaMemcpyPeerAsync", dst, src, count, cudaMemcpyDefault, stream, true));
}

static cudaError_t plane(const char *name, void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                         cudaStream_t stream, bool async)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, async, &s);
    if (e)
        return e;
    if (width > dpitch || width > spitch)
        return cudaErrorInvalidPitchValue;
    struct box_copy box = {.dst = ADDRESS(dst), .src = ADDRESS(src), .dst_pitch = dpitch,
                           .src_pitch = spitch, .width = width, .height = height, .depth = 1};
    return copy_box(name, box, kind, s, async);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(plane("cudaMemcpy2D", dst, dpitch, src, spitch, width, height, kind, NULL, false));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(plane("cudaMemcpy2DAsync", dst, dpitch, src, spitch, width, height, kind, stream,
                     true));
}

/* One side of a 3D copy: base address, pitches, and the width of its elements. */
struct side {
    uint64_t base;
    size_t pitch, slice, element;
    bool device_only;
};

static bool side_of(cudaArray_t array, struct cudaPitchedPtr p, struct cudaPos pos,
                    struct side *out)
{
    if (array && p.ptr)
        return false;
    if (array) {
        struct array *a = array_resolve(array);
        if (!a)
            return false;
        *out = (struct side){a->base, a->pitch, a->pitch * a->rows, a->element, true};
    } else {
        *out = (struct side){ADDRESS(p.ptr), p.pitch, p.pitch * p.ysize, 1, false};
    }
    out->base += pos.z * out->slice + pos.y * out->pitch + pos.x * out->element;
    return out->base != 0;
}

/* The extent's width counts elements of the array that takes part, else bytes (Runtime API,
 * cudaMemcpy3DParms). */
static struct box_copy volume_box(struct side dst, struct side src, struct cudaExtent extent)
{
    size_t element = dst.device_only ? dst.element : src.element;
    return (struct box_copy){.dst = dst.base, .src = src.base, .dst_pitch = dst.pitch,
                             .src_pitch = src.pitch, .dst_slice = dst.slice, .src_slice = src.slice,
                             .width = extent.width * element, .height = extent.height,
                             .depth = extent.depth};
}

static bool within(size_t at, size_t count, size_t end)
{
    return at <= end && count <= end - at;
}

/* Whether a side that is an array holds all of the box. */
static bool array_holds(cudaArray_t handle, struct cudaPos at, struct cudaExtent e)
{
    const struct array *a = handle ? array_resolve(handle) : NULL;
    return !a || (within(at.x, e.width, a->extent.width) && within(at.y, e.height, a->rows) &&
                  within(at.z, e.depth, a->slices));
}

bool copy_box_of(const struct cudaMemcpy3DParms *p, struct box_copy *out)
{
    struct side dst, src;
    if (!p || !side_of(p->dstArray, p->dstPtr, p->dstPos, &dst) ||
        !side_of(p->srcArray, p->srcPtr, p->srcPos, &src) || !array_holds(p->dstArray, p->dstPos, p->extent) ||
        !array_holds(p->srcArray, p->srcPos, p->extent))
        return false;
    *out = volume_box(dst, src, p->extent);
    return !(dst.device_only && src.device_only) || dst.element == src.element;
}

static cudaError_t volume(const char *name, struct box_copy box, enum cudaMemcpyKind kind,
                          cudaStream_t stream, bool async)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, async, &s);
    return e ? e : copy_box(name, box, kind, s, async);
}

static cudaError_t copy_3d(const char *name, const struct cudaMemcpy3DParms *p,
                           cudaStream_t stream, bool async)
{
    struct box_copy box;
    if (p && !(p->extent.width && p->extent.height && p->extent.depth))
        return cudaSuccess; /* whatever the rest says */
    return copy_box_of(p, &box) ? volume(name, box, p->kind, stream, async) : cudaErrorInvalidValue;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    API_ENTER();
    API_RETURN(copy_3d("cudaMemcpy3D", p, NULL, false));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(copy_3d("cudaMemcpy3DAsync", p, stream, true));
}

static cudaError_t peer_3d(const char *name, const struct cudaMemcpy3DPeerParms *p,
                           cudaStream_t stream, bool async)
{
    struct side dst, src;
    if (!p || !side_of(p->dstArray, p->dstPtr, p->dstPos, &dst) ||
        !side_of(p->srcArray, p->srcPtr, p->srcPos, &src))
        return cudaErrorInvalidValue;
    if (!device_exists(p->srcDevice) || !device_exists(p->dstDevice))
        return cudaErrorInvalidDevice;
    return volume(name, volume_box(dst, src, p->extent), cudaMemcpyDefault, stream, async);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    API_ENTER();
    API_RETURN(peer_3d("cudaMemcpy3DPeer", p, NULL, false));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(peer_3d("cudaMemcpy3DPeerAsync", p, stream, true));
}

/* ---- symbols ---- */

static cudaError_t symbol_part(const void *symbol, size_t count, size_t offset, bool write, uint64_t *address)
{
    size_t bytes;
    cudaError_t e = symbol_resolve(symbol, address, &bytes);
    if (e)
        return e;
    *address += offset;
    if (offset > bytes || count > bytes - offset) {
        if (offset < bytes)
            failure_because(CAUSE_COPY_OUTSIDE, &(struct call_facts){.bytes = count, .write = write}, *address);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t to_symbol(const char *name, const void *symbol, const void *src, size_t count,
                             size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                             bool async)
{
    uint64_t address;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t e = symbol_part(symbol, count, offset, true, &address);
    return e ? e : linear(name, (void *)(uintptr_t)address, src, count, kind, stream, async);
}

static cudaError_t from_symbol(const char *name, void *dst, const void *symbol, size_t count,
                               size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                               bool async)
{
    uint64_t address;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t e = symbol_part(symbol, count, offset, false, &address);
    return e ? e : linear(name, dst, (void *)(uintptr_t)address, count, kind, stream, async);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(to_symbol("cudaMemcpyToSymbol", symbol, src, count, offset, kind, NULL, false));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(to_symbol("cudaMemcpyToSymbolAsync", symbol, src, count, offset, kind, stream,
                         true));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    API_ENTER();
    API_RETURN(from_symbol("cudaMemcpyFromSymbol", dst, symbol, count, offset, kind, NULL, false));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(from_symbol("cudaMemcpyFromSymbolAsync", dst, symbol, count, offset, kind, stream,
                           true));
}

/* ---- memset ---- */

static cudaError_t set(const char *name, struct box_set box, int value, cudaStream_t stream,
                       bool async)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, async, &s);
    if (e)
        return e;
    box.value = (uint32_t)value;
    box.element = 1;
    return set_box(name, box, s, async);
}

#define LINE(p, n) (struct box_set){.dst = ADDRESS(p), .width = (n), .height = 1, .depth = 1}
#define PLANE(p, pitch_, w, h)                                                                     \
    (struct box_set){.dst = ADDRESS(p), .pitch = (pitch_), .width = (w), .height = (h), .depth = 1}

cudaError_t cudaMemset(void *dst, int value, size_t count)
{
    API_ENTER();
    API_RETURN(set("cudaMemset", LINE(dst, count), value, NULL, false));
}

cudaError_t cudaMemsetAsync(void *dst, int value, size_t count, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(set("cudaMemsetAsync", LINE(dst, count), value, stream, true));
}

cudaError_t cudaMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height)
{
    API_ENTER();
    API_RETURN(set("cudaMemset2D", PLANE(dst, pitch, width, height), value, NULL, false));
}

cudaError_t cudaMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(set("cudaMemset2DAsync", PLANE(dst, pitch, width, height), value, stream, true));
}

/** A slice's rows lie behind one another: what reaches beyond them is in none. An H200 looks at rows alone, not at their bytes. */
static cudaError_t set_volume(const char *name, struct cudaPitchedPtr p, struct cudaExtent extent, int value, cudaStream_t stream, bool async)
{
    struct box_set box = {.dst = ADDRESS(p.ptr), .pitch = p.pitch, .slice = p.pitch * p.ysize,
                          .width = extent.width, .height = extent.height, .depth = extent.depth};
    return extent.height > p.ysize ? cudaErrorInvalidValue : set(name, box, value, stream, async);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    API_ENTER();
    API_RETURN(set_volume("cudaMemset3D", p, extent, value, NULL, false));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(set_volume("cudaMemset3DAsync", p, extent, value, stream, true));
}
