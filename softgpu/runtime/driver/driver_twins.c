/**
 * @file driver_twins.c
 * The Driver API's symbols with suffix _ptsz and _ptds: as the plain ones, but stream 0 is the calling thread's own.
 * Made from driver_api.def.
 */
#define __CUDA_API_VERSION_INTERNAL /* every version by its own name */
#include <cuda.h>

#include "runtime/api_rows.h"
#include "runtime/state/runtime.h"

#define PER_THREAD(symbol, twin, ...)                                                              \
    CUresult twin(JOIN(PARAMETER, __VA_ARGS__));                                                   \
    CUresult twin(JOIN(PARAMETER, __VA_ARGS__))                                                    \
    {                                                                                              \
        struct host_thread *t = runtime_thread();                                                  \
        const void *outer = t->outer_call;                                                         \
        t->per_thread_default = true;                                                              \
        t->outer_call = outer ? outer : __builtin_return_address(0);                               \
        CUresult r = symbol(JOIN(NAME, __VA_ARGS__));                                              \
        t->outer_call = outer;                                                                     \
        t->per_thread_default = false;                                                             \
        return r;                                                                                  \
    }
#define DRIVER_API(symbol, name, since, twin, here, ...)                                           \
    IF_RUNS_##here(TWIN_##twin(PER_THREAD, symbol, __VA_ARGS__))
#include "runtime/state/host_thread.h"
#include "runtime/driver/driver_api.def"
