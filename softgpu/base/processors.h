/**
 * @file processors.h
 * The host's processors: how many this process may use, and threads that begin on one of their own.
 */
#ifndef SOFTGPU_BASE_PROCESSORS_H
#define SOFTGPU_BASE_PROCESSORS_H

#include <pthread.h>
#include <stdbool.h>

/** Processors that the calling thread may run on (taskset, a container's set), at least 1. */
int processors_allowed(void);

/**
 * Starts helper number @p index (from 0) of @p count that work beside the calling thread at once.
 *
 * A new thread may be put on its creator's processor and wait there until that one's time is over (milliseconds, on some
 * kernels also where another processor idles): so it begins on one of the others, a part of them for each
 * helper. From its start on it may run on all that the caller may.
 * @return as pthread_create() does: 0, or an errno
 */
int thread_beside(pthread_t *thread, int index, int count, void *(*work)(void *), void *arg);

/** The processor that the caller is on; -1: nobody knows. */
int processor_here(void);
/** The same for a process's own start: moves the caller, helper number @p index of @p count, away from @p here, its creator's. */
void process_beside(int here, int index, int count);

#endif
