/**
 * @file captures.c
 * What begins a capture and asks about it; a graph's description.
 *
 * By hand: cudaStreamGetCaptureInfo() gives pointers to lists, which must lie in this process, and the
 * description goes to a file, which only this process may write.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/client/client.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

EXPORT cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    struct call c;
    uint64_t handle = ADDRESS(graph);
    char *text = malloc(GRAPH_DOT_BYTES);
    (void)flags;
    call_begin(&c, WIRE_GRAPH_DOT, __builtin_return_address(0));
    call_put(&c, &handle, sizeof handle);
    c.bulk_to = text;
    c.bulk_room = text ? GRAPH_DOT_BYTES : 0;
    cudaError_t e = path ? call_do(&c) : cudaErrorInvalidValue;
    FILE *f = e ? NULL : fopen(path, "w");
    if (!e)
        e = f && fwrite(text, 1, c.answer.bulk_bytes, f) == c.answer.bulk_bytes
                ? cudaSuccess
                : cudaErrorOperatingSystem;
    if (f && fclose(f) != 0)
        e = cudaErrorOperatingSystem;
    free(text);
    return e;
}

/* ---- captures ---- */

EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    memory_start(); /* copies of pageable memory may be captured */
    return forward_cudaStreamBeginCapture(__builtin_return_address(0), stream, mode);
}

EXPORT cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t *nodes,
                                                 const cudaGraphEdgeData *data, size_t count,
                                                 enum cudaStreamCaptureMode mode)
{
    memory_start();
    return forward_cudaStreamBeginCaptureToGraph(__builtin_return_address(0), stream, graph, nodes,
                                                 data, count, mode);
}

/** What cudaStreamGetCaptureInfo() points to, of each thread until it ends. Not in thread-local storage: a library that is loaded late
 *  gets but little of that. */
struct tail {
    struct { cudaGraphNode_t node; cudaGraphEdgeData data; } sent[CAPTURE_TAIL_NODES];
    cudaGraphNode_t nodes[CAPTURE_TAIL_NODES];
    cudaGraphEdgeData data[CAPTURE_TAIL_NODES];
};
static pthread_key_t tail_key;

static void tail_begin(void)
{
    if (pthread_key_create(&tail_key, free))
        abort();
}

/** NULL: there is no memory. */
static struct tail *tail_of_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, tail_begin);
    struct tail *t = pthread_getspecific(tail_key);
    if (t)
        return t;
    t = malloc(sizeof *t);
    if (t && pthread_setspecific(tail_key, t)) {
        free(t);
        t = NULL;
    }
    return t;
}

EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                            enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **nodes,
                                            const cudaGraphEdgeData **edges, size_t *count)
{
    bool lossy = false;
    struct wire_capture_info info = {0};
    struct call c;
    uint64_t handle = ADDRESS(stream);
    uint32_t wanted = nodes != NULL;
    if (!status || (edges && !nodes))
        return cudaErrorInvalidValue;
    struct tail *tail = tail_of_thread();
    if (!tail)
        return cudaErrorMemoryAllocation;
    call_begin(&c, WIRE_CAPTURE_INFO, __builtin_return_address(0));
    call_put(&c, &handle, sizeof handle);
    call_put(&c, &wanted, sizeof wanted);
    c.bulk_to = tail->sent;
    c.bulk_room = sizeof tail->sent;
    cudaError_t e = call_do(&c);
    call_get(&c, &info, sizeof info);
    if (e)
        return e;
    for (uint64_t i = 0; nodes && i < info.count && i < CAPTURE_TAIL_NODES; i++) {
        tail->nodes[i] = tail->sent[i].node;
        tail->data[i] = tail->sent[i].data;
        lossy |= !edges && tail->data[i].from_port;
    }
    if (lossy)
        return cudaErrorLossyQuery;
    *status = (enum cudaStreamCaptureStatus)info.status;
    if (id)
        *id = info.id;
    if (graph)
        *graph = (cudaGraph_t)(uintptr_t)info.graph;
    if (nodes)
        *nodes = info.count ? tail->nodes : NULL;
    if (edges)
        *edges = info.count ? tail->data : NULL;
    if (count)
        *count = info.count;
    return cudaSuccess;
}
