/**
 * @file calls.c
 * The calls that api.def says are sent: arguments in, the runtime's own function, results out. What a pointer
 * pointed to before the call goes in and out, so that a call which leaves it alone leaves it alone.
 */
#include <string.h>

#include "remote/server/server.h"
#include "runtime/host_runtime.h"
#include "runtime/state/entry.h"

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
#define TAKE_OUTS(type, name, count)                                                               \
    uint8_t name##_there;                                                                          \
    request_take(r, &name##_there, 1);
#define TAKE_INS TAKE_OUTS
#define TAKE_LIST TAKE_OUTS
#define TAKE_STRING(type, name)                                                                    \
    uint64_t name##_bytes;                                                                         \
    request_take(r, &name##_bytes, sizeof name##_bytes);                                           \
    TAKE_OUTS(type, name, )

/* Arrays, once all that may say how long they are is there: they lie in the bulk in their order. */
#define FIND_NONE
#define FIND_VAL(type, name)
#define FIND_OUT FIND_VAL
#define FIND_IN FIND_VAL
#define FIND_OUTS(type, name, count)                                                               \
    type *name##_array = find_array(r, name##_there, (size_t)(count), sizeof(type));
#define FIND_INS FIND_OUTS
#define FIND_LIST(type, name, count) FIND_OUTS(type, name, count##_value)
#define FIND_STRING(type, name)                                                                    \
    const type *name##_array = find_string(r, name##_there, name##_bytes);
#define PASS_OUTS(type, name, count) name##_array
#define PASS_INS PASS_OUTS
#define PASS_LIST PASS_OUTS
#define PASS_STRING(type, name) name##_array
#define GIVE_OUTS(type, name, count) give_arrays(r, o);
#define GIVE_INS(type, name, count)
#define GIVE_LIST GIVE_OUTS
#define GIVE_STRING GIVE_VAL
#define PASS_IN PASS_OUT
#define GIVE_IN GIVE_OUT
#define PASS_NONE
#define PASS_VAL(type, name) name
#define PASS_OUT(type, name) name##_there ? &name##_value : NULL
#define GIVE_VAL(type, name)
#define GIVE_OUT(type, name) reply_give(o, &name##_value, sizeof name##_value);

/** The next array in the bulk; NULL where there is none. The request is bad if it does not fit. */
static void *find_array(struct request *r, bool there, size_t count, size_t each)
{
    static uint64_t empty;
    uint64_t bytes = count <= WIRE_ELEMENTS ? WIRE_ALIGNED(count * each) : UINT64_MAX;
    if (there && bytes > r->head.bulk_bytes - r->found) {
        r->bad = true;
        return NULL;
    }
    void *array = there && bytes ? r->bulk + r->found : there ? (void *)&empty : NULL;
    r->found += there ? bytes : 0;
    return array;
}

static const char *find_string(struct request *r, bool there, uint64_t bytes)
{
    const char *text = find_array(r, there, bytes, 1);
    r->bad |= there && (!bytes || bytes > WIRE_STRING || !text || text[bytes - 1]);
    return text;
}

/** All arrays go back as they are now. */
static void give_arrays(struct request *r, struct reply *o)
{
    if (!o->bulk) {
        o->bulk = r->bulk;
        o->answer.bulk_bytes = r->head.bulk_bytes;
        r->bulk = NULL;
    }
}

#define SERVE(name, ...)                                                                           \
    static cudaError_t serve_##name(struct request *r, struct reply *o)                            \
    {                                                                                              \
        (void)o;                                                                                   \
        EACH(TAKE, __VA_ARGS__)                                                                    \
        EACH(FIND, __VA_ARGS__)                                                                    \
        r->bad |= r->found != r->head.bulk_bytes;                                                  \
        if (!request_whole(r))                                                                     \
            return cudaErrorInvalidValue;                                                          \
        cudaError_t e = name(JOIN(PASS, __VA_ARGS__));                                             \
        EACH(GIVE, __VA_ARGS__)                                                                    \
        return e;                                                                                  \
    }
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old forms exist here, too */
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
