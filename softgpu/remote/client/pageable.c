/**
 * @file pageable.c
 * Copies in graphs take place when a graph is launched, from or to the program's pageable memory: the server
 * says when, and a thread of its own reads or writes it here. It also says whether other threads run, while a host function does not end.
 */
#include <pthread.h>
#include <unistd.h>

#include "base/threads.h"
#include "remote/client/client.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;

static bool serve_one(int fd)
{
    struct wire_memory m;
    char done = 1;
    if (!wire_receive(fd, &m, sizeof m, NULL))
        return false;
    void *p = (void *)(uintptr_t)m.address;
    if (m.what == MEMORY_WRITE && !wire_receive(fd, p, m.bytes, NULL))
        return false;
    if (m.what == MEMORY_RUNS)
        done = threads_other_runs();
    struct iovec part = {m.what == MEMORY_READ ? p : &done, m.what == MEMORY_READ ? m.bytes : 1};
    return wire_send(fd, &part, 1, -1);
}

static void *serve(void *value)
{
    int fd = (int)(intptr_t)value;
    while (serve_one(fd))
        ;
    close(fd);
    return NULL;
}

bool memory_start(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    if (!started) {
        char ready;
        int fd = channel_connect(WIRE_MEMORY);
        started = fd >= 0 && wire_receive(fd, &ready, 1, NULL) &&
                  pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0;
        if (started)
            pthread_detach(thread);
        else if (fd >= 0)
            close(fd);
    }
    pthread_mutex_unlock(&lock);
    return started;
}
