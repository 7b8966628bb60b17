/**
 * @file calls.c
 * The calls that api.def says are sent: arguments out, results in. Then twins, and those that are not there.
 */
#include "host/call_site.h"
#include "remote/client/client.h"
#include "runtime/host_runtime.h"

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
#define PUT_OUTS(type, name, count)                                                                \
    size_t name##_bytes = name ? call_array_bytes(&c, (size_t)(count), sizeof(type)) : 0;          \
    size_t name##_at = call_put_array(&c, name, name##_bytes);
#define PUT_INS(type, name, count)                                                                 \
    call_put_array(&c, name, name ? call_array_bytes(&c, (size_t)(count), sizeof(type)) : 0);
#define PUT_LIST(type, name, count) PUT_OUTS(type, name, count ? *count : 0)
#define PUT_STRING(type, name) call_put_string(&c, name);
#define GET_VAL(type, name)
#define GET_OUTS(type, name, count) call_get_array(&c, name, name##_at, name##_bytes);
#define GET_INS(type, name, count)
#define GET_LIST GET_OUTS
#define GET_STRING GET_VAL
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

/** Do programs call it through a typed template of the toolkit's? */
static inline bool has_template(enum wire_id id)
{
    return id == WIRE_cudaMalloc || id == WIRE_cudaMallocAsync || id == WIRE_cudaMallocFromPoolAsync || id == WIRE_cudaMallocPitch ||
           id == WIRE_cudaEventCreateWithFlags || id == WIRE_cudaFuncSetAttribute || id == WIRE_cudaGetSymbolAddress ||
           id == WIRE_cudaGetSymbolSize || id == WIRE_cudaFuncGetAttributes || id == WIRE_cudaHostGetDevicePointer ||
           id == WIRE_cudaStreamAttachMemAsync;
}

/* The server's runtime makes the call; its results come back even where it failed. */
#define BODY(name, site, ...)                                                                      \
    {                                                                                              \
        struct call c;                                                                             \
        call_begin(&c, WIRE_##name, site);                                                         \
        EACH(PUT, __VA_ARGS__)                                                                     \
        cudaError_t e = call_do(&c);                                                               \
        EACH(GET, __VA_ARGS__)                                                                     \
        call_end(&c);                                                                              \
        return e;                                                                                  \
    }
#define SENT(name, ...)                                                                            \
    EXPORT cudaError_t name(JOIN(PARAMETER, __VA_ARGS__))                                          \
        BODY(name, has_template(WIRE_##name) ? CALL_SITE_THROUGH(1) : __builtin_return_address(0), __VA_ARGS__)
#define WRAPPED(name, ...) FORWARD(name, __VA_ARGS__) BODY(name, site, __VA_ARGS__)
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_SENT_##remote(SENT(name, __VA_ARGS__)) IF_WRAPPED_##remote(WRAPPED(name, __VA_ARGS__))
#include "runtime/api.def"
#undef API

/* ---- stream 0 of each thread's own: as the plain ones, with a flag ---- */

#define PER_THREAD(name, twin, ...)                                                                \
    EXPORT cudaError_t twin(JOIN(PARAMETER, __VA_ARGS__));                                         \
    cudaError_t twin(JOIN(PARAMETER, __VA_ARGS__))                                                 \
    {                                                                                              \
        per_thread_default = true;                                                                 \
        entry_site = __builtin_return_address(0);                                                  \
        cudaError_t e = name(JOIN(NAME, __VA_ARGS__));                                             \
        entry_site = NULL;                                                                         \
        per_thread_default = false;                                                                \
        return e;                                                                                  \
    }
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_RUNS_##here(TWIN_##twin(PER_THREAD, name, __VA_ARGS__))
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old forms exist here, too */
#include "runtime/api.def"
#undef API

/* ---- what is not there: the server names it, and says so in the findings ---- */

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
#define NOT_SUPPORTED_TWIN(name, twin, ...) NOT_SUPPORTED(twin)
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_MISSING_##remote(NOT_SUPPORTED(name)                                                        \
                            IF_REFUSED_##here(TWIN_##twin(NOT_SUPPORTED_TWIN, name, )))
#include "runtime/api.def"
