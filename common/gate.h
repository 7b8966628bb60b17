/**
 * @file gate.h
 * Work of a stream that is held up until the host has come to a certain point. For harnesses of host code; each is one file,
 * so all is static here.
 *
 * A host that waits for that work would wait for ever: the gate gives way then, and says so. What tells such a host from one
 * that is only slow is what it gets done, not the clock: on a busy machine a second may be too little for a few calls. So it is
 * looked at again and again. Each look takes a turn on a processor, as the host's own calls do, and its pauses are only
 * the least time between two.
 */
#ifndef COMMON_GATE_H
#define COMMON_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#ifndef GATE_PAUSE_NS
/** Between two looks. */
#define GATE_PAUSE_NS 5000000
#endif
/** Looks, one after the other, in none of which the process has done anything to speak of: it waits. (CUDA has threads of its own.) */
#define GATE_IDLE_LOOKS 150
#define GATE_IDLE_NS (GATE_PAUSE_NS / 50)
/** Looks in all: whoever asks the stream again and again, in place of waiting, is no better. */
#define GATE_LOOKS 600

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
static bool gate_given_up;

/** What all other threads of the process have computed so far, in ns. */
static long long gate_others_ns(void)
{
    struct timespec all, mine;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine);
    return (all.tv_sec - mine.tv_sec) * 1000000000LL + all.tv_nsec - mine.tv_nsec;
}

/** Waits for the pause, or until the gate opens. The caller holds the lock. */
static void gate_pause(struct gate *g)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += GATE_PAUSE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_clockwait(&g->opened, &g->mutex, CLOCK_MONOTONIC, &until);
}

/** The stream's side, as a host function. A host that waits for the stream would wait for ever. */
static void gate_wait(void *data)
{
    struct gate *g = data;
    long long before = -1;
    pthread_mutex_lock(&g->mutex);
    for (int look = 0, idle = 0; !g->open && !g->forced; look++) {
        g->forced = gate_given_up || look == GATE_LOOKS || idle == GATE_IDLE_LOOKS;
        long long now = gate_others_ns();
        idle = before >= 0 && now - before < GATE_IDLE_NS ? idle + 1 : 0;
        before = now;
        if (!g->forced)
            gate_pause(g);
    }
    gate_given_up |= g->forced;
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
