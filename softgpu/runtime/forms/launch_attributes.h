/**
 * @file launch_attributes.h
 * Which attributes of a launch (cudaLaunchAttribute) a device has to be told of.
 */
#ifndef SOFTGPU_RUNTIME_FORMS_LAUNCH_ATTRIBUTES_H
#define SOFTGPU_RUNTIME_FORMS_LAUNCH_ATTRIBUTES_H

#include <driver_types.h>
#include <stdbool.h>

/** Does it only tune speed? It is then taken without effect. */
static inline bool attribute_only_tunes(cudaLaunchAttributeID id)
{
    switch (id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        return true;
    default:
        return false;
    }
}

/** Is there such an attribute? */
static inline bool attribute_exists(cudaLaunchAttributeID id)
{
    return id <= cudaLaunchAttributeNvlinkUtilCentricScheduling && id != 15;
}

#define ATTRIBUTE_SYNC_DOMAINS 4 /* that an H100 takes */

/** Does a driver take the value of one that only tunes speed, for a stream? (Recorded: tests/runtime/attribute_facts.cu.) */
static inline bool attribute_value_fits(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *v)
{
    switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
        return v->accessPolicyWindow.hitRatio >= 0 && v->accessPolicyWindow.hitRatio <= 1 &&
               v->accessPolicyWindow.missProp != cudaAccessPropertyPersisting;
    case cudaLaunchAttributeSynchronizationPolicy:
        return v->syncPolicy >= cudaSyncPolicyAuto && v->syncPolicy <= cudaSyncPolicyBlockingSync;
    case cudaLaunchAttributeMemSyncDomainMap:
        return v->memSyncDomainMap.default_ < ATTRIBUTE_SYNC_DOMAINS && v->memSyncDomainMap.remote < ATTRIBUTE_SYNC_DOMAINS;
    case cudaLaunchAttributeMemSyncDomain:
        return v->memSyncDomain <= cudaLaunchMemSyncDomainRemote;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
        return v->sharedMemCarveout <= 100;
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        return v->nvlinkUtilCentricScheduling <= 1;
    default:
        return true;
    }
}

/** And for a launch, which has no policy of waiting? */
static inline bool attribute_value_fits_launch(const cudaLaunchAttribute *a)
{
    return attribute_exists(a->id) && a->id != cudaLaunchAttributeSynchronizationPolicy && attribute_value_fits(a->id, &a->val);
}

/** May a stream be given it, besides its priority? */
static inline bool attribute_of_streams(cudaLaunchAttributeID id)
{
    return id == cudaLaunchAttributeSynchronizationPolicy || id == cudaLaunchAttributeAccessPolicyWindow ||
           id == cudaLaunchAttributeMemSyncDomain || id == cudaLaunchAttributeMemSyncDomainMap;
}

/** May a graph's kernel node be given it? Not what is for streams, or for launches in them alone. */
static inline bool attribute_of_nodes(cudaLaunchAttributeID id)
{
    switch (id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
        return false;
    default:
        return attribute_exists(id);
    }
}

#endif
