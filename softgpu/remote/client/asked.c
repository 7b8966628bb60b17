/**
 * @file asked.c
 * Questions about clusters and ranges of memory. By hand: a launch's attributes, and where the answers go, are behind pointers of
 * the program's.
 */
#include "remote/client/client.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

void take_cluster(struct wire_launch *w, const cudaLaunchAttribute *a)
{
    w->with_cluster = 1;
    w->cluster[0] = a->val.clusterDim.x, w->cluster[1] = a->val.clusterDim.y, w->cluster[2] = a->val.clusterDim.z;
}

static cudaError_t ask(uint32_t largest, int *answer, const void *function, const cudaLaunchConfig_t *config, const void *site)
{
    struct wire_launch w = {0};
    struct call c;
    if (!answer || !config || (config->numAttrs && !config->attrs))
        return cudaErrorInvalidValue;
    w.function = ADDRESS(function);
    w.shared = config->dynamicSmemBytes;
    w.grid[0] = config->gridDim.x, w.grid[1] = config->gridDim.y, w.grid[2] = config->gridDim.z;
    w.block[0] = config->blockDim.x, w.block[1] = config->blockDim.y, w.block[2] = config->blockDim.z;
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            take_cluster(&w, &config->attrs[i]);
    call_begin(&c, WIRE_CLUSTERS, site);
    call_put(&c, &w, sizeof w);
    call_put(&c, &largest, sizeof largest);
    cudaError_t e = call_do(&c);
    int32_t number = 0;
    call_get(&c, &number, sizeof number);
    if (!e)
        *answer = number;
    return e;
}

EXPORT cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *config)
{
    return ask(0, clusters, function, config, __builtin_return_address(0));
}

EXPORT cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *config)
{
    return ask(1, size, function, config, __builtin_return_address(0));
}

EXPORT cudaError_t cudaMemRangeGetAttributes(void **out, size_t *bytes, enum cudaMemRangeAttribute *attributes, size_t count,
                                             const void *p, size_t range)
{
    cudaError_t e = out && bytes && attributes && count ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; i < count && !e; i++)
        e = cudaMemRangeGetAttribute(out[i], bytes[i], attributes[i], p, range);
    return e;
}
