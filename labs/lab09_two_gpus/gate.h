/**
 * @file gate.h
 * Work that is held up until the host has come to a certain point.
 */
#ifndef LAB09_GATE_H
#define LAB09_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/** How long work is held up for a host that should not be waiting for it. */
#define GATE_SECONDS 1

struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    bool open, forced; /**< forced: nobody opened it in time */
};
#define GATE_INITIALIZER                                                                           \
    (struct gate)                                                                                  \
    {                                                                                              \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER                     \
    }

/** Once somebody has not come in time, nobody is waited for any more. */
static int patience = GATE_SECONDS;

/** The stream's side, as a host function. A host that waits for the stream would wait for ever. */
static void gate_wait(void *data)
{
    struct gate *g = data;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += patience;
    pthread_mutex_lock(&g->mutex);
    while (!g->open && !g->forced)
        if (pthread_cond_timedwait(&g->opened, &g->mutex, &until) != 0)
            g->forced = !g->open;
    if (g->forced)
        patience = 0;
    pthread_mutex_unlock(&g->mutex);
}

/** The host's side. @return whether it was still closed */
static bool gate_open(struct gate *g)
{
    pthread_mutex_lock(&g->mutex);
    bool held = !g->forced;
    g->open = true;
    pthread_cond_broadcast(&g->opened);
    pthread_mutex_unlock(&g->mutex);
    return held;
}

#endif
