/**
 * @file per_thread.c
 * The entry points with suffix _ptsz and _ptds: as the plain ones, but stream 0 is the calling
 * thread's own (nvcc -default-stream per-thread). Made from api.def.
 */
#include "runtime/api_rows.h"
#include "runtime/host_runtime.h"
#include "runtime/state/runtime.h"

#define PER_THREAD(name, twin, ...)                                                                \
    EXPORT cudaError_t twin(JOIN(PARAMETER, __VA_ARGS__));                                         \
    cudaError_t twin(JOIN(PARAMETER, __VA_ARGS__))                                                 \
    {                                                                                              \
        runtime_thread()->per_thread_default = true;                                               \
        runtime_thread()->outer_call = __builtin_return_address(0);                                \
        runtime_thread()->outer_frame = (void *const *)__builtin_frame_address(0);                 \
        cudaError_t e = name(JOIN(NAME, __VA_ARGS__));                                             \
        runtime_thread()->outer_call = NULL;                                                       \
        runtime_thread()->outer_frame = NULL;                                                      \
        runtime_thread()->per_thread_default = false;                                              \
        return e;                                                                                  \
    }
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_RUNS_##here(TWIN_##twin(PER_THREAD, name, __VA_ARGS__))
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old forms exist here, too */
#include "runtime/state/host_thread.h"
#include "runtime/api.def"
