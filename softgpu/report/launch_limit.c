/**
 * @file launch_limit.c
 * The words of the limit that a refused launch is beyond.
 */
#include "report/launch_limit.h"

#include <stdio.h>

void launch_limit_words(const struct launch_limit *limit, char *out, size_t size)
{
    unsigned long long most = limit->most;
    switch (limit->kind) {
    case LIMIT_DIMENSIONS:
        snprintf(out, size, "a grid has at least 1 block and at most 65535 in y and in z; a block has 1 to 1024 threads, at most 64 in z");
        break;
    case LIMIT_THREADS:
        snprintf(out, size, "a block of this kernel has at most %llu threads (__launch_bounds__)", most);
        break;
    case LIMIT_REQUIRED:
        snprintf(out, size, "this kernel says which shape its blocks have");
        break;
    case LIMIT_SHARED:
        snprintf(out, size, "a launch of this kernel has at most %llu bytes of dynamic shared memory (cudaFuncAttributeMaxDynamicSharedMemorySize allows more)",
                 most);
        break;
    case LIMIT_SM:
        snprintf(out, size, "a block of this shape needs more registers or shared memory than an SM has");
        break;
    case LIMIT_COOPERATIVE:
        snprintf(out, size, "a cooperative launch has at most %llu blocks of this shape, which are on the device at once", most);
        break;
    case LIMIT_CLUSTER:
        snprintf(out, size, "a cluster has up to 8 blocks (16 with cudaFuncAttributeNonPortableClusterSizeAllowed), as the kernel says if it does, and "
                            "divides the grid");
    }
}
