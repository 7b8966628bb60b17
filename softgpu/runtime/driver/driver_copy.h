/**
 * @file driver_copy.h
 * Boxes of memory and arrays, between the two APIs' ways to describe them.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_COPY_H
#define SOFTGPU_RUNTIME_DRIVER_COPY_H

#include "runtime/driver/driver.h"

/** An element of one, two or four channels, as the Runtime API says it. @return false where there is none such */
bool driver_format(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *out);
/** The reverse. */
CUarray_format driver_format_name(const struct cudaChannelFormatDesc *d);
unsigned driver_format_channels(const struct cudaChannelFormatDesc *d);
CUresult driver_box(const CUDA_MEMCPY3D *p, struct cudaMemcpy3DParms *out);
CUDA_MEMCPY3D driver_box_back(const struct cudaMemcpy3DParms *p);

#endif
