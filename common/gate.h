/**
 * @file gate.h
 * Work of a stream that is held up until the host has come to a certain point. For harnesses of host code; each is one file,
 * so all is static here.
 *
 * A host that waits for that work would wait for ever: the gate gives way then, and says so. What tells such a host from one
 * that is only slow is what it does, not the clock: on a busy machine a second may be too little for a few calls. So it is
 * looked at again and again. A thread that runs, or would if a processor were free, does not wait.
 */
#ifndef COMMON_GATE_H
#define COMMON_GATE_H

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef GATE_PAUSE_NS
/** Between two looks. */
#define GATE_PAUSE_NS 5000000
#endif
/** Looks, one after the other, in none of which the process has done anything to speak of: it waits. (CUDA has threads of its own.) */
#define GATE_IDLE_LOOKS 150
#define GATE_IDLE_NS (GATE_PAUSE_NS / 50)
/** Looks in all that find nobody running, and pauses for which the process computes: whoever asks the stream again and again, in place of
 *  waiting, is no better. */
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

/** Does a thread of the process but this one run, or would it if it could? (proc_pid_stat(5), the third field.) */
static bool gate_others_run(void)
{
    bool run = false;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *d; !run && threads && (d = readdir(threads));) {
        char path[64], line[96] = "";
        int tid = atoi(d->d_name);
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
        FILE *stat = tid > 0 && tid != gettid() ? fopen(path, "r") : NULL;
        if (!stat)
            continue;
        line[fread(line, 1, sizeof line - 1, stat)] = 0;
        fclose(stat);
        const char *state = strrchr(line, ')'); /* behind the name, which may hold any character */
        run = state && state[1] == ' ' && (state[2] == 'R' || state[2] == 'D');
    }
    if (threads)
        closedir(threads);
    return run;
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
    const long long first = gate_others_ns(), most = (long long)GATE_LOOKS * GATE_PAUSE_NS;
    pthread_mutex_lock(&g->mutex);
    long long before = first;
    for (int looks = 0, idle = 0; !g->open && !g->forced;) {
        long long now = gate_others_ns();
        bool run = gate_others_run();
        looks += !run;
        idle = !run && now - before < GATE_IDLE_NS ? idle + 1 : 0;
        before = now;
        g->forced =
            gate_given_up || looks == GATE_LOOKS || idle == GATE_IDLE_LOOKS || now - first >= most;
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
