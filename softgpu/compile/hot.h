/**
 * @file hot.h
 * Private to compile/: functions that have proved hot are compiled.
 */
#ifndef SOFTGPU_COMPILE_HOT_H
#define SOFTGPU_COMPILE_HOT_H

#include "code/image.h"

/** A launch begins on this thread: what it has computed since its last one is no launch's. */
void hot_begins(void);
/** So many more warp instructions of the kernel have been executed: if that makes it hot, has it compiled meanwhile. Any of the threads
 *  that run it; cheap. */
void hot_ran(struct function *kernel, uint64_t instructions);
/** It has been compiled: nobody need count any more. */
void hot_no_more(struct function *kernel);

#endif
