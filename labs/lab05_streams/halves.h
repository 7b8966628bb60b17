/**
 * @file halves.h
 * Part G, seen from the harness: has each of two host threads done a half, and both at the same time? A thread that waits for the
 * device with its results under way is held up until another one has begun, too. By atomics only: a lock of the harness's would order
 * the student's threads.
 */
#ifndef LAB05_HALVES_H
#define LAB05_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define HALVES_THREADS 16
/** How long a thread is held up for another one that should have begun. */
#define HALVES_MS 1000

static struct {
    int call; /**< which one it is; 0: nobody is looked at */
    int threads,
        begun; /**< that have been seen; that have brought data to the device, or launched */
    size_t out[HALVES_THREADS];         /**< bytes that copies of each have brought back */
    const void *stream[HALVES_THREADS]; /**< that brought the first of them */
    int tables, waits; /**< copies of the table to the device; waits of streams for events */
    bool alone;        /**< one had its results before another began */
} halves_state;

/** Of the calling thread. */
static __thread struct {
    int call, number;
    bool begun;
} halves_mine;

static bool halves_seen(void)
{
    int call = __atomic_load_n(&halves_state.call, __ATOMIC_RELAXED);
    if (call && halves_mine.call != call) {
        halves_mine.call = call;
        halves_mine.number = __atomic_fetch_add(&halves_state.threads, 1, __ATOMIC_RELAXED);
        halves_mine.begun = false;
    }
    return call && halves_mine.number < HALVES_THREADS;
}

/** The thread has given the device data, or work, of its halves_mine. */
static void halves_begin(void)
{
    if (!halves_seen() || halves_mine.begun)
        return;
    halves_mine.begun = true;
    __atomic_fetch_add(&halves_state.begun, 1, __ATOMIC_RELAXED);
}

/** Results are on their way, in `stream`; `each_thread`: every thread has another one under that name. */
static void halves_bring(size_t bytes, const void *stream, bool each_thread)
{
    if (!halves_seen())
        return;
    size_t *out = &halves_state.out[halves_mine.number];
    if (!*out)
        halves_state.stream[halves_mine.number] = each_thread ? (const void *)out : stream;
    *out += bytes;
}

static void halves_count(int *counter)
{
    if (halves_seen())
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/** The thread is going to wait for the device. */
static void halves_wait(void)
{
    static bool
        impatient; /* once another one has not come in time, nobody is waited for any more */
    if (!halves_seen() || !halves_state.out[halves_mine.number])
        return;
    for (int i = 0; __atomic_load_n(&halves_state.begun, __ATOMIC_RELAXED) < 2; i++) {
        if (impatient || i == HALVES_MS) {
            impatient = halves_state.alone = true;
            return;
        }
        usleep(1000);
    }
}

/** From now on threads are looked at; with 0 no longer. */
static void halves_watch(int call)
{
    __builtin_memset(&halves_state, 0, sizeof halves_state);
    __atomic_store_n(&halves_state.call, call, __ATOMIC_RELAXED);
}

/** Have two threads brought back a quarter of `bytes` each, or more? */
static bool halves_shared(size_t bytes)
{
    int sharing = 0;
    for (int i = 0; i < HALVES_THREADS; i++)
        sharing += 4 * halves_state.out[i] >= bytes;
    return sharing >= 2;
}

/** Do all that bring something back do so in a stream of their own? */
static bool halves_apart(void)
{
    for (int i = 0; i < HALVES_THREADS; i++)
        for (int k = 0; k < i; k++)
            if (halves_state.out[i] && halves_state.out[k] &&
                halves_state.stream[i] == halves_state.stream[k])
                return false;
    return true;
}

#endif
