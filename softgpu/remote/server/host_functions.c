/**
 * @file host_functions.c
 * Host functions run in the client: the runtime's worker asks for each and waits until it is done. A
 * client that never answers holds up its own streams, until its time is over.
 */
#include <pthread.h>
#include <unistd.h>

#include "remote/server/server.h"

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

/** In the runtime's worker thread. Frees the record. */
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
    free(w);
}

static void host_function(void *data)
{
    run_in_client(data);
}

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
    struct wire_reverse *w = data;
    (void)stream;
    w->status = (int32_t)status;
    run_in_client(w);
}

cudaError_t serve_host_function(struct request *r, struct reply *o)
{
    struct wire_host_function w;
    (void)o;
    request_take(r, &w, sizeof w);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
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
