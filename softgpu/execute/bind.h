/**
 * @file bind.h
 * From what an instruction is to the function that runs it.
 */
#ifndef SOFTGPU_EXECUTE_BIND_H
#define SOFTGPU_EXECUTE_BIND_H

#include "code/image.h"

/**
 * Chooses the handler of every instruction: once, before the image runs.
 * @param checked  choose the observed variants of memory operations
 */
void image_bind(struct image *im, bool checked);

#endif
