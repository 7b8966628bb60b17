/**
 * @file driver_copy.h
 * Boxes of memory and arrays, between the two APIs' ways to describe them.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_COPY_H
#define SOFTGPU_RUNTIME_DRIVER_COPY_H

#include "runtime/driver/driver.h"

CUresult driver_box(const CUDA_MEMCPY3D *p, struct cudaMemcpy3DParms *out);
CUDA_MEMCPY3D driver_box_back(const struct cudaMemcpy3DParms *p);

#endif
