/**
 * @file graph_launch.c
 * Launches: in the stream, a graph is what lies between two marks; its nodes come after those that they depend
 * on, and after nothing else. Launches of one instantiated graph follow each other, in whatever streams.
 */
#include "runtime/state/capture.h"
#include "runtime/graph/graph.h"

LIST_TYPE(operations, struct operation *);

static struct event *event_of(cudaEvent_t handle)
{
    for (struct event *e = runtime.events; e; e = e->next)
        if ((cudaEvent_t)e == handle)
            return e;
    return NULL;
}

/* What a record or wait node does to the host's book of events, at the launch. */
static void meet_event(const struct step *s, struct operation *op, struct operations *before)
{
    struct event *e = s->event ? event_of(s->event) : NULL;
    if (!e || s->off)
        return;
    if (s->type == cudaGraphNodeTypeWaitEvent) {
        operation_note(NOTE_WAIT, runtime.next_op, e->record ? e->record->number : 0, op->by);
        if (e->record)
            *LIST_PUSH(before) = e->record;
    } else if (s->type == cudaGraphNodeTypeEventRecord) {
        operation_note(NOTE_RECORD, runtime.next_op, 0, op->by);
        if (e->record)
            operation_unref(e->record);
        e->record = op;
        e->captured = 0;
        operation_ref(op);
    }
}

static struct operation *operation_of(const struct step *s, const struct exec *x,
                                      const struct stream *in, uint64_t start)
{
    struct operation *op = s->off ? operation_new(OP_MARK, "disabled node") : template_copy(s->op);
    if (!(x->flags & cudaGraphInstantiateFlagUseNodePriority))
        op->priority = in->priority;
    op->by = (struct issuer){.stream = in->id,
                             .call = s->op->by.call,
                             .graph = start,
                             .launch = runtime_thread()->call,
                             .captured = s->op->by.captured,
                             .branch = s->branch};
    return op;
}

/* Kernels that come after others are on the device already; the rest costs the host a call of its own. */
static double call_us(const struct step *s)
{
    const struct device_timing *t = runtime.device->timing;
    return s->type == cudaGraphNodeTypeKernel && s->before.count ? t->graph_kernel_call_us
                                                                 : t->graph_other_call_us;
}

/* Issues the steps; `all` gets their operations, each with a reference. */
static void issue_steps(struct exec *x, struct stream *in, struct operation *start,
                        struct operations *all)
{
    struct operations before = {0};
    for (int i = 0; i < x->steps.count; i++) {
        const struct step *s = &x->steps.data[i];
        struct operation *op = operation_of(s, x, in, start->number);
        before.count = 0;
        for (int k = 0; k < s->before.count; k++)
            *LIST_PUSH(&before) = all->data[s->before.data[k]];
        if (!s->before.count)
            *LIST_PUSH(&before) = start;
        vtime_host(i ? call_us(s) : 0);
        meet_event(s, op, &before);
        operation_ref(op);
        *LIST_PUSH(all) = op;
        operation_issue_node(op, in, before.data, before.count, false);
    }
    LIST_FREE(&before);
}

static void launch(struct exec *x, struct stream *in)
{
    const struct device_timing *t = runtime.device->timing;
    struct operations all = {0}, ends = {0};
    struct operation *start = operation_new(OP_MARK, "cudaGraphLaunch");
    vtime_host(t->graph_call_us);
    start->time.mark_us = t->graph_start_us;
    start->time.call_spent = true;
    operation_ref(start);
    operation_issue(start, in, x->last);
    issue_steps(x, in, start, &all);
    for (int i = 0; i < x->steps.count; i++)
        if (!x->steps.data[i].has_after)
            *LIST_PUSH(&ends) = all.data[i];
    if (!ends.count)
        *LIST_PUSH(&ends) = start;
    struct operation *end = operation_new(OP_MARK, "cudaGraphLaunch");
    end->time.mark_us = x->steps.count > 1 ? t->graph_end_us : 0;
    if (x->last)
        operation_unref(x->last);
    x->last = end;
    operation_ref(end);
    operation_issue_node(end, in, ends.data, ends.count, true);
    for (int i = 0; i < all.count; i++)
        operation_unref(all.data[i]);
    operation_unref(start);
    LIST_FREE(&all);
    LIST_FREE(&ends);
}

/* What is to be launched, and where. */
static cudaError_t resolve(cudaGraphExec_t handle, cudaStream_t stream, struct exec **x, struct stream **s)
{
    *x = exec_find(handle);
    if (!*x)
        return cudaErrorInvalidValue;
    cudaError_t e = stream_for_work(stream, true, s);
    return e || !(*s)->capture ? e : capture_allows_stream_wait(*s);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
    API_ENTER();
    struct exec *x;
    struct stream *s;
    cudaError_t e = resolve(handle, stream, &x, &s);
    if (!e)
        launch(x, s);
    API_RETURN(e);
}

/* The program is on the device as soon as there is one: only the order is left. */
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    API_ENTER();
    struct exec *x;
    struct stream *s;
    cudaError_t e = resolve(handle, stream, &x, &s);
    if (!e)
        operation_issue(operation_new(OP_MARK, "cudaGraphUpload"), s, x->last);
    API_RETURN(e);
}
