/**
 * @file ipc_event.c
 * Events that other processes have, too. Each is two numbers in memory that all of them share: how often it has been
 * recorded, and up to which of these records the work before it has been done.
 */
#include "runtime/stream/ipc_event.h"

#include <string.h>
#include <unistd.h>

#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/execution.h"
#include "runtime/state/outside.h"
#include "runtime/state/runtime.h"

_Static_assert(sizeof(struct outside_name) <= sizeof(cudaIpcEventHandle_t), "a handle has room for it");

/** What stands in the file. */
struct shared_event {
    uint64_t issued, completed;
    struct outside_name name;  /**< what a handle says; its process is 0 until there is one */
};

bool ipc_event_make(struct event *e)
{
    struct outside_name name = {.bytes = sizeof(struct shared_event), .kind = OUTSIDE_EVENT, .device = e->device};
    int fd = outside_create(&name);
    e->outside = fd < 0 ? NULL : outside_map(fd, sizeof *e->outside);
    if (!e->outside)
        return false;
    e->outside->name = name;
    return true;
}

struct operation *ipc_event_record(struct event *e)
{
    e->own_record = __atomic_add_fetch(&e->outside->issued, 1, __ATOMIC_ACQ_REL);
    return value_op("cudaEventRecord", &(struct value_step){.how = VALUE_WRITE, .bytes = 8, .value = e->own_record,
                                                            .outside = &e->outside->completed}, 1);
}

/* The latest record, if it is another process's; else 0. */
static uint64_t foreign(const struct event *e)
{
    uint64_t issued = e->outside ? __atomic_load_n(&e->outside->issued, __ATOMIC_ACQUIRE) : 0;
    return issued == e->own_record ? 0 : issued;
}

struct operation *ipc_event_wait(const struct event *e)
{
    uint64_t record = foreign(e);
    return record ? value_op("cudaStreamWaitEvent", &(struct value_step){.how = VALUE_AT_LEAST, .bytes = 8, .value = record,
                                                                         .outside = &e->outside->completed}, 1)
                  : NULL;
}

bool ipc_event_is_foreign(const struct event *e)
{
    return foreign(e) != 0;
}

cudaError_t ipc_event_query(const struct event *e)
{
    vtime_host(runtime.device->timing->query_us);
    if (!runtime.sticky)
        engine_round(DRIVE_QUERY);
    bool done = __atomic_load_n(&e->outside->completed, __ATOMIC_ACQUIRE) >= foreign(e);
    return runtime.sticky ? runtime.sticky : done ? cudaSuccess : cudaErrorNotReady;
}

/* What is ours goes on meanwhile: the other process may wait for it. */
cudaError_t ipc_event_synchronize(const struct event *e)
{
    uint64_t *completed = &e->outside->completed, record = foreign(e);
    runtime.waiting++;
    while (!runtime.sticky && __atomic_load_n(completed, __ATOMIC_ACQUIRE) < record)
        if (!engine_round(DRIVE_BACKGROUND))
            runtime_wait_change(1);
    runtime.waiting--;
    return runtime.sticky;
}

/* ---- the API ---- */

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    API_ENTER();
    struct event *e = event_find(event);
    if (!handle)
        API_RETURN(cudaErrorInvalidValue);
    if (!e || !(e->flags & cudaEventInterprocess) || e->imported)
        API_RETURN(cudaErrorInvalidResourceHandle);
    if (!e->outside)
        API_RETURN(cudaErrorNotSupported);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &e->outside->name, sizeof e->outside->name);
    outside_more(); /* its records are to take place without a call */
    API_RETURN(cudaSuccess);
}

static cudaError_t open_event(cudaEvent_t *out, const cudaIpcEventHandle_t *handle)
{
    struct outside_name name;
    memcpy(&name, handle, sizeof name);
    if (!out)
        return cudaErrorInvalidValue;
    if (name.kind == OUTSIDE_EVENT && name.process == getpid())
        return cudaErrorDeviceUninitialized;
    int fd = outside_open(&name, OUTSIDE_EVENT);
    struct shared_event *shared = fd < 0 ? NULL : outside_map(fd, sizeof *shared);
    if (fd >= 0)
        close(fd);
    if (!shared)
        return cudaErrorInvalidValue;
    struct event *e = event_new(cudaEventInterprocess | cudaEventDisableTiming);
    e->outside = shared;
    e->imported = true;
    outside_more();
    *out = (cudaEvent_t)e;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    API_ENTER();
    API_RETURN(open_event(event, &handle));
}
