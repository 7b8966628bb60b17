/**
 * @file calls.c
 * The calls of calls.def: arguments in, the runtime's own function, results out. What a pointer
 * pointed to before the call goes in and out, so that a call which leaves it alone leaves it alone.
 */
#include <string.h>

#include "remote/arguments.h"
#include "remote/server/server.h"

cudaError_t cudaProfilerStart(void); /* cuda_profiler_api.h is not in every toolkit */
cudaError_t cudaProfilerStop(void);

#define TAKE_VAL(type, name)                                                                       \
    type name;                                                                                     \
    request_take(r, &name, sizeof name);
#define TAKE_OUT(type, name)                                                                       \
    uint8_t name##_there;                                                                          \
    type name##_value;                                                                             \
    request_take(r, &name##_there, 1);                                                             \
    request_take(r, &name##_value, sizeof name##_value);
#define TAKE_IN TAKE_OUT
#define PASS_IN PASS_OUT
#define GIVE_IN GIVE_OUT
#define PASS_VAL(type, name) name
#define PASS_OUT(type, name) name##_there ? &name##_value : NULL
#define GIVE_VAL(type, name)
#define GIVE_OUT(type, name) reply_give(o, &name##_value, sizeof name##_value);

#define CALL(name, ...)                                                                            \
    static cudaError_t serve_##name(struct request *r, struct reply *o)                            \
    {                                                                                              \
        (void)o;                                                                                   \
        EACH(TAKE, __VA_ARGS__)                                                                    \
        if (!request_whole(r))                                                                     \
            return cudaErrorInvalidValue;                                                          \
        cudaError_t e = name(JOIN(PASS, __VA_ARGS__));                                             \
        EACH(GIVE, __VA_ARGS__)                                                                    \
        return e;                                                                                  \
    }
#define CALL0(name)                                                                                \
    static cudaError_t serve_##name(struct request *r, struct reply *o)                            \
    {                                                                                              \
        (void)o;                                                                                   \
        return request_whole(r) ? name() : cudaErrorInvalidValue;                                  \
    }
#define WRAPPED CALL
#define WRAPPED0 CALL0
#include "remote/calls.def"
#undef CALL
#undef CALL0

serve_function *serve_table_call(uint32_t id)
{
    static serve_function *const table[WIRE_COUNT] = {
#define CALL(name, ...) [WIRE_##name] = serve_##name,
#define CALL0(name) [WIRE_##name] = serve_##name,
#include "remote/calls.def"
    };
    return table[id];
}

/* ---- what is not there ---- */

static const char *const missing[] = {
#define NOT_SUPPORTED(name) #name,
#include "remote/missing.def"
};

cudaError_t serve_missing(struct request *r, struct reply *o)
{
    uint32_t number;
    (void)o;
    request_take(r, &number, sizeof number);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    bool known = number < sizeof missing / sizeof missing[0];
    cudaError_t e = runtime_enter(); /* for the findings file */
    if (!e || e == cudaErrorNotPermitted)
        e = runtime_unsupported(known ? missing[number] : "a call of no number");
    return runtime_leave(e);
}
