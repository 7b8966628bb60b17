/**
 * @file driver_call.c
 * What all entry points of the Driver API do at their beginning and end; errors.
 */
#include <string.h>

#include "runtime/driver/driver.h"
#include "runtime/state/logs.h"

CUresult driver_enter(struct driver_frame *f, const char *name, const void *site, enum driver_need need)
{
    struct host_thread *t = runtime_thread();
    *f = (struct driver_frame){.outer = t->driver_call, .outer_call = t->outer_call};
    if (f->outer)
        return CUDA_SUCCESS;
    t->driver_call = name;
    t->driver_noted = false;
    if (!t->outer_call)
        t->outer_call = site;
    if (need >= NEEDS_INIT && !driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    return need >= NEEDS_CONTEXT ? driver_has_context() : CUDA_SUCCESS;
}

/* As a call of the runtime's that fails: for the findings, and for findings only. */
static void note(CUresult r)
{
    struct host_thread *t = runtime_thread();
    runtime_enter_light();
    t->call = t->returns = t->outer_call;
    t->call_name = t->driver_call;
    t->is_launch = false;
    runtime_leave((cudaError_t)r);
}

CUresult driver_leave(const struct driver_frame *f, CUresult r)
{
    struct host_thread *t = runtime_thread();
    if (f->outer)
        return r;
    if (r && !t->driver_noted)
        note(r);
    t->driver_call = NULL;
    t->outer_call = f->outer_call;
    if (r && r != CUDA_ERROR_NOT_READY)
        log_failed_call((int)r, driver_error_name(r), f->symbol);
    return r;
}

CUresult driver_lock(void)
{
    struct host_thread *t = runtime_thread();
    t->call = t->returns = t->outer_call;
    t->call_name = t->driver_call;
    t->is_launch = false;
    cudaError_t e = runtime_enter();
    return e ? driver_result(runtime_leave(e)) : CUDA_SUCCESS;
}

CUresult driver_result(cudaError_t e)
{
    switch (e) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidTexture:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting:
        return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        return (CUresult)e;
    }
}

/* ---- names and texts ---- */

static const struct {
    CUresult code;
    const char *name;
} errors[] = {
#define E(code) {code, #code},
#include "runtime/driver/driver_errors.def"
#undef E
};

const char *driver_error_name(CUresult r)
{
    for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == r)
            return errors[i].name;
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = driver_error_name(error);
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static const char *text_of(CUresult error)
{
    switch (error) {
    case CUDA_ERROR_CONTEXT_ALREADY_CURRENT:
        return "context already current";
    case CUDA_ERROR_KEY_ROTATION:
        return "confidential computing key rotation";
    default:
        return driver_error_name(error) ? cudaGetErrorString((cudaError_t)error) : NULL;
    }
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = text_of(error);
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

const char *driver_base_name(const char *symbol)
{
    static const struct {
        const char *symbol, *name;
    } names[] = {
#define DRIVER_API(symbol, name, since, twin, here, ...) {#symbol, #name},
#include "runtime/state/entry.h"
#include "runtime/driver/driver_api.def"
#undef DRIVER_API
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(names[i].symbol, symbol))
            return names[i].name;
    return symbol;
}
