/**
 * @file small_objects.h
 * Before decoding: atomics of one and two bytes that a library makes of wider ones.
 */
#ifndef SOFTGPU_DECODE_SMALL_OBJECTS_H
#define SOFTGPU_DECODE_SMALL_OBJECTS_H

#include "parse/module.h"

/** Where wider atomics stand for one of a byte, or of two, they become what they stand for. For the checks: what a program computes stays the same. */
void small_objects_take(struct ptx_module *m);
#endif
