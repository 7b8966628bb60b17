/**
 * @file calls.c
 * The calls that api.def says are sent: arguments in, the runtime's own function, results out. What a pointer
 * pointed to before the call goes in and out, so that a call which leaves it alone leaves it alone.
 */
#include <string.h>

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
#define PASS_NONE
#define PASS_VAL(type, name) name
#define PASS_OUT(type, name) name##_there ? &name##_value : NULL
#define GIVE_VAL(type, name)
#define GIVE_OUT(type, name) reply_give(o, &name##_value, sizeof name##_value);

#define SERVE(name, ...)                                                                           \
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
#define API(name, since, twin, here, remote, ...) IF_WIRED_##remote(SERVE(name, __VA_ARGS__))
#include "runtime/api.def"
#undef API

serve_function *serve_table_call(uint32_t id)
{
    static serve_function *const table[WIRE_COUNT] = {
#define API(name, since, twin, here, remote, ...) IF_WIRED_##remote([WIRE_##name] = serve_##name, )
#include "runtime/api.def"
#undef API
    };
    return table[id];
}

/* ---- what is not there ---- */

static const char *const missing[] = {
#define NAME_OF_TWIN(name, twin, ...) #twin,
#define API(name, since, twin, here, remote, ...)                                                  \
    IF_MISSING_##remote(#name, IF_REFUSED_##here(TWIN_##twin(NAME_OF_TWIN, name, )))
#include "runtime/api.def"
#undef API
};

cudaError_t serve_missing(struct request *r, struct reply *o)
{
    uint32_t number;
    (void)o;
    request_take(r, &number, sizeof number);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    cudaError_t e = runtime_enter(); /* for the findings file */
    if (!e || e == cudaErrorNotPermitted)
        e = runtime_unsupported(number < MISSING_COUNT ? missing[number] : "a call of no number");
    return runtime_leave(e);
}
