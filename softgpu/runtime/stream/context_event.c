/**
 * @file context_event.c
 * Events of all that a context's streams have been given, and contexts that wait for an event. Neither orders those streams with each
 * other. What the calls give back, and which streams they mean, is an H200's (tests/runtime/green_more_facts.cu).
 */
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/stream.h"
#include "runtime/time/record.h"

/** Of the choice, and of the contexts that it stands for? The primary context stands for the green ones, too. */
static bool is_meant(const struct stream *s, const struct stream_choice *of)
{
    return !s->destroyed && s->device == of->device && (!of->group || s->group == of->group);
}

/* Captures in the context's own streams end as invalid. */
static cudaError_t captures_none(const struct stream_choice *of)
{
    cudaError_t e = cudaSuccess;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture && !s->destroyed && s->device == of->device && s->group == of->group)
            e = capture_failed(cudaErrorStreamCaptureUnsupported, s);
    return e;
}

static struct operation **awaited_by(const struct stream_choice *of)
{
    return of->group ? &of->group->awaited : &runtime.devices[of->device].awaited;
}

static struct operation *mark(const char *name, const struct stream *s, double us)
{
    struct operation *op = operation_new(OP_MARK, name);
    op->device = s->device;
    op->priority = s->priority;
    op->time.mark_us = us;
    return op;
}

/** One operation after all of `before`, in a stream of its own. The caller has a reference. */
static struct operation *join(const char *name, double us, int device, struct operation *const *before, int count)
{
    struct stream *apart = stream_new(device, cudaStreamNonBlocking, 0, false);
    struct operation *op = mark(name, apart, us);
    operation_ref(op);
    if (count)
        operation_issue_node(op, apart, before, count, true);
    else
        operation_issue(op, apart, NULL);
    apart->destroyed = true;
    return op;
}

static cudaError_t event_of(cudaEvent_t handle, const struct stream_choice *of, struct event **out)
{
    struct event *e = *out = event_find(handle);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    return e->outside ? runtime_unsupported("an event of other processes, for a whole context") : captures_none(of);
}

cudaError_t streams_record(const struct stream_choice *of, cudaEvent_t handle)
{
    LIST(struct operation *) all = {0};
    struct event *e;
    cudaError_t error = event_of(handle, of, &e);
    if (!error && e->device != of->device)
        error = cudaErrorInvalidResourceHandle;
    if (error)
        return error;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (is_meant(s, of) && s->last)
            *LIST_PUSH(&all) = s->last;
    struct operation *op = join("cudaEventRecord", runtime.device->timing->record_us, of->device, all.data, all.count);
    LIST_FREE(&all);
    if (e->record)
        operation_unref(e->record);
    e->record = op;
    e->captured = 0;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (is_meant(s, of))
            operation_note(NOTE_RECORD, op->number, 0, (struct issuer){.stream = s->id, .call = op->by.call});
    streams_sweep();
    return cudaSuccess;
}

/* What is put into the stream from now on comes after `awaited`, and after what was before it in the stream. */
static void wait_in(struct stream *s, struct operation *awaited)
{
    struct operation *before[] = {awaited, s->last};
    operation_note(NOTE_WAIT, runtime.next_op, awaited->number, (struct issuer){.stream = s->id, .call = runtime_thread()->call});
    operation_issue_node(mark("cudaStreamWaitEvent", s, runtime.device->timing->wait_us), s, before, s->last ? 2 : 1, true);
}

cudaError_t streams_wait(const struct stream_choice *of, cudaEvent_t handle)
{
    struct event *e;
    cudaError_t error = event_of(handle, of, &e);
    if (!error && e->captured)
        error = capture_allows_event_wait(e);
    if (error || !e->record)
        return error;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (is_meant(s, of) && !s->capture)
            wait_in(s, e->record);
    struct operation **awaited = awaited_by(of), *before[] = {e->record, *awaited};
    struct operation *both = join("cudaStreamWaitEvent", runtime.device->timing->wait_us, of->device, before, *awaited ? 2 : 1);
    if (*awaited)
        operation_unref(*awaited);
    *awaited = both;
    streams_sweep();
    return cudaSuccess;
}

void stream_awaits(struct stream *s)
{
    if (runtime.devices[s->device].awaited)
        wait_in(s, runtime.devices[s->device].awaited);
    if (s->group && s->group->awaited)
        wait_in(s, s->group->awaited);
}

void streams_await_nothing(const struct stream_choice *of)
{
    struct operation **awaited = awaited_by(of);
    if (*awaited)
        operation_unref(*awaited);
    *awaited = NULL;
}
