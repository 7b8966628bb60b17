/**
 * @file stream.c
 * Streams: creation, the special handles, waiting, queries, host functions.
 */
#include <string.h>

#include "runtime/forms/launch_attributes.h"
#include "runtime/memory/pool.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"
#include "runtime/state/stream.h"
#include "runtime/state/unwaited.h"
#include "runtime/stream/ipc_event.h"
#include "runtime/time/record.h"

#define PRIORITY_LEAST 0
#define PRIORITY_GREATEST (-5)

struct stream *stream_new(int device, unsigned flags, int priority, bool blocking)
{
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->flags = flags;
    s->device = device;
    s->priority = priority;
    s->blocking = blocking;
    s->id = stream_id(device, ++runtime.next_stream_id[device]);
    struct stream **end = &runtime.streams;
    while (*end)
        end = &(*end)->next;
    *end = s;
    return s;
}

static void stream_free(struct stream *s)
{
    if (s->last)
        operation_unref(s->last);
    op_set_free(&s->ordered);
    LIST_FREE(&s->waits);
    LIST_FREE(&s->tail.nodes);
    LIST_FREE(&s->tail.kinds);
    free(s);
}

/** Is nothing left in it that somebody could wait for? Work that has been executed may not have been waited for. */
static bool is_over(const struct stream *s)
{
    return !s->last || (s->last->state == OP_DONE &&
                        (!runtime.options.check || op_set_has(&runtime.host_done, s->last->number)));
}

void streams_sweep(void)
{
    for (struct stream **at = &runtime.streams; *at;) {
        struct stream *s = *at;
        if (s->destroyed && is_over(s)) {
            *at = s->next;
            stream_free(s);
        } else {
            at = &s->next;
        }
    }
}

static struct stream *per_thread_stream(void)
{
    struct host_thread *t = runtime_thread();
    int d = t->device;
    if (!t->per_thread[d] || t->generation[d] != runtime.devices[d].generation) {
        t->per_thread[d] = stream_new(d, 0, 0, true);
        t->per_thread[d]->per_thread = true;
        stream_awaits(t->per_thread[d]);
        t->generation[d] = runtime.devices[d].generation;
    }
    return t->per_thread[d];
}

struct stream *stream_resolve(cudaStream_t handle)
{
    if (handle == cudaStreamPerThread || (!handle && runtime_thread()->per_thread_default))
        return per_thread_stream();
    if (!handle || handle == cudaStreamLegacy)
        return runtime_thread()->group && runtime_thread()->group->own ? runtime_thread()->group->own : device_state_now()->legacy;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if ((cudaStream_t)s == handle && !s->destroyed)
            return s;
    return NULL;
}

cudaError_t stream_wait(struct stream *s, const char *call)
{
    /* Waiting for the legacy stream waits for what it is ordered after, too: that work precedes
     * any operation put into it now. */
    if (s->legacy) {
        for (struct stream *o = runtime.streams; o; o = o->next)
            if (o->blocking && o->last && o != s && o->device == s->device) {
                cudaError_t e = engine_wait(o->last, call);
                if (e)
                    return e;
            }
    }
    return s->last ? engine_wait(s->last, call) : runtime.sticky;
}

/* ---- the API ---- */

