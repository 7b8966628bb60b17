/**
 * @file host_functions.c
 * cudaLaunchHostFunc and callbacks: the server says when, and a thread of their own runs them here.
 *
 * By hand: that thread must be there before the call is sent.
 */
#include <pthread.h>
#include <unistd.h>

#include "remote/client/client.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;

static void *serve(void *value)
{
    int fd = (int)(intptr_t)value;
    struct wire_reverse r;
    in_host_function = true;
    while (wire_receive(fd, &r, sizeof r, NULL)) {
        void *data = (void *)(uintptr_t)r.data;
        host_function = r.function;
        if (r.callback)
            ((cudaStreamCallback_t)(uintptr_t)r.function)((cudaStream_t)(uintptr_t)r.stream,
                                                          (cudaError_t)r.status, data);
        else
            ((cudaHostFn_t)(uintptr_t)r.function)(data);
        char done = 1;
        struct iovec part = {&done, 1};
        if (!wire_send(fd, &part, 1, -1))
            break;
    }
    close(fd);
    return NULL;
}

/** The thread is there before the server can want it. */
bool host_functions_start(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    if (!started) {
        char ready;
        int fd = channel_connect(WIRE_HOST_FUNCTIONS);
        started = fd >= 0 && wire_receive(fd, &ready, 1, NULL) &&
                  pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0;
        if (started)
            pthread_detach(thread);
        else if (fd >= 0)
            close(fd);
    }
    pthread_mutex_unlock(&lock);
    return started && memory_start();
}

static cudaError_t enqueue(struct wire_host_function w, const void *site)
{
    struct call c;
    if (w.function && !host_functions_start())
        return cudaErrorInitializationError;
    call_begin(&c, WIRE_HOST_FUNCTION, site);
    call_put(&c, &w, sizeof w);
    return call_do(&c);
}

EXPORT cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data)
{
    return enqueue((struct wire_host_function){(uintptr_t)stream, (uintptr_t)fn, (uintptr_t)data, 0,
                                               0},
                   __builtin_return_address(0));
}

EXPORT cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void *data, unsigned flags)
{
    return enqueue((struct wire_host_function){(uintptr_t)stream, (uintptr_t)callback,
                                               (uintptr_t)data, 1, flags},
                   __builtin_return_address(0));
}
