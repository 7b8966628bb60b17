/**
 * @file texture_api.c
 * Texture and surface objects: descriptions are checked as an H200's driver does (tests/runtime/texture_calls_facts.gpu.txt),
 * and turned into what a kernel's fetches go by (memory/texture_object.h).
 */
#include <string.h>

#include "memory/texture_object.h"
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/state/entry.h"

#define ALIGNMENT 512       /* of linear and pitched memory */
#define PITCH_ALIGNMENT 32
#define LINEAR_TEXELS (1ull << 30)
#define LINEAR_BYTES (1ull << 32)

/** What an object was made from, by its handle. */
struct made {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc sampler;
    struct cudaResourceViewDesc view;
};
static LIST(struct made) objects;

void textures_reset(void)
{
    objects.count = 0;
}

static struct texture *find(uint64_t handle, bool surface)
{
    struct texture *t = memory_texture(machine_memory(runtime.machine), handle);
    return t && t->surface == surface && !t->destroyed ? t : NULL;
}

static void set_channels(struct texture *t, const struct cudaChannelFormatDesc *f)
{
    t->bytes = (uint8_t)(f->x / 8);
    t->channels = f->w ? 4 : f->y ? 2 : 1;
    t->kind = (uint8_t)f->f;
}

static void set_level(struct texture *t, const struct array *a)
{
    struct texture_level *l = &t->level[t->levels++];
    bool layers = t->layered || t->cube;
    *l = (struct texture_level){.base = a->base, .pitch = a->pitch, .slice = a->pitch * a->rows,
                                .size = {(uint32_t)a->extent.width, (uint32_t)a->rows, layers ? 1 : (uint32_t)a->slices}};
}

static cudaError_t set_array(struct texture *t, const struct array *first, const struct mipmapped *m)
{
    if (!first)
        return cudaErrorInvalidResourceHandle;
    t->resource = TEXTURE_ARRAY;
    t->layered = first->flags & cudaArrayLayered;
    t->cube = first->flags & cudaArrayCubemap;
    t->gathers = first->flags & cudaArrayTextureGather;
    t->layers = t->layered || t->cube ? (uint32_t)first->slices : 1;
    t->dimensions = first->extent.height ? (first->extent.depth && !t->layered && !t->cube ? 3 : 2) : 1;
    set_channels(t, &first->format);
    for (unsigned i = 0; i < (m ? m->count : 1); i++)
        set_level(t, m ? m->level[i] : first);
    return cudaSuccess;
}

static bool lies_on_device(const void *p, uint64_t bytes)
{
    enum place at = place_of((uint64_t)(uintptr_t)p, bytes);
    return at == PLACE_DEVICE || at == PLACE_MANAGED || at == PLACE_PINNED;
}

static cudaError_t set_linear(struct texture *t, const struct cudaResourceDesc *r)
{
    size_t element = channels_bytes(&r->res.linear.desc), bytes = r->res.linear.sizeInBytes;
    uint64_t base = (uint64_t)(uintptr_t)r->res.linear.devPtr;
    if (!element)
        return cudaErrorInvalidChannelDescriptor;
    if (!base || base % ALIGNMENT || bytes / element > LINEAR_TEXELS || bytes > LINEAR_BYTES ||
        !lies_on_device(r->res.linear.devPtr, bytes ? bytes : 1))
        return cudaErrorInvalidValue;
    t->resource = TEXTURE_LINEAR;
    t->dimensions = 1;
    t->layers = 1;
    set_channels(t, &r->res.linear.desc);
    t->levels = 1;
    t->level[0] = (struct texture_level){.base = base, .pitch = bytes, .size = {(uint32_t)(bytes / element), 1, 1}};
    return cudaSuccess;
}

