/**
 * @file calls.c
 * The calls of calls.def: arguments out, results in. Then those that are not there.
 */
#include "remote/client/client.h"

cudaError_t cudaProfilerStart(void); /* cuda_profiler_api.h is not in every toolkit */
cudaError_t cudaProfilerStop(void);

#define PUT_VAL(type, name) call_put(&c, &name, sizeof name);
#define PUT_OUT(type, name)                                                                        \
    {                                                                                              \
        uint8_t there = name != NULL;                                                              \
        static type nothing;                                                                 \
        call_put(&c, &there, 1);                                                                   \
        call_put(&c, there ? name : &nothing, sizeof *name);                                       \
    }
#define PUT_IN PUT_OUT
#define GET_VAL(type, name)
#define GET_IN(type, name)                                                                         \
    {                                                                                              \
        type got;                                                                                  \
        call_get(&c, &got, sizeof got);                                                            \
    }
#define GET_OUT(type, name)                                                                        \
    {                                                                                              \
        type got;                                                                                  \
        if (name) {                                                                                \
            got = *name;                                                                           \
            call_get(&c, &got, sizeof got);                                                        \
            *name = got;                                                                           \
        } else {                                                                                   \
            call_get(&c, &got, sizeof got);                                                        \
        }                                                                                          \
    }

#define BODY(name, site, ...)                                                                      \
    {                                                                                              \
        struct call c;                                                                             \
        call_begin(&c, WIRE_##name, site);                                                         \
        EACH(PUT, __VA_ARGS__)                                                                     \
        cudaError_t e = call_do(&c);                                                               \
        EACH(GET, __VA_ARGS__)                                                                     \
        return e;                                                                                  \
    }
#define BODY0(name, site)                                                                          \
    {                                                                                              \
        struct call c;                                                                             \
        call_begin(&c, WIRE_##name, site);                                                         \
        return call_do(&c);                                                                        \
    }
#define CALL(name, ...)                                                                            \
    EXPORT cudaError_t name(JOIN(PARAMETER, __VA_ARGS__))                                          \
        BODY(name, __builtin_return_address(0), __VA_ARGS__)
#define CALL0(name) EXPORT cudaError_t name(void) BODY0(name, __builtin_return_address(0))
#define WRAPPED(name, ...)                                                                         \
    cudaError_t forward_##name(const void *site, JOIN(PARAMETER, __VA_ARGS__))                     \
        BODY(name, site, __VA_ARGS__)
#define WRAPPED0(name) cudaError_t forward_##name(const void *site) BODY0(name, site)
#include "remote/calls.def"

/* ---- stream 0 of each thread's own: as the plain ones, with a flag ---- */

#define PER_THREAD(suffix, name, parameters, arguments)                                            \
    EXPORT cudaError_t name##_##suffix parameters;                                                 \
    cudaError_t name##_##suffix parameters                                                         \
    {                                                                                              \
        per_thread_default = true;                                                                 \
        entry_site = __builtin_return_address(0);                                                  \
        cudaError_t e = name arguments;                                                            \
        entry_site = NULL;                                                                         \
        per_thread_default = false;                                                                \
        return e;                                                                                  \
    }
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old forms exist here, too */
#include "runtime/stream/per_thread.def"

/* ---- what is not there: the server names it, and says so in the findings ---- */

enum {
#define NOT_SUPPORTED(name) MISSING_##name,
#include "remote/missing.def"
#undef NOT_SUPPORTED
};

static cudaError_t missing(uint32_t number, const void *site)
{
    struct call c;
    call_begin(&c, WIRE_MISSING, site);
    call_put(&c, &number, sizeof number);
    return call_do(&c);
}

/* The header's prototypes differ from stub to stub; callers pass their arguments in vain. */
#define NOT_SUPPORTED(name)                                                                        \
    EXPORT cudaError_t stub_##name(void) __asm__(#name);                                           \
    cudaError_t stub_##name(void)                                                                  \
    {                                                                                              \
        return missing(MISSING_##name, __builtin_return_address(0));                               \
    }
#include "remote/missing.def"
