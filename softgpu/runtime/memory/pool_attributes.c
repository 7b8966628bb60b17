/**
 * @file pool_attributes.c
 * What can be set and asked of a memory pool.
 */
#include "runtime/memory/pool_book.h"
#include "runtime/state/entry.h"

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attr, void *value)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!p || !value || (p->imported && attr >= cudaMemPoolAttrReservedMemCurrent))
        API_RETURN(cudaErrorInvalidValue);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = p->reuse[attr];
        break;
    case cudaMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = p->release_threshold;
        break;
    case cudaMemPoolAttrReservedMemCurrent:
        *(uint64_t *)value = p->reserved;
        break;
    case cudaMemPoolAttrReservedMemHigh:
        *(uint64_t *)value = p->reserved_high;
        break;
    case cudaMemPoolAttrUsedMemCurrent:
        *(uint64_t *)value = p->used;
        break;
    case cudaMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = p->used_high;
        break;
    default:
        API_RETURN(cudaErrorInvalidValue);
    }
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attr, void *value)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!p || !value)
        API_RETURN(cudaErrorInvalidValue);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        p->reuse[attr] = *(int *)value;
        break;
    case cudaMemPoolAttrReleaseThreshold:
        p->release_threshold = *(uint64_t *)value;
        break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        if (*(uint64_t *)value)
            API_RETURN(cudaErrorInvalidValue);
        if (attr == cudaMemPoolAttrReservedMemHigh)
            p->reserved_high = p->reserved;
        else
            p->used_high = p->used;
        break;
    default:
        API_RETURN(cudaErrorInvalidValue);
    }
    API_RETURN(cudaSuccess);
}

/* A device cannot be denied its own pool (cudaErrorInvalidDevice on an H200), nor the host its own (an H100's). */
static cudaError_t may_set(const struct pool *p, const struct cudaMemAccessDesc *a)
{
    bool none = a->flags == cudaMemAccessFlagsProtNone;
    if (a->flags == cudaMemAccessFlagsProtRead)
        return cudaErrorNotSupported;
    if (p->on_host && a->location.type == cudaMemLocationTypeHost)
        return none ? cudaErrorNotSupported : cudaSuccess;
    return a->location.type == cudaMemLocationTypeDevice && device_exists(a->location.id) &&
                   (p->on_host || !(none && a->location.id == p->device)) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!p || (count && !list))
        API_RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        cudaError_t e = may_set(p, &list[i]);
        if (e)
            API_RETURN(e);
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].location.type == cudaMemLocationTypeHost)
            continue;
        uint8_t bit = (uint8_t)(1u << list[i].location.id);
        p->reach = (uint8_t)(list[i].flags ? p->reach | bit : p->reach & ~bit);
    }
    pool_reach_changed(p);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                 struct cudaMemLocation *location)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    bool host = p && location && location->type == cudaMemLocationTypeHost;
    if (!flags || !location || !p || (!host && (location->type != cudaMemLocationTypeDevice || !device_exists(location->id))))
        API_RETURN(cudaErrorInvalidValue);
    *flags = (host ? p->on_host : p->reach >> location->id & 1) ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    API_RETURN(cudaSuccess);
}
