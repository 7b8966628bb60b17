/**
 * @file host_runtime.h
 * What the code that nvcc puts into a program calls: before main(), and for <<<>>>. The prototypes are
 * those of crt/host_runtime.h, which is for C++ programs only.
 */
#ifndef SOFTGPU_RUNTIME_HOST_RUNTIME_H
#define SOFTGPU_RUNTIME_HOST_RUNTIME_H

#include "runtime/api.h"

EXPORT void **__cudaRegisterFatBinary(void *wrapper);
EXPORT void __cudaRegisterFatBinaryEnd(void **handle);
EXPORT void __cudaUnregisterFatBinary(void **handle);
EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device,
                                   const char *name, int thread_limit, uint3 *tid, uint3 *bid,
                                   dim3 *block, dim3 *grid, int *warp);
EXPORT void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
EXPORT void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                                     int ext, size_t size, int constant, int global);
EXPORT void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size);
EXPORT char __cudaInitModule(void **handle);
EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                              void *stream);
EXPORT cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                      size_t shared, cudaStream_t stream);

#endif
