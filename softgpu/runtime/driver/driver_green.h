/**
 * @file driver_green.h
 * Private to the Driver API's files: green contexts, as others see them.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_GREEN_H
#define SOFTGPU_RUNTIME_DRIVER_GREEN_H

#include "runtime/driver/driver.h"

/** The green context of a stream, NULL if it has none or is none. */
CUgreenCtx green_of(CUstream stream);
/** Waits for all work of a context: a green one's streams, or the device. */
CUresult green_synchronize(CUcontext handle);

#endif