static int within_range(int priority)
{
    return priority > PRIORITY_LEAST ? PRIORITY_LEAST : priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
}

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || (flags & ~(unsigned)cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    struct stream *s = stream_new(device_now(), flags, within_range(priority), !(flags & cudaStreamNonBlocking));
    s->group = runtime_thread()->group;
    stream_awaits(s);
    *out = (cudaStream_t)s;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    API_ENTER();
    API_RETURN(create(out, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    API_ENTER();
    API_RETURN(create(out, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    API_ENTER();
    API_RETURN(create(out, flags, priority));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    API_ENTER();
    if (least)
        *least = PRIORITY_LEAST;
    if (greatest)
        *greatest = PRIORITY_GREATEST;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    API_ENTER();
    struct stream *s = stream_resolve(handle);
    if (!s || s->legacy || s->per_thread)
        API_RETURN(cudaErrorInvalidResourceHandle);
    capture_stream_destroyed(s);
    s->destroyed = true; /* queued work still completes */
    streams_sweep();
    API_RETURN(cudaSuccess);
}

/** Resolves `handle` into `s` or leaves the API call with cudaErrorInvalidResourceHandle. */
#define RESOLVE(s, handle)                                                                         \
    struct stream *s = stream_resolve(handle);                                                     \
    if (!s) API_RETURN(cudaErrorInvalidResourceHandle)

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    API_ENTER();
    RESOLVE(s, handle);
    cudaError_t e = capture_allows_stream_wait(s);
    if (e)
        API_RETURN(e);
    operation_note(NOTE_SYNC, runtime.next_op, 0,
                   (struct issuer){.stream = s->id, .call = runtime_thread()->call});
    e = stream_wait(s, "cudaStreamSynchronize");
    pools_synchronized();
    API_RETURN(e);
}

cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    API_ENTER();
    RESOLVE(s, handle);
    cudaError_t e = capture_allows_stream_wait(s);
    if (e)
        API_RETURN(e);
    if (s->legacy)
        for (struct stream *o = runtime.streams; o; o = o->next)
            if (o->blocking && o->last && o != s && o->device == s->device) {
                e = engine_query(o->last);
                if (e)
                    API_RETURN(e);
            }
    API_RETURN(s->last ? engine_query(s->last) : runtime.sticky);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (flags & ~(unsigned)cudaEventWaitExternal)
        API_RETURN(cudaErrorInvalidValue);
    struct event *e = event_find(event);
    bool done;
    if (!e)
        API_RETURN(cudaErrorInvalidResourceHandle);
    cudaError_t error = capture_wait(e, s, flags, &done);
    if (error || done)
        API_RETURN(error);
    operation_note(NOTE_WAIT, runtime.next_op, e->record ? e->record->number : 0,
                   (struct issuer){.stream = s->id, .call = runtime_thread()->call});
    struct operation *foreign = ipc_event_wait(e);
    if (foreign) {
        operation_issue(foreign, s, NULL);
    } else if (e->record) {
        struct operation *op = operation_new(OP_MARK, "cudaStreamWaitEvent");
        op->time.mark_us = runtime.device->timing->wait_us;
        operation_issue(op, s, e->record);
    }
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (!flags)
        API_RETURN(cudaErrorInvalidValue);
    if (s->capture) /* so does an H200 */
        API_RETURN(capture_allows_stream_wait(s));
    *flags = s->flags;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (!priority)
        API_RETURN(cudaErrorInvalidValue);
    *priority = s->priority;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (!id)
        API_RETURN(cudaErrorInvalidValue);
    *id = s->id;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (!device)
        API_RETURN(cudaErrorInvalidValue);
    *device = s->device;
    API_RETURN(cudaSuccess);
}

/** What an H200 says of a stream that nobody has set a policy of. */
#define UNSET_POLICY ((enum cudaSynchronizationPolicy)-1)

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (!value)
        API_RETURN(cudaErrorInvalidValue);
    memset(value, 0, sizeof *value);
    if (attr == cudaLaunchAttributePriority)
        value->priority = s->priority;
    else if (attr == cudaLaunchAttributeSynchronizationPolicy)
        value->syncPolicy = s->sync_policy ? (enum cudaSynchronizationPolicy)s->sync_policy : UNSET_POLICY;
    else if (attr == cudaLaunchAttributeMemSyncDomainMap)
        value->memSyncDomainMap.remote = 1;
    else if (!attribute_of_streams(attr))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(cudaSuccess);
}

/* Access policies and the like are hints on speed: accepted, without effect. */
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    API_ENTER();
    RESOLVE(s, handle);
    if (!value)
        API_RETURN(cudaErrorInvalidValue);
    if (attr == cudaLaunchAttributePriority)
        s->priority = within_range(value->priority);
    else if (!attribute_of_streams(attr) || !attribute_value_fits(attr, value))
        API_RETURN(cudaErrorInvalidValue);
    else if (attr == cudaLaunchAttributeSynchronizationPolicy)
        s->sync_policy = (int)value->syncPolicy;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    API_ENTER();
    RESOLVE(d, dst);
    RESOLVE(s, src);
    d->priority = s->priority;
    d->sync_policy = s->sync_policy;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    API_ENTER();
    struct stream *s;
    cudaError_t e = stream_for_work(handle, true, &s);
    if (e || !callback || flags)
        API_RETURN(e ? e : cudaErrorInvalidValue);
    if (s->capture)
        API_RETURN(capture_allows_stream_wait(s));
    struct operation *op = operation_new(OP_HOST, "cudaStreamAddCallback");
    op->host = (struct host_call){.callback = callback, .handle = handle, .data = data};
    operation_issue(op, s, NULL);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t fn, void *data)
{
    API_ENTER();
    struct stream *s;
    cudaError_t e = stream_for_work(handle, true, &s);
    if (e || !fn)
        API_RETURN(e ? e : cudaErrorInvalidValue);
    struct operation *op = operation_new(OP_HOST, "cudaLaunchHostFunc");
    op->host = (struct host_call){.fn = fn, .data = data};
    if (s->capture)
        API_RETURN(capture_take(op, s));
    operation_issue(op, s, NULL);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void *pointer, size_t length,
                                     unsigned flags)
{
    API_ENTER();
    struct stream *s;
    cudaError_t e = stream_for_work(handle, true, &s);
    if (!e && s->capture)
        e = capture_allows_stream_wait(s);
    if (e)
        API_RETURN(e);
    struct allocation *a = memory_find(machine_memory(runtime.machine), (uintptr_t)pointer);
    bool whole = a && a->kind == ALLOC_MANAGED && a->base == (uintptr_t)pointer && (!length || length == a->bytes);
    if (!whole || (flags == cudaMemAttachSingle && s->legacy) || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
         flags != cudaMemAttachSingle))
        API_RETURN(cudaErrorInvalidValue);
    operation_issue(operation_new(OP_MARK, "cudaStreamAttachMemAsync"), s, NULL);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    API_ENTER();
    cudaError_t e = capture_allows_device_wait();
    if (e)
        API_RETURN(e);
    e = device_wait("cudaDeviceSynchronize");
    pools_synchronized();
    API_RETURN(e);
}
