/**
 * @file capture.c
 * Captures: which streams take part, what comes next in each, and the API around them. What a capture
 * forbids stands in capture_rules.c.
 *
 * A stream that captures has a tail: the nodes that the next one depends on. An event that it records
 * remembers the tail; a stream that waits for the event joins the capture and takes the tail over.
 */
#include "runtime/state/capture.h"

#include <string.h>

#include "runtime/graph/capture_rules.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

struct captures captures;

/* ---- tails ---- */

static bool in_tail(const struct tail *t, const struct node *n)
{
    for (int i = 0; i < t->count; i++)
        if (t->data[i] == n)
            return true;
    return false;
}

static void tail_join(struct tail *to, const struct tail *from)
{
    for (int i = 0; i < from->count; i++)
        if (!in_tail(to, from->data[i]))
            *LIST_PUSH(to) = from->data[i];
}

/* `n` comes after all that `s` has captured so far. */
static void append(struct node *n, struct stream *s)
{
    n->op->by.captured = s->id;
    n->op->priority = s->priority;
    for (int i = 0; i < s->tail.count; i++)
        node_add_edge(n, s->tail.data[i], EDGE_END);
    s->tail.count = 0;
    *LIST_PUSH(&s->tail) = n;
}

cudaError_t capture_take(struct operation *op, struct stream *s)
{
    if (graph_nodes >= MAX_GRAPH_NODES) {
        template_free(op);
        return capture_failed(cudaErrorMemoryAllocation, s);
    }
    vtime_host(runtime.device->timing->capture_us);
    op->device = s->device;
    append(node_of_operation(s->capture->graph, op), s);
    return cudaSuccess;
}

bool capture_frees(const struct stream *s, uint64_t address)
{
    return graph_frees(s->capture->graph, address);
}

/* ---- events ---- */

static struct capture *capture_of(uint64_t id)
{
    for (int i = 0; id && i < captures.count; i++)
        if (captures.data[i]->id == id)
            return captures.data[i];
    return NULL;
}

static void take_event(struct event *e, struct stream *s, enum cudaGraphNodeType type,
                       const char *name, double us)
{
    struct operation *op = operation_new(OP_MARK, name);
    op->time.mark_us = us;
    struct node *n = node_new(s->capture->graph, type, op);
    n->event = (cudaEvent_t)e;
    append(n, s);
}

void capture_record(struct event *e, struct stream *s, unsigned flags)
{
    if (flags & cudaEventRecordExternal) {
        take_event(e, s, cudaGraphNodeTypeEventRecord, "cudaEventRecord",
                   runtime.device->timing->record_us);
        return;
    }
    e->captured = s->capture->id;
    e->tail.count = 0;
    tail_join(&e->tail, &s->tail);
}

/* The stream takes part from now on. */
static void join(struct stream *s, struct capture *c)
{
    s->capture = c;
    s->tail.count = 0;
}

cudaError_t capture_wait(struct event *e, struct stream *s, unsigned flags, bool *done)
{
    struct capture *c = capture_of(e->captured);
    *done = s->capture || e->captured;
    if (!*done)
        return cudaSuccess;
    if (s->capture && !s->capture->invalid && (flags & cudaEventWaitExternal)) {
        take_event(e, s, cudaGraphNodeTypeWaitEvent, "cudaStreamWaitEvent",
                   runtime.device->timing->wait_us);
        return cudaSuccess;
    }
    cudaError_t error = capture_wait_allowed(e, c, s);
    if (error || !c)
        return error;
    if (!s->capture)
        join(s, c);
    tail_join(&s->tail, &e->tail);
    return cudaSuccess;
}

/* ---- beginning and ending ---- */

