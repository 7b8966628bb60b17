/**
 * @file not_supported.c
 * Stands in for every symbol of the real library that softgpu does not implement, so that a
 * program which only links it, or can do without, still runs. Made from api.def.
 */
#include "runtime/api_rows.h"
#include "runtime/state/runtime.h"

/* The header's prototypes differ from stub to stub; callers pass their arguments in vain. */
#define NOT_SUPPORTED(name)                                                                        \
    EXPORT cudaError_t stub_##name(void) __asm__(#name);                                           \
    cudaError_t stub_##name(void)                                                                  \
    {                                                                                              \
        runtime_enter_light();                                                                     \
        return runtime_leave(runtime_unsupported(#name));                                          \
    }
#define NOT_SUPPORTED_TWIN(name, twin, ...) NOT_SUPPORTED(twin)
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_REFUSED_##here(NOT_SUPPORTED(name) TWIN_##twin(NOT_SUPPORTED_TWIN, name, ))
#include "runtime/state/entry.h"
#include "runtime/api.def"
