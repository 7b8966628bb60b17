/**
 * @file threads.h
 * What the other threads of the process are at.
 */
#ifndef SOFTGPU_BASE_THREADS_H
#define SOFTGPU_BASE_THREADS_H

#include <stdbool.h>

/** Whether a thread of this process but the calling one can run: it waits for nothing but a processor. */
bool threads_other_runs(void);

#endif