static cudaError_t begin(cudaStream_t handle, struct graph *graph, const cudaGraphNode_t *list,
                         size_t count, enum cudaStreamCaptureMode mode)
{
    struct stream *s = stream_resolve(handle);
    cudaError_t error;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (s->legacy) /* is it used, then? */
        return (error = stream_for_work(handle, true, &s)) ? error
                                                           : cudaErrorStreamCaptureUnsupported;
    if (s->capture)
        return cudaErrorIllegalState;
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->id = ++captures.last_id;
    c->own = !graph;
    c->graph = graph ? graph : graph_new();
    c->graph->captures++;
    c->origin = s;
    c->mode = mode;
    c->thread = runtime_thread();
    *LIST_PUSH(&captures) = c;
    join(s, c);
    for (size_t i = 0; i < count; i++)
        *LIST_PUSH(&s->tail) = (struct node *)list[i];
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    API_ENTER();
    API_RETURN(begin(stream, NULL, NULL, 0, mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
                                          const cudaGraphNode_t *list,
                                          const cudaGraphEdgeData *data, size_t count,
                                          enum cudaStreamCaptureMode mode)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    if (!g || (count && !list) || data)
        API_RETURN(data ? runtime_unsupported("edge data of a capture") : cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!node_find(list[i]) || node_find(list[i])->graph != g)
            API_RETURN(cudaErrorInvalidValue);
    API_RETURN(begin(stream, g, list, count, mode));
}

/* Marks what leads to `n`; without recursion, since chains are long. */
static void reach(struct node *n)
{
    struct tail todo = {0};
    *LIST_PUSH(&todo) = n;
    while (todo.count) {
        struct node *next = todo.data[--todo.count];
        if (next->reached)
            continue;
        next->reached = true;
        for (int i = 0; i < next->before.count; i++)
            *LIST_PUSH(&todo) = next->before.data[i];
    }
    LIST_FREE(&todo);
}

/* Whether all that other streams captured leads to what the first one ends with. */
static bool is_joined(const struct capture *c)
{
    bool joined = true;
    for (int i = 0; i < c->graph->nodes.count; i++)
        c->graph->nodes.data[i]->reached = false;
    for (int i = 0; i < c->origin->tail.count; i++)
        reach(c->origin->tail.data[i]);
    for (const struct stream *s = runtime.streams; s; s = s->next)
        for (int i = 0; s->capture == c && i < s->tail.count; i++)
            joined &= s->tail.data[i]->reached;
    return joined;
}

/** The streams are free again; the graph stays unless it is to be dropped. */
static void capture_end(struct capture *c, bool drop)
{
    int kept = 0;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture == c) {
            s->capture = NULL;
            LIST_FREE(&s->tail);
        }
    for (int i = 0; i < captures.count; i++)
        if (captures.data[i] != c)
            captures.data[kept++] = captures.data[i];
    captures.count = kept;
    c->graph->captures--;
    if (drop && c->own)
        graph_free(c->graph);
    free(c);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *out)
{
    API_ENTER();
    struct stream *s = stream_resolve(handle);
    if (!s)
        API_RETURN(cudaErrorInvalidResourceHandle);
    struct capture *c = s->capture;
    cudaError_t e = capture_end_allowed(c, s);
    if (!c || c->origin != s)
        API_RETURN(e);
    struct graph *g = c->graph;
    if (!e && !is_joined(c))
        e = cudaErrorStreamCaptureUnjoined;
    capture_end(c, e != cudaSuccess);
    if (out) /* who captures into a graph of its own has it already */
        *out = e ? NULL : (cudaGraph_t)g;
    API_RETURN(e);
}

void captures_reset(void)
{
    while (captures.count)
        capture_end(captures.data[0], true);
}

void capture_stream_destroyed(struct stream *s)
{
    if (s->capture && s->capture->origin == s)
        capture_end(s->capture, true);
    s->capture = NULL;
    s->tail.count = 0;
}

/* ---- questions ---- */

static enum cudaStreamCaptureStatus status_of(const struct stream *s)
{
    return !s->capture           ? cudaStreamCaptureStatusNone
           : s->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    API_ENTER();
    struct stream *s = stream_resolve(handle);
    if (!s || !status)
        API_RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (s->legacy && captures_block_legacy())
        API_RETURN(cudaErrorStreamCaptureImplicit);
    *status = status_of(s);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    static cudaGraphEdgeData *no_data;
    static int room;
    API_ENTER();
    struct stream *s = stream_resolve(handle);
    if (!s || !status || (edges && !nodes))
        API_RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (s->legacy && captures_block_legacy())
        API_RETURN(cudaErrorStreamCaptureImplicit);
    *status = status_of(s);
    bool active = *status == cudaStreamCaptureStatusActive;
    if (edges && s->tail.count > room) {
        room = s->tail.count;
        free(no_data);
        no_data = calloc((size_t)room, sizeof *no_data);
        if (!no_data)
            abort();
    }
    if (id)
        *id = s->capture ? s->capture->id : 0;
    if (graph)
        *graph = active ? (cudaGraph_t)s->capture->graph : NULL;
    if (nodes)
        *nodes = active ? (const cudaGraphNode_t *)s->tail.data : NULL;
    if (edges)
        *edges = active ? no_data : NULL;
    if (count)
        *count = active ? (size_t)s->tail.count : 0;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *list,
                                                const cudaGraphEdgeData *data, size_t count,
                                                unsigned flags)
{
    API_ENTER();
    struct stream *s = stream_resolve(handle);
    if (!s)
        API_RETURN(cudaErrorInvalidResourceHandle);
    if (!s->capture)
        API_RETURN(cudaErrorIllegalState);
    if (s->capture->invalid)
        API_RETURN(cudaErrorStreamCaptureInvalidated);
    if (flags > cudaStreamSetCaptureDependencies || (count && !list) || data)
        API_RETURN(data ? runtime_unsupported("edge data of a capture") : cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!node_find(list[i]) || node_find(list[i])->graph != s->capture->graph)
            API_RETURN(cudaErrorInvalidValue);
    if (flags == cudaStreamSetCaptureDependencies)
        s->tail.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!in_tail(&s->tail, (struct node *)list[i]))
            *LIST_PUSH(&s->tail) = (struct node *)list[i];
    API_RETURN(cudaSuccess);
}
