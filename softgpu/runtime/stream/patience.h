/**
 * @file patience.h
 * Private to stream/: how long a launch may stand still while the host has not waited for it.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_PATIENCE_H
#define SOFTGPU_RUNTIME_STREAM_PATIENCE_H

#include "runtime/state/execution.h"

/** Before a round of the engine. `more`: what has been issued and has not begun may still do so. @return whether nobody is left who may do something for the launches while it lasts */
bool patience_round(enum drive drive, bool more);
/** Whether the kernel may look at memory until the host, which does not wait for it, has gone on. */
bool patience_needed(const struct operation *kernel, enum drive drive);
/** The kernel runs in rounds from now on. */
void patience_begins(const struct operation *kernel);
/** Whether the kernel may look at memory until another thread of the program, which is in no call that waits for it, has issued something. */
bool patience_with_others(const struct operation *kernel);
/** Whether a kernel only looks at memory: all that is issued begins, for another thread may have issued what the kernel looks for, and ended since. */
bool patience_stands(void);
/** Until it is called with false, the host goes on whether or not what it drives comes to an end. */
void patience_host_goes_on(bool goes_on);

#endif
