/**
 * @file per_thread.c
 * The entry points with suffix _ptsz and _ptds: as the plain ones, but stream 0 is the calling
 * thread's own (nvcc -default-stream per-thread).
 */
#include "runtime/runtime.h"

#define PER_THREAD(suffix, name, parameters, arguments)                                            \
    EXPORT cudaError_t name##_##suffix parameters;                                                 \
    cudaError_t name##_##suffix parameters                                                         \
    {                                                                                              \
        runtime_thread()->per_thread_default = true;                                               \
        runtime_thread()->outer_call = __builtin_return_address(0);                                \
        cudaError_t e = name arguments;                                                            \
        runtime_thread()->outer_call = NULL;                                                       \
        runtime_thread()->per_thread_default = false;                                              \
        return e;                                                                                  \
    }
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old forms exist here, too */
#include "runtime/stream/per_thread.def"
