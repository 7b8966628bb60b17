/**
 * @file graph_memory.c
 * Memory that graphs' nodes allocate and free (CUDA C++ Programming Guide, "Graph Memory Nodes"): what a graph
 * may not be with such nodes, what a launch takes and gives back, and what devices tell of it. Errors are an
 * H200's (tests/runtime/graph_more_facts.gpu.txt).
 */
#include <string.h>

#include "runtime/graph/graph.h"
#include "runtime/graph/graph_exec.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/graph/graph_updatable.h"
#include "runtime/memory/graph_block.h"
#include "runtime/state/entry.h"

/* ---- graphs ---- */

static bool has(const struct graph *g, enum cudaGraphNodeType type)
{
    for (int i = 0; i < g->nodes.count; i++)
        if (g->nodes.data[i]->type == type)
            return true;
    return false;
}

bool graph_has_memory(const struct graph *g)
{
    return has(g, cudaGraphNodeTypeMemAlloc) || has(g, cudaGraphNodeTypeMemFree);
}

bool graph_is_single(const struct graph *g)
{
    return graph_has_memory(g) || has(g, cudaGraphNodeTypeConditional) || graph_has_updatable(g);
}

bool graph_frees(const struct graph *g, uint64_t address)
{
    for (int i = 0; i < g->nodes.count; i++)
        if (g->nodes.data[i]->type == cudaGraphNodeTypeMemFree && g->nodes.data[i]->op->address == address)
            return true;
    return false;
}

/* ---- nodes ---- */

cudaError_t alloc_node_make(struct cudaMemAllocNodeParamsV2 *p, struct operation **op)
{
    const struct cudaMemPoolProps *pool = &p->poolProps;
    if (!p->bytesize || pool->allocType != cudaMemAllocationTypePinned || pool->handleTypes != cudaMemHandleTypeNone)
        return cudaErrorInvalidValue;
    if (pool->location.type != cudaMemLocationTypeDevice || !device_exists(pool->location.id))
        return cudaErrorInvalidValue;
    uint8_t reach = (uint8_t)(1u << pool->location.id);
    for (size_t i = 0; i < p->accessDescCount; i++) {
        const struct cudaMemAccessDesc *a = &p->accessDescs[i];
        if (a->location.type != cudaMemLocationTypeDevice || !device_exists(a->location.id))
            return cudaErrorInvalidValue;
        reach = (uint8_t)(a->flags ? reach | 1u << a->location.id : reach);
    }
    struct graph_block *b = graph_block_new(p->bytesize, pool->location.id, reach);
    if (!b)
        return cudaErrorMemoryAllocation;
    *op = operation_new(OP_ALLOC, "allocation node");
    (*op)->device = b->device;
    (*op)->address = b->base;
    p->dptr = (void *)(uintptr_t)b->base;
    return cudaSuccess;
}

cudaError_t free_node_make(const struct cudaMemFreeNodeParams *p, const struct graph *g, struct operation **op)
{
    const struct graph_block *b = graph_block_at((uintptr_t)p->dptr);
    if (!b || graph_frees(g, b->base))
        return cudaErrorInvalidValue;
    *op = operation_new(OP_FREE, "free node");
    (*op)->device = b->device;
    (*op)->address = b->base;
    return cudaSuccess;
}

void alloc_node_params(const struct node *n, struct cudaMemAllocNodeParamsV2 *out)
{
    const struct graph_block *b = graph_block_at(n->op->address);
    *out = (struct cudaMemAllocNodeParamsV2){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice, .id = b->device}},
        .bytesize = b->bytes,
        .dptr = (void *)(uintptr_t)b->base};
}

/* ---- launches ---- */

/* The most that graphs on a device have held. */
static uint64_t *high(int device)
{
    static uint64_t marks[MAX_DEVICES];
    return &marks[device];
}

static bool allocates(const struct exec *x, uint64_t address)
{
    for (int i = 0; i < x->steps.count; i++)
        if (x->steps.data[i].op->kind == OP_ALLOC && x->steps.data[i].op->address == address)
            return true;
    return false;
}

/* Whether each block is there to be allocated, or to be freed. */
static bool may_launch(const struct exec *x)
{
    bool frees_itself = x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    for (int i = 0; i < x->steps.count; i++) {
        const struct operation *op = x->steps.data[i].op;
        const struct graph_block *b = op->kind == OP_ALLOC || op->kind == OP_FREE ? graph_block_at(op->address) : NULL;
        if (b && op->kind == OP_ALLOC && b->live && !frees_itself)
            return false;
        if (b && op->kind == OP_FREE && !b->live && !allocates(x, b->base))
            return false;
    }
    return true;
}

static void free_first(struct graph_block *b, struct exec *x, struct stream *s)
{
    struct operation *op = operation_new(OP_FREE, "cudaGraphLaunch");
    op->address = b->base;
    b->live = false;
    operation_issue(op, s, x->last);
}

cudaError_t graph_memory_launch(struct exec *x, struct stream *s)
{
    if (!may_launch(x))
        return cudaErrorInvalidValue;
    for (int i = 0; i < x->steps.count; i++) {
        const struct operation *op = x->steps.data[i].op;
        struct graph_block *b = op->kind == OP_ALLOC ? graph_block_at(op->address) : NULL;
        if (b && b->live)
            free_first(b, x, s);
        if (b && !graph_block_take(b))
            return cudaErrorMemoryAllocation;
        if (b && graph_blocks_held(b->device) > *high(b->device))
            *high(b->device) = graph_blocks_held(b->device);
    }
    for (int i = 0; i < x->steps.count; i++)
        if (x->steps.data[i].op->kind == OP_FREE)
            graph_block_at(x->steps.data[i].op->address)->live = false;
    return cudaSuccess;
}

/* ---- what devices tell; as on the GPU, memory counts as used until a trim gives it back ---- */

static bool is_high(enum cudaGraphMemAttributeType attr)
{
    return attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
}

static bool is_current(enum cudaGraphMemAttributeType attr)
{
    return attr == cudaGraphMemAttrUsedMemCurrent || attr == cudaGraphMemAttrReservedMemCurrent;
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    API_ENTER();
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    graph_blocks_trim(device);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    API_ENTER();
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!value || (!is_high(attr) && !is_current(attr)))
        API_RETURN(cudaErrorInvalidValue);
    uint64_t bytes = is_high(attr) ? *high(device) : graph_blocks_held(device);
    memcpy(value, &bytes, sizeof bytes);
    API_RETURN(cudaSuccess);
}

/* A high-water mark may be set back, to what is held; nothing else may be set. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    API_ENTER();
    uint64_t mark;
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!value || !is_high(attr))
        API_RETURN(cudaErrorInvalidValue);
    memcpy(&mark, value, sizeof mark);
    if (mark)
        API_RETURN(cudaErrorInvalidValue);
    *high(device) = graph_blocks_held(device);
    API_RETURN(cudaSuccess);
}