static cudaError_t set_pitch(struct texture *t, const struct cudaResourceDesc *r)
{
    size_t element = channels_bytes(&r->res.pitch2D.desc), width = r->res.pitch2D.width, height = r->res.pitch2D.height;
    size_t pitch = r->res.pitch2D.pitchInBytes;
    uint64_t base = (uint64_t)(uintptr_t)r->res.pitch2D.devPtr;
    if (!element)
        return cudaErrorInvalidChannelDescriptor;
    if (!base || base % ALIGNMENT || pitch % PITCH_ALIGNMENT || width > 131072 || height > 65000 || pitch < width * element ||
        pitch > 2097120 || !lies_on_device(r->res.pitch2D.devPtr, height ? pitch * (height - 1) + width * element : 1))
        return cudaErrorInvalidValue;
    t->resource = TEXTURE_PITCH;
    t->dimensions = 2;
    t->layers = 1;
    set_channels(t, &r->res.pitch2D.desc);
    t->levels = 1;
    t->level[0] = (struct texture_level){.base = base, .pitch = pitch, .size = {(uint32_t)width, (uint32_t)height, 1}};
    return cudaSuccess;
}

static cudaError_t set_resource(struct texture *t, const struct cudaResourceDesc *r)
{
    const struct mipmapped *m;
    switch (r->resType) {
    case cudaResourceTypeArray:
        return set_array(t, array_resolve(r->res.array.array), NULL);
    case cudaResourceTypeMipmappedArray:
        m = mipmapped_resolve(r->res.mipmap.mipmap);
        return set_array(t, m ? m->level[0] : NULL, m);
    case cudaResourceTypeLinear:
        return set_linear(t, r);
    case cudaResourceTypePitch2D:
        return set_pitch(t, r);
    default:
        return cudaErrorInvalidValue;
    }
}

