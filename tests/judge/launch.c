/**
 * @file launch.c
 * The child: loads a .ptx, gives the kernel three zeroed buffers, launches, waits.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "judge.h"

#define BUFFER_BYTES (65536u * 4u)
#define SHARED_WITHOUT_ASKING 49152
#define HOST_SECONDS 300 /* in case it hangs, not to see how fast it is */

static bool failed(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        printf("%s: %s\n", what, cudaGetErrorName(e));
    return e != cudaSuccess;
}

static bool launch(cudaLibrary_t library, const char *name, const struct judge_case *c, void **args, cudaStream_t stream)
{
    cudaKernel_t kernel;
    if (failed(cudaLibraryGetKernel(&kernel, library, name), name))
        return false;
    dim3 grid = {(unsigned)c->grid, 1, 1}, block = {(unsigned)c->block, 1, 1};
    size_t shared = (size_t)c->shared;
    if (shared > SHARED_WITHOUT_ASKING &&
        failed(cudaFuncSetAttribute((const void *)kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, c->shared),
               "shared memory"))
        return false;
    cudaError_t e =
        c->cooperative
            ? cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared, stream)
            : cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
    return !failed(e, "launch");
}

static bool get_buffer(const struct judge_case *c, void **buffer)
{
    if (!c->mapped)
        return !failed(cudaMalloc(buffer, BUFFER_BYTES), "cudaMalloc") &&
               !failed(cudaMemset(*buffer, 0, BUFFER_BYTES), "cudaMemset");
    if (failed(cudaHostAlloc(buffer, BUFFER_BYTES, cudaHostAllocMapped), "cudaHostAlloc"))
        return false;
    memset(*buffer, 0, BUFFER_BYTES);
    return true;
}

/** The host's part: sends x[0], waits for the kernel's answer. */
static bool converse(volatile int *x, unsigned *flag)
{
    time_t end = time(NULL) + HOST_SECONDS;
    *x = 42;
    __atomic_store_n(&flag[0], 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&flag[1], __ATOMIC_ACQUIRE) == 0) {
        if (time(NULL) > end) {
            printf("the kernel does not answer\n");
            return false;
        }
    }
    return true;
}

int launch_case(const char *ptx, const struct judge_case *c)
{
    cudaLibrary_t library;
    void *buffers[3];
    int n = c->n;
    if (failed(cudaLibraryLoadFromFile(&library, ptx, NULL, NULL, 0, NULL, NULL, 0), ptx))
        return 2;
    for (int i = 0; i < 3; i++)
        if (!get_buffer(c, &buffers[i]))
            return 2;
    void *args[4] = {&buffers[0], &buffers[c->alias ? 0 : 1], &buffers[2], &n};
    cudaStream_t other = NULL;
    if (c->beside[0] && failed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "another stream"))
        return 2;
    if (c->beside[0] && failed(cudaDeviceSynchronize(), "the buffers")) /* the other stream does not wait for them */
        return 2;
    if (!launch(library, c->name, c, args, NULL) || (c->twice && !launch(library, c->name, c, args, NULL)) ||
        (c->then[0] && !launch(library, c->then, c, args, NULL)) || (c->beside[0] && !launch(library, c->beside, c, args, other)))
        return 2;
    if (c->host && !converse(buffers[0], buffers[2]))
        return 2;
    int status = failed(cudaDeviceSynchronize(), "synchronize") ? 1 : 0;
    if (other)
        cudaStreamDestroy(other);
    for (int i = 0; i < 3; i++)
        c->mapped ? cudaFreeHost(buffers[i]) : cudaFree(buffers[i]);
    cudaLibraryUnload(library);
    return status;
}
