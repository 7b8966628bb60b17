/**
 * @file host_functions.c
 * Host functions run in the client: the runtime's worker asks for each and waits until it is done. A
 * client that never answers holds up its own streams, until its time is over.
 */
#include <pthread.h>
#include <unistd.h>

#include "remote/server/server.h"
#include "runtime/state/stream.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int host_fd = -1;

void host_functions_connect(int fd)
{
    pthread_mutex_lock(&lock);
    bool taken = host_fd >= 0;
    if (!taken)
        host_fd = fd;
    pthread_mutex_unlock(&lock);
    char ready = 1;
    struct iovec part = {&ready, 1};
    if (taken)
        close(fd);
    else
        wire_send(fd, &part, 1, -1);
}

/** In the runtime's worker thread. */
static void run_in_client(struct wire_reverse *w)
{
    char done;
    struct iovec part = {w, sizeof *w};
    pthread_mutex_lock(&lock);
    int fd = host_fd;
    pthread_mutex_unlock(&lock);
    /* A broken connection stays broken: later ones fail at once. */
    if (fd >= 0 && wire_send(fd, &part, 1, -1))
        wire_receive(fd, &done, 1, NULL);
}

static void host_function(void *data)
{
    run_in_client(data);
    free(data);
}

/* ---- those that graphs run, as often as they like ---- */

#define MAX_RECORDS 65536
static struct wire_reverse *records[MAX_RECORDS];
static int record_count;

static void host_node(void *data)
{
    struct wire_reverse w = *(struct wire_reverse *)data;
    run_in_client(&w);
}

static struct wire_reverse *record_for(uint64_t function, uint64_t data)
{
    struct wire_reverse *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = record_count - 1; i >= 0 && !found; i--)
        if (records[i]->function == function && records[i]->data == data)
            found = records[i];
    if (!found && record_count < MAX_RECORDS && (found = calloc(1, sizeof *found))) {
        found->function = function;
        found->data = data;
        records[record_count++] = found;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

cudaError_t host_node_record(cudaHostFn_t *fn, void **data)
{
    if (!*fn)
        return cudaSuccess;
    *data = record_for((uint64_t)(uintptr_t)*fn, (uint64_t)(uintptr_t)*data);
    *fn = host_node;
    return *data ? cudaSuccess : cudaErrorMemoryAllocation;
}

void host_node_given(cudaHostFn_t *fn, void **data)
{
    const struct wire_reverse *w = *data;
    if (*fn != host_node)
        return;
    *fn = (cudaHostFn_t)(uintptr_t)w->function;
    *data = (void *)(uintptr_t)w->data;
}

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
    struct wire_reverse *w = data;
    (void)stream;
    w->status = (int32_t)status;
    run_in_client(w);
    free(w);
}

/** If another thread ends the capture now, the record merely lives on. */
bool is_capturing(uint64_t stream)
{
    runtime_lock();
    const struct stream *s = runtime.machine ? stream_resolve((cudaStream_t)(uintptr_t)stream) : NULL;
    bool capturing = s && s->capture;
    runtime_unlock();
    return capturing;
}

cudaError_t serve_host_function(struct request *r, struct reply *o)
{
    struct wire_host_function w;
    (void)o;
    request_take(r, &w, sizeof w);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    if (!w.callback && is_capturing(w.stream)) {
        cudaHostFn_t fn = (cudaHostFn_t)(uintptr_t)w.function;
        void *data = (void *)(uintptr_t)w.data;
        cudaError_t e = host_node_record(&fn, &data);
        return e ? e : cudaLaunchHostFunc((cudaStream_t)(uintptr_t)w.stream, fn, data);
    }
    struct wire_reverse *record = calloc(1, sizeof *record);
    if (!record)
        return cudaErrorMemoryAllocation;
    *record = (struct wire_reverse){w.function, w.data, w.stream, 0, w.callback};
    cudaStream_t stream = (cudaStream_t)(uintptr_t)w.stream;
    cudaError_t e = w.callback
                        ? cudaStreamAddCallback(stream, w.function ? callback : NULL, record, w.flags)
                        : cudaLaunchHostFunc(stream, w.function ? host_function : NULL, record);
    if (e)
        free(record);
    return e;
}