static cudaError_t set_sampler(struct texture *t, const struct cudaTextureDesc *d)
{
    for (int i = 0; i < 3; i++) {
        if ((unsigned)d->addressMode[i] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
        t->address[i] = (uint8_t)d->addressMode[i];
    }
    if ((unsigned)d->filterMode > cudaFilterModeLinear || (unsigned)d->mipmapFilterMode > cudaFilterModeLinear)
        return cudaErrorInvalidValue;
    t->as_float = d->readMode == cudaReadModeNormalizedFloat;
    t->linear = d->filterMode == cudaFilterModeLinear;
    if (t->as_float && (t->kind == CHANNELS_FLOAT || t->bytes == 4))
        return cudaErrorInvalidNormSetting;
    if (t->linear && !t->as_float && t->kind != CHANNELS_FLOAT)
        return cudaErrorInvalidFilterSetting;
    t->normalised = d->normalizedCoords;
    t->srgb = d->sRGB && t->as_float && t->bytes == 1 && t->kind == CHANNELS_UNSIGNED;
    t->between_levels = d->mipmapFilterMode == cudaFilterModeLinear;
    t->seamless = d->seamlessCubemap;
    t->anisotropy = d->maxAnisotropy;
    t->bias = d->mipmapLevelBias;
    t->least_level = d->minMipmapLevelClamp;
    t->most_level = d->maxMipmapLevelClamp;
    memcpy(t->border, d->borderColor, sizeof t->border);
    return cudaSuccess;
}

/** Another format for the same bits, and a part of the levels and layers. */
static cudaError_t set_view(struct texture *t, const struct cudaResourceViewDesc *v)
{
    static const struct { uint8_t kind, bytes; } formats[] = {
        {CHANNELS_UNSIGNED, 1}, {CHANNELS_SIGNED, 1}, {CHANNELS_UNSIGNED, 2}, {CHANNELS_SIGNED, 2},
        {CHANNELS_UNSIGNED, 4}, {CHANNELS_SIGNED, 4}, {CHANNELS_FLOAT, 2}, {CHANNELS_FLOAT, 4}};
    unsigned element = (unsigned)t->bytes * t->channels, f = v->format - 1u;
    if (t->resource != TEXTURE_ARRAY)
        return cudaSuccess;
    if (v->format > cudaResViewFormatFloat4)
        return runtime_unsupported("a view of compressed blocks");
    if (v->format != cudaResViewFormatNone) {
        t->kind = formats[f / 3].kind;
        t->bytes = formats[f / 3].bytes;
        t->channels = (uint8_t)(1u << f % 3);
    }
    if ((unsigned)t->bytes * t->channels != element || v->width != t->level[0].size[0] ||
        (v->height ? v->height : 1) != t->level[0].size[1])
        return cudaErrorInvalidValue;
    unsigned first = v->firstMipmapLevel, last = v->lastMipmapLevel;
    if (last < first || last >= (unsigned)t->levels || v->lastLayer < v->firstLayer || v->lastLayer >= t->layers)
        return cudaErrorInvalidValue;
    if (t->levels > 1) {
        t->levels = (int)(last - first + 1);
        memmove(t->level, t->level + first, (size_t)t->levels * sizeof *t->level);
    }
    if (t->layers > 1) {
        t->layers = v->lastLayer - v->firstLayer + 1;
        for (int i = 0; i < t->levels; i++)
            t->level[i].base += v->firstLayer * t->level[i].slice;
    }
    return cudaSuccess;
}

static uint64_t add(struct texture *t, const struct made *made)
{
    uint64_t handle = memory_add_texture(machine_memory(runtime.machine), t);
    *LIST_PUSH(&objects) = *made;
    return handle;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *r,
                                    const struct cudaTextureDesc *d, const struct cudaResourceViewDesc *v)
{
    API_ENTER();
    struct texture t = {0};
    if (!r)
        API_RETURN(cudaErrorInvalidValue);
    if (!d)
        API_RETURN(cudaErrorInvalidResourceHandle);
    cudaError_t e = set_resource(&t, r);
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e && v)
        e = set_view(&t, v);
    if (!e)
        e = set_sampler(&t, d);
    if (!e) {
        struct made made = {*r, *d, v ? *v : (struct cudaResourceViewDesc){0}};
        *out = add(&t, &made);
    }
    API_RETURN(e);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *r)
{
    API_ENTER();
    struct texture t = {.surface = true};
    if (!out || !r || r->resType != cudaResourceTypeArray)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = set_resource(&t, r);
    if (!e) {
        struct made made = {.resource = *r};
        *out = add(&t, &made);
    }
    API_RETURN(e);
}

/* Kernels that have been issued may still use it; a later one must not. */
static void destroy(struct texture *t)
{
    if (t)
        t->destroyed = runtime.next_op++;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    API_ENTER();
    destroy(find(handle, false));
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    API_ENTER();
    destroy(find(handle, true));
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t handle)
{
    API_ENTER();
    if (!out || !find(handle, false))
        API_RETURN(cudaErrorInvalidValue);
    *out = objects.data[handle - 1].resource;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t handle)
{
    API_ENTER();
    if (!out || !find(handle, false))
        API_RETURN(cudaErrorInvalidValue);
    *out = objects.data[handle - 1].sampler;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out, cudaTextureObject_t handle)
{
    API_ENTER();
    if (!out || !find(handle, false))
        API_RETURN(cudaErrorInvalidValue);
    *out = objects.data[handle - 1].view;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out, cudaSurfaceObject_t handle)
{
    API_ENTER();
    if (!out || !find(handle, true))
        API_RETURN(cudaErrorInvalidValue);
    *out = objects.data[handle - 1].resource;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *out, const struct cudaChannelFormatDesc *format, int device)
{
    API_ENTER();
    size_t element = format ? channels_bytes(format) : 0;
    if (!out || !format || device)
        API_RETURN(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    if (!element)
        API_RETURN(cudaErrorInvalidChannelDescriptor);
    *out = LINEAR_BYTES / element < LINEAR_TEXELS ? LINEAR_BYTES / element : LINEAR_TEXELS;
    API_RETURN(cudaSuccess);
}
