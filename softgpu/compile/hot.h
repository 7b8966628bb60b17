/**
 * @file hot.h
 * Private to compile/: functions that have proved hot are compiled by a thread of its own while they are interpreted.
 */
#ifndef SOFTGPU_COMPILE_HOT_H
#define SOFTGPU_COMPILE_HOT_H

#include "code/image.h"

/** So many more warp instructions of the kernel have been executed. Any thread; cheap. */
void hot_ran(struct function *kernel, uint64_t instructions);
/** The image goes: none of its functions is, or will be, compiled any more. */
void hot_forget(const struct image *im);

#endif
