// verdict: out-of-bounds @1
// The lecture's example as it stands: `size` is in bytes, and int pointers are moved by it, and the kernel
// is told that there are so many elements. Nobody looks at an error, and nobody waits.

#include <cstddef>

#define BLOCKS 100
#define THREADS 512

__global__ void transform(int *out, const int *in, size_t n, int rounds)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned x = in[i]; // @1
        for (int r = 1; r <= rounds; r++) {
            x = (x ^ x >> 16) * 0x7feb352du;
            x = (x ^ x >> 15) * 0x846ca68bu + r;
        }
        out[i] = (int)x;
    }
}

extern "C" void *host_alloc(size_t bytes)
{
    void *p;
    return cudaMallocHost(&p, bytes) == cudaSuccess ? p : nullptr;
}

extern "C" void host_free(void *p)
{
    cudaFreeHost(p);
}

extern "C" cudaError_t halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                              int rounds)
{
    size_t size = n / 2 * sizeof(int);
    cudaStream_t stream[2];
    for (int i = 0; i < 2; ++i)
        cudaStreamCreate(&stream[i]);
    for (int i = 0; i < 2; ++i) {
        cudaMemcpyAsync(dev_in + i * size, in + i * size, size, cudaMemcpyHostToDevice, stream[i]);
        transform<<<100, 512, 0, stream[i]>>>(dev_out + i * size, dev_in + i * size, size, rounds);
        cudaMemcpyAsync(out + i * size, dev_out + i * size, size, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < 2; ++i)
        cudaStreamDestroy(stream[i]);
    return cudaSuccess;
}

// The other parts are left out.
extern "C" cudaError_t pipeline(int *, const int *, size_t, int, size_t, int)
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t fork_join(int *, int *, int *, size_t, int, cudaStream_t, cudaStream_t)
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t consume_ready(const cudaStream_t *, int, void (*)(int))
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t beside_library(int *, const int *, int *, int *, size_t, const unsigned *, size_t,
                                      int, void (*)(size_t))
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t from_pageable(int *, int *, size_t, int, size_t, int)
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t two_threads(int *, const int *, const unsigned *, int *, int *, unsigned *,
                                   size_t)
{
    return cudaErrorNotYetImplemented;
}
