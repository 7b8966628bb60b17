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

/** May a graph's kernel node be given it? Not what is for launches in streams alone, as driver_types.h says. */
static inline bool attribute_of_nodes(cudaLaunchAttributeID id)
{
    return attribute_exists(id) && id != cudaLaunchAttributeProgrammaticStreamSerialization &&
           id != cudaLaunchAttributeProgrammaticEvent && id != cudaLaunchAttributeLaunchCompletionEvent;
}

#endif
