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

#include "report/reporter.h"
#include "runtime/graph/capture_rules.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

struct captures captures;

/* ---- tails ---- */

static bool in_tail(const struct tail *t, const struct node *n)
{
    for (int i = 0; i < t->nodes.count; i++)
        if (t->nodes.data[i] == n)
            return true;
    return false;
}

static void tail_add(struct tail *t, struct node *n, enum edge_kind kind)
{
    *LIST_PUSH(&t->nodes) = n;
    *LIST_PUSH(&t->kinds) = (unsigned char)kind;
}

static void tail_clear(struct tail *t)
{
    t->nodes.count = t->kinds.count = 0;
}

/* There is one edge from a node to another: of two kinds the one that begins later, and if it can be waited behind one, it can behind both. */
static void tail_join(struct tail *to, const struct tail *from)
{
    for (int i = 0; i < from->nodes.count; i++)
        if (!in_tail(to, from->nodes.data[i]))
            tail_add(to, from->nodes.data[i], (enum edge_kind)from->kinds.data[i]);
        else
            for (int k = 0; k < to->nodes.count; k++)
                if (to->nodes.data[k] == from->nodes.data[i] && from->kinds.data[i] < to->kinds.data[k])
                    to->kinds.data[k] = from->kinds.data[i];
}

/* A launch with programmatic stream serialization right behind a kernel of its stream, as an H200 captures it; behind several: after them. */
static bool begins_early(const struct node *n, const struct stream *s)
{
    int count = n->op->programmatic ? s->tail.nodes.count : 0;
    const struct node *last = count ? s->tail.nodes.data[0] : NULL;
    if (count > 1 && runtime.options.check)
        report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_PROGRAMMATIC);
    return count == 1 && last->type == cudaGraphNodeTypeKernel && last->op->by.captured == s->id && s->tail.kinds.data[0] == EDGE_END;
}

/* `n` comes after all that `s` has captured so far. */
static void append(struct node *n, struct stream *s)
{
    n->op->programmatic = begins_early(n, s);
    n->op->by.captured = s->id;
    n->op->priority = s->priority;
    for (int i = 0; i < s->tail.nodes.count; i++)
        node_add_edge(n, s->tail.nodes.data[i], n->op->programmatic ? EDGE_TRIGGER_AWAITED : (enum edge_kind)s->tail.kinds.data[i]);
    tail_clear(&s->tail);
    tail_add(&s->tail, n, EDGE_END);
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
    tail_clear(&e->tail);
    tail_join(&e->tail, &s->tail);
}

void capture_record_early(struct event *e, struct stream *s, bool begun, bool awaited)
{
    e->captured = s->capture->id;
    tail_clear(&e->tail);
    tail_add(&e->tail, s->tail.nodes.data[0], !begun ? EDGE_TRIGGER_AWAITED : awaited ? EDGE_BEGUN_AWAITED : EDGE_BEGUN);
}

/* The stream takes part from now on. */
static void join(struct stream *s, struct capture *c)
{
    s->capture = c;
    tail_clear(&s->tail);
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

static enum edge_kind kind_at(const cudaGraphEdgeData *data, size_t i)
{
    enum edge_kind kind;
    edge_kind_of(data ? &data[i] : NULL, &kind);
    return kind;
}

/* Whether what comes next may depend so on these nodes. */
static bool may_depend(const struct graph *g, const cudaGraphNode_t *list, const cudaGraphEdgeData *data, size_t count)
{
    enum edge_kind kind;
    if (count && !list)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct node *n = node_find(list[i]);
        if (!n || n->graph != g || !edge_kind_of(data ? &data[i] : NULL, &kind) || !edge_may_be(n->type, cudaGraphNodeTypeKernel, kind))
            return false;
    }
    return true;
}

static cudaError_t begin(cudaStream_t handle, struct graph *graph, const cudaGraphNode_t *list,
                         const cudaGraphEdgeData *data, size_t count, enum cudaStreamCaptureMode mode)
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
        tail_add(&s->tail, (struct node *)list[i], kind_at(data, i));
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    API_ENTER();
    API_RETURN(begin(stream, NULL, NULL, NULL, 0, mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
                                          const cudaGraphNode_t *list,
                                          const cudaGraphEdgeData *data, size_t count,
                                          enum cudaStreamCaptureMode mode)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    if (!g || !may_depend(g, list, data, count))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(begin(stream, g, list, data, count, mode));
}

/* Marks what leads to `n`; without recursion, since chains are long. */
static void reach(struct node *n)
{
    struct node_list todo = {0};
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
    for (int i = 0; i < c->origin->tail.nodes.count; i++)
        reach(c->origin->tail.nodes.data[i]);
    for (const struct stream *s = runtime.streams; s; s = s->next)
        for (int i = 0; s->capture == c && i < s->tail.nodes.count; i++)
            joined &= s->tail.nodes.data[i]->reached;
    return joined;
}

/** The streams are free again; the graph stays unless it is to be dropped. */
static void capture_end(struct capture *c, bool drop)
{
    int kept = 0;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture == c) {
            s->capture = NULL;
            LIST_FREE(&s->tail.nodes);
            LIST_FREE(&s->tail.kinds);
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
    tail_clear(&s->tail);
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
    static cudaGraphEdgeData *edge_data;
    static int room;
    API_ENTER();
    struct stream *s = stream_resolve(handle);
    if (!s || !status || (edges && !nodes))
        API_RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (s->legacy && captures_block_legacy())
        API_RETURN(cudaErrorStreamCaptureImplicit);
    *status = status_of(s);
    bool active = *status == cudaStreamCaptureStatusActive;
    const struct tail *t = &s->tail;
    if (edges && t->nodes.count > room) {
        room = t->nodes.count;
        free(edge_data);
        edge_data = calloc((size_t)room, sizeof *edge_data);
        if (!edge_data)
            abort();
    }
    bool lossy = false;
    for (int i = 0; active && i < t->nodes.count; i++) {
        lossy |= nodes && !edges && t->kinds.data[i] != EDGE_END;
        if (edges)
            edge_data_of((enum edge_kind)t->kinds.data[i], &edge_data[i]);
    }
    if (lossy)
        API_RETURN(cudaErrorLossyQuery);
    if (id)
        *id = s->capture ? s->capture->id : 0;
    if (graph)
        *graph = active ? (cudaGraph_t)s->capture->graph : NULL;
    if (nodes)
        *nodes = active ? (const cudaGraphNode_t *)t->nodes.data : NULL;
    if (edges)
        *edges = active ? edge_data : NULL;
    if (count)
        *count = active ? (size_t)t->nodes.count : 0;
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
    if (flags > cudaStreamSetCaptureDependencies || !may_depend(s->capture->graph, list, data, count))
        API_RETURN(cudaErrorInvalidValue);
    if (flags == cudaStreamSetCaptureDependencies)
        tail_clear(&s->tail);
    for (size_t i = 0; i < count; i++)
        if (!in_tail(&s->tail, (struct node *)list[i]))
            tail_add(&s->tail, (struct node *)list[i], kind_at(data, i));
    API_RETURN(cudaSuccess);
}
