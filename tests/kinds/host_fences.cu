// Every thread fences at system scope, and one signals behind the barrier, or has seen the host's signal before it. In PTX only another
// fence.sc makes that an order; the processor keeps its loads in order among themselves, and its stores: as if one stood between.
//
// also --remote
//
// case told expect=silent
// case told_managed expect=silent
// case told_device_fence expect=missing-release
// case told_unfenced expect=missing-release
// case told_early expect=missing-release
// case heard expect=silent
// case heard_managed expect=silent
// case heard_device_fence expect=missing-acquire
// case heard_unfenced expect=missing-acquire
// case heard_early expect=silent
#include "check.h"
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 64, FLAG = 64, WORDS = 128 };
enum fences { SYSTEM, DEVICE, NONE, EARLY };

__device__ void fence(int which)
{
    if (which == SYSTEM)
        __threadfence_system();
    else if (which == DEVICE)
        __threadfence();
}

__global__ void tell(int *words, int which)
{
    fence(which == EARLY ? SYSTEM : NONE);
    words[threadIdx.x] = threadIdx.x + 1; // told_device_fence told_unfenced told_early
    fence(which);
    __syncthreads();
    if (threadIdx.x == 0)
        *(volatile int *)&words[FLAG] = 1;
}
__global__ void hear(int *words, int *out, int which)
{
    if (threadIdx.x == THREADS - 1)
        while (*(volatile int *)&words[FLAG] == 0)
            ;
    fence(which == EARLY ? SYSTEM : NONE);
    __syncthreads();
    fence(which);
    out[threadIdx.x] = words[threadIdx.x]; // heard_device_fence heard_unfenced
}

int main(int argc, char **argv)
{
    int *words, *out;
    CHECK(argc == 2 && cudaMalloc(&out, THREADS * sizeof(int)) == cudaSuccess);
    bool managed = strstr(argv[1], "_managed");
    CHECK((managed ? cudaMallocManaged(&words, WORDS * sizeof(int)) : cudaMallocHost(&words, WORDS * sizeof(int))) == cudaSuccess);
    int which = strstr(argv[1], "_device_fence") ? DEVICE : strstr(argv[1], "_unfenced") ? NONE : strstr(argv[1], "_early") ? EARLY : SYSTEM;
    memset(words, 0, WORDS * sizeof(int));
    if (!strncmp(argv[1], "told", 4)) {
        tell<<<1, THREADS>>>(words, which);
        while (__atomic_load_n(&words[FLAG], __ATOMIC_ACQUIRE) == 0)
            ;
        int sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += words[i];
        CHECK(which != SYSTEM || sum == THREADS * (THREADS + 1) / 2);
    } else {
        hear<<<1, THREADS>>>(words, out, which);
        for (int i = 0; i < THREADS; i++)
            words[i] = i;
        __atomic_store_n(&words[FLAG], 1, __ATOMIC_RELEASE);
    }
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    cudaFree(out);
    managed ? cudaFree(words) : cudaFreeHost(words);
    return 0;
}
