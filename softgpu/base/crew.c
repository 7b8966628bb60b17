/**
 * @file crew.c
 * See crew.h.
 */
#include "base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/processors.h"

#define MOST 63
#define LOOKS 1000 /* at whether the others are done, before sleeping: some ten microseconds */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct crew_work *work; /**< what there is to do; NULL: nothing */
static int threads;
static uint64_t pieces;        /**< of work so far: a helper begins each at most once */
static cpu_set_t may;          /**< where whoever asks may run */

static void pause_briefly(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/** A child of fork() has the thread that called it and no other. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&asked, NULL);
    pthread_cond_init(&done, NULL);
    work = NULL;
    __atomic_store_n(&threads, 0, __ATOMIC_RELAXED);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

/** With the lock: one piece of work, which is let go meanwhile. */
static void help(struct crew_work *w, cpu_set_t *mine)
{
    int number = ++w->begun;
    bool moved = !CPU_EQUAL(mine, &may);
    cpu_set_t all = may;
    __atomic_add_fetch(&w->inside, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    if (moved && pthread_setaffinity_np(pthread_self(), sizeof all, &all) == 0)
        *mine = all;
    w->run(w->self, number);
    pthread_mutex_lock(&lock);
    if (__atomic_sub_fetch(&w->inside, 1, __ATOMIC_RELEASE) == 0 && work != w)
        pthread_cond_broadcast(&done);
}

static void *helper(void *unused)
{
    cpu_set_t mine;
    uint64_t last = 0;
    CPU_ZERO(&mine);
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!work || work->begun + 1 >= work->count || pieces == last)
            pthread_cond_wait(&asked, &lock);
        last = pieces;
        help(work, &mine);
    }
    return unused;
}

/** With the lock: one more thread. */
static bool hire(int index, int count)
{
    pthread_t thread;
    sigset_t but_faults, before;
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(&but_faults);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&but_faults, faults[i]);
    pthread_sigmask(SIG_BLOCK, &but_faults, &before); /* the program's signals are for its own threads */
    int error = thread_beside(&thread, index, count, helper, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return false;
    pthread_detach(thread);
    __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    return true;
}

void crew_ask(struct crew_work *w)
{
    int helpers = w->count - 1 < MOST ? w->count - 1 : MOST;
    w->begun = w->inside = 0;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    if (!work && helpers > 0) {
        while (threads < helpers && hire(threads, helpers))
            ;
        if (sched_getaffinity(0, sizeof may, &may))
            CPU_ZERO(&may);
        work = w;
        pieces++;
        pthread_cond_broadcast(&asked);
    }
    pthread_mutex_unlock(&lock);
}

int crew_close(struct crew_work *w)
{
    pthread_mutex_lock(&lock);
    if (work == w)
        work = NULL;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < LOOKS && __atomic_load_n(&w->inside, __ATOMIC_ACQUIRE); i++)
        pause_briefly();
    pthread_mutex_lock(&lock);
    while (w->inside)
        pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
    return w->begun + 1;
}

int crew_threads(void)
{
    return __atomic_load_n(&threads, __ATOMIC_RELAXED);
}
