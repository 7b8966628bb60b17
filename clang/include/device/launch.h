/**
 * @file launch.h
 * What clang's code for kernel<<<...>>>() calls, and kernels as typed arguments of the runtime's calls.
 */
#ifndef FENCEPOST_DEVICE_LAUNCH_H
#define FENCEPOST_DEVICE_LAUNCH_H

#include <utility>

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);

template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                             Arguments &&...arguments)
{
    /* Each argument as the kernel's parameter has it. */
    return [&](Parameters... as) {
        void *at[] = {&as..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)kernel, at);
    }(std::forward<Arguments>(arguments)...);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                           cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                                      size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T> static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *to, T *kernel)
{
    return cudaFuncGetAttributes(to, (const void *)kernel);
}
template <class T> static inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
template <class T> static inline cudaError_t cudaMalloc(T **to, size_t bytes) { return cudaMalloc((void **)to, bytes); }
template <class T>
static inline cudaError_t cudaMallocHost(T **to, size_t bytes, unsigned flags = cudaHostAllocDefault)
{
    return cudaHostAlloc((void **)to, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **to, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)to, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **to, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)to, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **to, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)to, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **to, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)to, bytes, stream);
}
template <class T> static inline cudaError_t cudaMallocPitch(T **to, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)to, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                                  cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **to, const T &symbol)
{
    return cudaGetSymbolAddress(to, (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

#endif
