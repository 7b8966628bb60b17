/**
 * @file graphs.c
 * Graphs: the calls that carry a node's parameters; all others are forms of these or made from api.def.
 *
 * By hand: what the parameters point to hangs on the node's type, and a kernel's arguments go packed.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "remote/client/client.h"
#include "runtime/forms/graph_forms.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))
_Static_assert(sizeof(struct cudaGraphNodeParams) <= sizeof((struct wire_graph_node *)0)->params,
               "wire.h");
_Static_assert(sizeof(cudaGraphNode_t) == sizeof(uint64_t), "nodes travel as they lie");

/* ---- for graph_forms.c ---- */

const void *forms_enter(const void *site)
{
    const void *was = entry_site;
    entry_site = was ? was : site;
    return was;
}

void forms_leave(const void *was)
{
    entry_site = was;
}

/* ---- nodes ---- */

/** Arguments that the program has packed itself: pairs of a name and a value. */
static uint8_t *packed_by_program(const struct cudaKernelNodeParamsV2 *k, size_t *bytes)
{
    const void *buffer = NULL;
    *bytes = 0;
    for (int i = 0; ADDRESS(k->extra[i]) == 1 || ADDRESS(k->extra[i]) == 2; i += 2)
        if (ADDRESS(k->extra[i]) == 1)
            buffer = k->extra[i + 1];
        else
            *bytes = *(const size_t *)k->extra[i + 1];
    uint8_t *packed = buffer && *bytes <= WIRE_ARGS * 16 ? malloc(*bytes + 1) : NULL;
    if (packed)
        memcpy(packed, buffer, *bytes);
    return packed;
}

static cudaError_t pack_kernel(struct cudaKernelNodeParamsV2 *k, const void *site, uint8_t **packed,
                               size_t *bytes, uint32_t *whole)
{
    struct layout *l;
    *packed = NULL;
    *whole = 1;
    if (!k->func)
        return cudaSuccess; /* the runtime has a word for that */
    cudaError_t e = find_layout(k->func, site, &l);
    if (e || (k->extra && k->kernelParams))
        return e ? e : cudaErrorInvalidValue;
    *packed =
        k->extra ? packed_by_program(k, bytes) : pack_arguments(l, k->kernelParams, bytes, whole);
    k->extra = NULL;
    k->kernelParams = NULL;
    return *packed ? cudaSuccess : cudaErrorInvalidValue;
}

/** What the node will need of this process. */
static bool ready_for(const struct cudaGraphNodeParams *p)
{
    if (p->type == cudaGraphNodeTypeHost)
        return host_functions_start();
    return p->type != cudaGraphNodeTypeMemcpy || memory_start();
}

/** Devices that may use a memory node's memory come as a list of the program's. */
static cudaError_t pack_access(struct cudaMemAllocNodeParamsV2 *m, uint8_t **packed, size_t *bytes)
{
    if (m->accessDescCount > WIRE_ELEMENTS || (m->accessDescCount && !m->accessDescs))
        return cudaErrorInvalidValue;
    *bytes = m->accessDescCount * sizeof *m->accessDescs;
    *packed = malloc(*bytes + 1);
    if (!*packed)
        return cudaErrorMemoryAllocation;
    if (*bytes)
        memcpy(*packed, m->accessDescs, *bytes);
    m->accessDescs = NULL;
    return cudaSuccess;
}

/** `back`: takes what a new node gives, `room` bytes at most: a conditional one its graphs, a memory one its address. */
static cudaError_t send_node(struct wire_graph_node w, const cudaGraphNode_t *list,
                             const struct cudaGraphNodeParams *given, cudaGraphNode_t *out,
                             void *back, size_t room, const void *site)
{
    struct cudaGraphNodeParams p = *given;
    struct call c;
    uint8_t *packed = NULL, *bulk;
    size_t bytes = 0;
    cudaError_t e = ready_for(&p) ? cudaSuccess : cudaErrorInitializationError;
    w.whole = 1;
    if (!e && p.type == cudaGraphNodeTypeKernel)
        e = pack_kernel(&p.kernel, site, &packed, &bytes, &w.whole);
    if (!e && p.type == cudaGraphNodeTypeMemAlloc)
        e = pack_access(&p.alloc, &packed, &bytes);
    if (!e && !(bulk = malloc(w.count * sizeof *list + bytes + 1)))
        e = cudaErrorMemoryAllocation;
    if (e) {
        free(packed);
        return e;
    }
    w.packed = bytes;
    memcpy(w.params, &p, sizeof p);
    if (w.count)
        memcpy(bulk, list, w.count * sizeof *list);
    if (bytes)
        memcpy(bulk + w.count * sizeof *list, packed, bytes);
    call_begin(&c, WIRE_GRAPH_NODE, site);
    call_put(&c, &w, sizeof w);
    c.bulk = bulk;
    c.head.bulk_bytes = w.count * sizeof *list + bytes;
    c.bulk_to = back;
    c.bulk_room = room;
    e = call_do(&c);
    if (!e && out)
        call_get(&c, out, sizeof *out);
    free(packed);
    free(bulk);
    return e;
}

