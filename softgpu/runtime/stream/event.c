/**
 * @file event.c
 * Events: points in a stream that the host and other streams can wait for, and their times.
 */
#include "runtime/memory/pool.h"
#include "runtime/state/failure.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/execution.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/stream/ipc_event.h"
#include "runtime/stream/programmatic.h"

struct event *event_find(cudaEvent_t handle)
{
    for (struct event *e = runtime.events; e; e = e->next)
        if ((cudaEvent_t)e == handle)
            return e;
    return NULL;
}

struct event *event_new(unsigned flags)
{
    struct event *e = calloc(1, sizeof *e);
    if (!e)
        abort();
    e->flags = flags;
    e->device = device_now();
    e->next = runtime.events;
    runtime.events = e;
    return e;
}

static cudaError_t create(cudaEvent_t *out, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || (flags & ~known) ||
        ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)))
        return cudaErrorInvalidValue;
    struct event *e = event_new(flags);
    if (flags & cudaEventInterprocess)
        ipc_event_make(e); /* where that cannot be, nobody gets a handle */
    *out = (cudaEvent_t)e;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    API_ENTER();
    API_RETURN(create(out, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    API_ENTER();
    API_RETURN(create(out, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    API_ENTER();
    for (struct event **at = &runtime.events; *at; at = &(*at)->next) {
        struct event *e = *at;
        if ((cudaEvent_t)e != handle)
            continue;
        *at = e->next;
        if (e->record)
            operation_unref(e->record);
        LIST_FREE(&e->tail.nodes);
        LIST_FREE(&e->tail.kinds);
        free(e);
        API_RETURN(cudaSuccess);
    }
    API_RETURN(cudaErrorInvalidResourceHandle);
}

static void take_record(struct event *e, struct operation *op)
{
    e->captured = 0;
    if (e->record)
        operation_unref(e->record);
    e->record = op;
}

void event_record_early(struct event *e, struct operation *kernel, struct stream *s, bool begun, bool awaited)
{
    take_record(e, early_mark(kernel, begun ? EARLY_BEGUN : EARLY_TRIGGER, awaited, s));
    operation_note(NOTE_RECORD, e->record->number, 0, e->record->by);
}

static cudaError_t record(cudaEvent_t handle, cudaStream_t stream, unsigned flags)
{
    struct event *e = event_find(handle);
    struct stream *s;
    if (!e)
        return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return cudaErrorInvalidValue;
    cudaError_t error = stream_for_work(stream, true, &s);
    if (error || s->device != e->device)
        return error ? error : cudaErrorInvalidResourceHandle;
    if (s->capture) {
        capture_record(e, s, flags);
        return cudaSuccess;
    }
    if (flags & cudaEventRecordExternal) /* a node's alone */
        return cudaErrorIllegalState;
    struct operation *op = e->outside ? ipc_event_record(e) : operation_new(OP_MARK, "cudaEventRecord");
    op->time.mark_us = runtime.device->timing->record_us;
    take_record(e, op);
    operation_ref(op);
    operation_issue(op, s, NULL);
    operation_note(NOTE_RECORD, op->number, 0, op->by);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(record(handle, stream, 0));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned flags)
{
    API_ENTER();
    API_RETURN(record(handle, stream, flags));
}

/* An event that the host may ask about or wait for; `record` is NULL where there is nothing to wait for. */
static cudaError_t record_of(cudaEvent_t handle, struct operation **record)
{
    struct event *e = event_find(handle);
    *record = e ? e->record : NULL;
    return e ? capture_allows_event_wait(e) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventQuery(cudaEvent_t handle)
{
    API_ENTER();
    struct operation *op;
    cudaError_t error = record_of(handle, &op);
    if (!error && ipc_event_is_foreign(event_find(handle)))
        API_RETURN(ipc_event_query(event_find(handle)));
    API_RETURN(error || !op ? error : engine_query(op));
}

static cudaError_t event_wait(struct operation *record)
{
    struct issuer by = record->by;
    by.call = runtime_thread()->call;
    operation_note(NOTE_SYNC, runtime.next_op, record->number, by);
    return engine_wait(record, "cudaEventSynchronize");
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
    API_ENTER();
    struct operation *op;
    cudaError_t error = record_of(handle, &op);
    if (!error && ipc_event_is_foreign(event_find(handle)))
        API_RETURN(ipc_event_synchronize(event_find(handle)));
    if (error || !op)
        API_RETURN(error);
    error = event_wait(op);
    pools_synchronized();
    API_RETURN(error);
}

/* Whether an event lies in the host's past. */
static bool happened(struct operation *record)
{
    return vtime_run(runtime.host_ns, record, true) && record->state == OP_DONE;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    API_ENTER();
    struct event *a = event_find(start), *b = event_find(end);
    if (!ms)
        API_RETURN(cudaErrorInvalidValue);
    if (a && b && (a->captured || b->captured))
        API_RETURN(cudaErrorCapturedEvent);
    if (!a || !b || !a->record || !b->record || ((a->flags | b->flags) & cudaEventDisableTiming) ||
        a->device != b->device)
        API_RETURN(cudaErrorInvalidResourceHandle);
    if (!happened(a->record) || !happened(b->record)) {
        failure_because(CAUSE_EVENTS_NOT_READY, &(struct call_facts){0}, 0);
        API_RETURN(runtime.sticky ? runtime.sticky : cudaErrorNotReady);
    }
    *ms = (float)((double)((int64_t)b->record->time.end_ns - (int64_t)a->record->time.end_ns) * 1e-6);
    API_RETURN(cudaSuccess);
}
