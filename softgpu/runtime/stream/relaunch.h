/**
 * @file relaunch.h
 * Launches that run more than once: from the runtime to rerun/.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_RELAUNCH_H
#define SOFTGPU_RUNTIME_STREAM_RELAUNCH_H

#include <stdbool.h>
#include <stdio.h>

struct operation;

/** Whether each launch runs more than once. */
bool relaunch_wanted(void);
/** Runs a kernel that is alone in all schedules, from the same memory, to the operation's end. */
void relaunch_run(struct operation *op);
/** The same, with all kernels that may communicate with it (together.h). @return false if there is none: nothing has run */
bool relaunch_together(struct operation *op);
/** Lets a debugger watch the machine, if there is one. */
void relaunch_debug(void);
/** The stream for device printf: stdout, or one that relaunch.c can mute. */
FILE *relaunch_output(void);

#endif
