/**
 * @file driver_kept.h
 * Private to runtime/driver/: what functions keep for launches of the kind that CUDA had before version 4.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_KEPT_H
#define SOFTGPU_RUNTIME_DRIVER_KEPT_H

#include "runtime/driver/driver.h"

/** cuLaunchKernel() has launched `function` so: that is what it keeps from now on, if it keeps anything. */
void driver_keep_launch(const void *function, dim3 block, unsigned shared, void **args);

#endif