/** First the node, then its edges; without them it is none. */
static cudaError_t add_with_edges(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *list,
                                  const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *params)
{
    if (count > WIRE_ELEMENTS || (count && !list))
        return cudaErrorInvalidValue;
    cudaGraphNode_t *same = calloc(count + 1, sizeof *same);
    cudaError_t e = same ? cudaGraphAddNode(out, graph, NULL, NULL, 0, params) : cudaErrorMemoryAllocation;
    for (size_t i = 0; !e && i < count; i++)
        same[i] = *out;
    if (!e && count && (e = cudaGraphAddDependencies(graph, list, same, data, count)))
        cudaGraphDestroyNode(*out);
    free(same);
    return e;
}

EXPORT cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                    const cudaGraphNode_t *list, const cudaGraphEdgeData *data,
                                    size_t count, struct cudaGraphNodeParams *params)
{
    if (data)
        return add_with_edges(out, graph, list, data, count, params);
    if (!out || !params || (count && !list) || count > WIRE_ELEMENTS)
        return cudaErrorInvalidValue;
    const struct wire_graph_node add = {.graph = ADDRESS(graph), .count = count, .what = GRAPH_NODE_ADD};
    if (params->type == cudaGraphNodeTypeMemAlloc) {
        void *address = NULL;
        cudaError_t e = send_node(add, list, params, out, &address, sizeof address, __builtin_return_address(0));
        if (!e)
            params->alloc.dptr = address;
        return e;
    }
    bool conditional = params->type == cudaGraphNodeTypeConditional;
    if (conditional && params->conditional.size > WIRE_ELEMENTS)
        return cudaErrorInvalidValue;
    /* The program's to read for as long as the node lives: which may be as long as the program. */
    cudaGraph_t *bodies = conditional ? calloc(params->conditional.size + 1, sizeof *bodies) : NULL;
    cudaError_t e = conditional && !bodies ? cudaErrorMemoryAllocation
                                           : send_node(add, list, params, out, bodies, conditional ? params->conditional.size * sizeof *bodies : 0,
                                                       __builtin_return_address(0));
    if (e)
        free(bodies);
    else if (conditional)
        params->conditional.phGraph_out = bodies;
    return e;
}

EXPORT cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params)
{
    if (!params)
        return cudaErrorInvalidValue;
    return send_node((struct wire_graph_node){.node = ADDRESS(node), .what = GRAPH_NODE_SET}, NULL,
                     params, NULL, NULL, 0, __builtin_return_address(0));
}

EXPORT cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                              struct cudaGraphNodeParams *params)
{
    if (!params)
        return cudaErrorInvalidValue;
    return send_node((struct wire_graph_node){.graph = ADDRESS(exec),
                                              .node = ADDRESS(node),
                                              .what = GRAPH_NODE_CHANGE},
                     NULL, params, NULL, NULL, 0, __builtin_return_address(0));
}

/** Arguments of nodes that were asked for: they are the program's to read until it asks again. */
struct given {
    struct given *next;
    cudaGraphNode_t node;
    void **args;
    uint8_t *bytes;
};
static struct given *given;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct given *given_for(cudaGraphNode_t node)
{
    struct given *g = given;
    while (g && g->node != node)
        g = g->next;
    if (g || !(g = calloc(1, sizeof *g)))
        return g;
    g->node = node;
    g->next = given;
    given = g;
    return g;
}

static cudaError_t give_arguments(cudaGraphNode_t node, struct cudaKernelNodeParamsV2 *k,
                                  uint8_t *bytes, size_t count)
{
    struct layout *l;
    cudaError_t e = find_layout(k->func, NULL, &l);
    void **args = e ? NULL : calloc(l->count + 1, sizeof *args);
    for (uint32_t i = 0; args && i < l->count; i++)
        args[i] = (size_t)l->list[i].offset + l->list[i].bytes <= count ? bytes + l->list[i].offset
                                                                        : NULL;
    pthread_mutex_lock(&lock);
    struct given *g = args ? given_for(node) : NULL;
    if (g) {
        free(g->args);
        free(g->bytes);
        g->args = k->kernelParams = args;
        g->bytes = bytes;
    }
    pthread_mutex_unlock(&lock);
    if (!g) {
        free(args);
        free(bytes);
    }
    return e ? e : g ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t forms_params(cudaGraphNode_t node, enum cudaGraphNodeType type,
                         struct cudaGraphNodeParams *out)
{
    struct call c;
    uint64_t handle = ADDRESS(node);
    uint32_t wanted = type;
    const size_t room = WIRE_ARGS * 16;
    uint8_t *bytes = calloc(1, room);
    if (!bytes)
        return cudaErrorMemoryAllocation;
    call_begin(&c, WIRE_GRAPH_PARAMS, NULL);
    call_put(&c, &handle, sizeof handle);
    call_put(&c, &wanted, sizeof wanted);
    c.bulk_to = bytes;
    c.bulk_room = room;
    cudaError_t e = call_do(&c);
    call_get(&c, out, sizeof *out);
    if (!e && type == cudaGraphNodeTypeKernel)
        return give_arguments(node, &out->kernel, bytes, c.answer.bulk_bytes);
    free(bytes);
    return e;
}
