/**
 * @file driver.h
 * The parts of the Driver API that programs reach through cudaGetDriverEntryPoint().
 *
 * They are thin: each calls the runtime function of the same meaning. Nothing here is exported;
 * cuda.h gives the prototypes.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_H
#define SOFTGPU_RUNTIME_DRIVER_H

#include <cuda.h>

#include "runtime/state/runtime.h"

/** The Driver API's code for a runtime error: the numbers agree but for launch shapes and the like. */
static inline CUresult driver_result(cudaError_t e)
{
    switch (e) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidSymbol:
        return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        return (CUresult)e;
    }
}

/** The function `name` (cuInit, …), NULL if it is not there. */
void *driver_lookup(const char *name);

#endif
