/**
 * @file cluster_launch.c
 * Clusters of blocks as launches and occupancy know them. What is refused, and with which error, and how many find room
 * is as recorded on an H200 (tests/runtime/cluster_facts.gpu.txt).
 */
#include "runtime/code/function.h"
#include "runtime/state/entry.h"

#include <string.h>

#define PORTABLE_BLOCKS 8u
/** What an SM takes of blocks in clusters. */
#define MOST_ON_AN_SM 8

static uint64_t blocks_of(const unsigned d[3])
{
    return (uint64_t)d[0] * d[1] * d[2];
}

static unsigned most_blocks(const struct kernel *k)
{
    return k->any_cluster ? CLUSTER_BLOCKS : PORTABLE_BLOCKS;
}

/** What the kernel itself says, in its text or by cudaFuncSetAttribute(). @return false if nothing */
static bool required(const struct kernel *k, unsigned out[3])
{
    const unsigned *from = k->function->cluster[0] ? k->function->cluster : k->cluster;
    for (int i = 0; i < 3; i++)
        out[i] = from[i] ? from[i] : 1;
    return from[0] || from[1] || from[2];
}

cudaError_t cluster_shape(const struct kernel *k, dim3 grid, dim3 asked, uint32_t out[3])
{
    const unsigned said[3] = {asked.x, asked.y, asked.z}, blocks[3] = {grid.x, grid.y, grid.z};
    unsigned own[3];
    bool any = said[0] || said[1] || said[2], must = required(k, own);
    memset(out, 0, 3 * sizeof *out);
    if (!any && !must)
        return cudaSuccess;
    memcpy(out, any ? said : own, 3 * sizeof *out);
    uint64_t size = blocks_of(out);
    if (!size || (any && must && memcmp(said, own, sizeof own)) || size > most_blocks(k) || runtime.device->major < 9 ||
        (k->function->max_cluster && size > k->function->max_cluster))
        return cudaErrorInvalidClusterSize;
    for (int i = 0; i < 3; i++)
        if (blocks[i] % out[i])
            return cudaErrorInvalidClusterSize;
    return cudaSuccess;
}

dim3 cluster_grid(const struct kernel *k, dim3 grid)
{
    const struct function *f = k->function;
    if (!f->blocks_are_clusters || !f->cluster[0])
        return grid;
    return (dim3){grid.x * f->cluster[0], grid.y * (f->cluster[1] ? f->cluster[1] : 1), grid.z * (f->cluster[2] ? f->cluster[2] : 1)};
}

cudaError_t cluster_set_attribute(struct kernel *k, enum cudaFuncAttribute attr, int value)
{
    switch (attr) {
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        k->any_cluster = value != 0;
        return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        if (value < cudaClusterSchedulingPolicyDefault || value > cudaClusterSchedulingPolicyLoadBalancing)
            return cudaErrorInvalidValue;
        k->cluster_policy = value;
        return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
        if (k->function->cluster[0] || value < 0)
            return cudaErrorInvalidValue;
        k->cluster[attr - cudaFuncAttributeRequiredClusterWidth] = (unsigned)value;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- occupancy ---- */

/** Clusters of up to two blocks find room on any two SMs; larger ones within a GPC. */
static int clusters_at_once(int blocks_on_sm, unsigned size)
{
    const struct device_model *d = runtime.device;
    int n = 0;
    if (size <= 2)
        return d->sms * blocks_on_sm / (int)size;
    for (int i = 0; i < DEVICE_GPCS; i++)
        if (d->gpc_sms[i] >= (int)size)
            n += d->gpc_sms[i] * blocks_on_sm / (int)size;
    return n;
}

/** The clusters that a launch configuration asks for: its attribute, if it has one. */
static dim3 asked_for(const cudaLaunchConfig_t *c)
{
    for (unsigned i = 0; i < c->numAttrs; i++)
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
            return (dim3){c->attrs[i].val.clusterDim.x, c->attrs[i].val.clusterDim.y, c->attrs[i].val.clusterDim.z};
    return (dim3){0, 0, 0};
}

static cudaError_t blocks_on_sm(const struct kernel *k, const cudaLaunchConfig_t *c, int *blocks)
{
    int threads = (int)(c->blockDim.x * c->blockDim.y * c->blockDim.z);
    if (threads <= 0 || threads > function_max_threads(k->function))
        return cudaErrorInvalidValue;
    *blocks = machine_occupancy(runtime.machine, k->function, threads, c->dynamicSmemBytes);
    if (*blocks > MOST_ON_AN_SM)
        *blocks = MOST_ON_AN_SM;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    API_ENTER();
    struct kernel *k;
    uint32_t shape[3];
    int blocks;
    if (!clusters || !config || (config->numAttrs && !config->attrs))
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = kernel_resolve(func, &k);
    if (!e)
        e = cluster_shape(k, cluster_grid(k, config->gridDim), asked_for(config), shape);
    if (!e)
        e = blocks_on_sm(k, config, &blocks);
    if (e)
        API_RETURN(e);
    *clusters = clusters_at_once(blocks, shape[0] ? (unsigned)blocks_of(shape) : 1);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func, const cudaLaunchConfig_t *config)
{
    API_ENTER();
    struct kernel *k;
    unsigned own[3];
    int blocks;
    if (!size || !config)
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = kernel_resolve(func, &k);
    if (!e && (required(k, own) || runtime.device->major < 9))
        e = cudaErrorInvalidClusterSize;
    if (!e)
        e = blocks_on_sm(k, config, &blocks);
    if (e)
        API_RETURN(e);
    *size = (int)most_blocks(k);
    while (*size > 1 && !clusters_at_once(blocks, (unsigned)*size))
        *size /= 2;
    API_RETURN(cudaSuccess);
}
