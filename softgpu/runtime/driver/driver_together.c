/**
 * @file driver_together.c
 * cuLaunchCooperativeKernelMultiDevice(): one cooperative kernel on each of several devices. Its launches begin when all streams have
 * come so far, and what the streams get next waits for all of them, unless the flags say otherwise.
 */
#include "runtime/driver/driver.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* which it is */

#define PRE CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC
#define POST CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC

/** What is alike in all launches: the shape. Streams are real ones, each on a device of its own. */
static CUresult check(const CUDA_LAUNCH_PARAMS *list, unsigned count, unsigned flags)
{
    if (!list || !count || (flags & ~(unsigned)(PRE | POST)))
        return CUDA_ERROR_INVALID_VALUE;
    unsigned seen = 0;
    for (unsigned i = 0; i < count; i++) {
        const CUDA_LAUNCH_PARAMS *p = &list[i], *first = &list[0];
        int device;
        if (!p->hStream || p->hStream == CU_STREAM_LEGACY || p->hStream == CU_STREAM_PER_THREAD)
            return CUDA_ERROR_INVALID_HANDLE;
        if (p->gridDimX != first->gridDimX || p->gridDimY != first->gridDimY || p->gridDimZ != first->gridDimZ ||
            p->blockDimX != first->blockDimX || p->blockDimY != first->blockDimY || p->blockDimZ != first->blockDimZ ||
            p->sharedMemBytes != first->sharedMemBytes)
            return CUDA_ERROR_INVALID_VALUE;
        cudaError_t e = cudaStreamGetDevice(p->hStream, &device);
        if (e)
            return driver_result(e);
        if (seen >> device & 1)
            return CUDA_ERROR_INVALID_DEVICE;
        seen |= 1u << device;
    }
    return CUDA_SUCCESS;
}

/** Each stream waits for what all have been given. */
static cudaError_t meet(const CUDA_LAUNCH_PARAMS *list, unsigned count)
{
    int before = 0, device;
    cudaError_t e = cudaGetDevice(&before);
    for (unsigned i = 0; i < count && !e && count > 1; i++) {
        cudaEvent_t event;
        e = cudaStreamGetDevice(list[i].hStream, &device) ?: cudaSetDevice(device);
        if (!e)
            e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        if (e)
            break;
        e = cudaEventRecord(event, list[i].hStream);
        for (unsigned k = 0; k < count && !e; k++)
            if (k != i)
                e = cudaStreamWaitEvent(list[k].hStream, event, 0);
        cudaEventDestroy(event);
    }
    cudaSetDevice(before);
    return e;
}

static CUresult launch(CUDA_LAUNCH_PARAMS *list, unsigned count, unsigned flags)
{
    CUresult r = check(list, count, flags);
    if (!r && !(flags & PRE))
        r = driver_result(meet(list, count));
    for (unsigned i = 0; i < count && !r; i++) {
        const CUDA_LAUNCH_PARAMS *p = &list[i];
        r = driver_result(cudaLaunchCooperativeKernel(p->function, (dim3){p->gridDimX, p->gridDimY, p->gridDimZ},
                                                      (dim3){p->blockDimX, p->blockDimY, p->blockDimZ}, p->kernelParams,
                                                      p->sharedMemBytes, p->hStream));
    }
    return !r && !(flags & POST) ? driver_result(meet(list, count)) : r;
}

CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *list, unsigned count, unsigned flags)
{
    DRIVER(launch(list, count, flags));
}
