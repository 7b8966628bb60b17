/**
 * @file driver_kept.c
 * Driver API: launches as they were before CUDA 4, with a block shape, shared memory and parameters that a function keeps.
 *
 * What of the parameters lies behind cuParamSetSize() counts as zero. Errors are an H200's, as far as recorded
 * (tests/runtime/old_calls_facts.cu); what a launch itself refuses is what cuLaunchKernel() refuses.
 */
#include <stdatomic.h>
#include <string.h>

#include "runtime/code/function.h"
#include "runtime/driver/driver_kept.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* which they are */

#define PARAM_BYTES 4096 /* room for any kernel's; what lies behind it is taken, and never used */

struct kept_launch {
    dim3 block;
    unsigned shared;
    size_t bytes;
    uint8_t param[PARAM_BYTES];
};

static atomic_bool any; /* function keeps something */

static struct kept_launch *kept_of(struct kernel *k)
{
    if (!k->kept) {
        any = true;
        k->kept = calloc(1, sizeof *k->kept);
        if (!k->kept)
            abort();
        k->kept->block = (dim3){1, 1, 1};
    }
    return k->kept;
}

static cudaError_t set_shape(CUfunction function, int x, int y, int z)
{
    struct kernel *k;
    cudaError_t e = kernel_find(function, &k);
    if (e)
        return e;
    if (x <= 0 || y <= 0 || z <= 0 || x > 1024 || y > 1024 || z > 64 || x * y * z > 1024)
        return cudaErrorInvalidValue;
    kept_of(k)->block = (dim3){(unsigned)x, (unsigned)y, (unsigned)z};
    return cudaSuccess;
}

static cudaError_t set_shared(CUfunction function, unsigned bytes)
{
    struct kernel *k;
    cudaError_t e = kernel_find(function, &k);
    if (e)
        return e;
    if (bytes > (unsigned)runtime.device->shared_per_block)
        return cudaErrorInvalidValue;
    kept_of(k)->shared = bytes;
    return cudaSuccess;
}

static cudaError_t set_size(CUfunction function, unsigned bytes)
{
    struct kernel *k;
    cudaError_t e = kernel_find(function, &k);
    if (!e)
        kept_of(k)->bytes = bytes;
    return e;
}

static cudaError_t set_param(CUfunction function, int offset, const void *from, size_t bytes)
{
    struct kernel *k;
    cudaError_t e = kernel_find(function, &k);
    if (e)
        return e;
    if (!from || offset < 0) /* the latter ends the process there */
        return cudaErrorInvalidValue;
    size_t at = (size_t)offset, room = at < PARAM_BYTES ? PARAM_BYTES - at : 0;
    memcpy(kept_of(k)->param + (at < PARAM_BYTES ? at : 0), from, bytes < room ? bytes : room);
    return cudaSuccess;
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    DRIVER_LOCKED(set_shape(function, x, y, z));
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes)
{
    DRIVER_LOCKED(set_shared(function, bytes));
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes)
{
    DRIVER_LOCKED(set_size(function, bytes));
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value)
{
    DRIVER_LOCKED(set_param(function, offset, &value, sizeof value));
}

CUresult cuParamSetf(CUfunction function, int offset, float value)
{
    DRIVER_LOCKED(set_param(function, offset, &value, sizeof value));
}

CUresult cuParamSetv(CUfunction function, int offset, void *from, unsigned bytes)
{
    DRIVER_LOCKED(set_param(function, offset, from, bytes));
}

/* ---- launches ---- */

/* A copy of what the function keeps, with an address for each of its parameters. */
struct taken {
    struct kept_launch kept;
    void **args;
};

static cudaError_t take(CUfunction function, struct taken *t)
{
    struct kernel *k;
    cudaError_t e = kernel_resolve(function, &k);
    if (e)
        return e;
    const struct function *f = k->function;
    t->kept = *kept_of(k);
    if (t->kept.bytes < PARAM_BYTES)
        memset(t->kept.param + t->kept.bytes, 0, PARAM_BYTES - t->kept.bytes);
    if (f->param_bytes > PARAM_BYTES)
        return cudaErrorInvalidValue;
    t->args = calloc((size_t)f->param_count + 1, sizeof *t->args);
    if (!t->args)
        abort();
    for (int i = 0; i < f->param_count; i++)
        t->args[i] = t->kept.param + f->params[i].offset;
    return cudaSuccess;
}

static CUresult launch(CUfunction function, int width, int height, CUstream stream)
{
    struct taken t = {.args = NULL};
    CUresult r = driver_lock() ?: driver_result(runtime_leave(take(function, &t)));
    if (!r && (width <= 0 || height <= 0))
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r)
        r = driver_result(cudaLaunchKernel(function, (dim3){(unsigned)width, (unsigned)height, 1}, t.kept.block, t.args,
                                           t.kept.shared, stream));
    free(t.args);
    return r;
}

CUresult cuLaunch(CUfunction function)
{
    DRIVER(launch(function, 1, 1, NULL));
}

CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
    DRIVER(launch(function, width, height, NULL));
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
    DRIVER(launch(function, width, height, stream));
}

/* ---- launches of today: they change what is kept (cuda.h, cuLaunchKernel) ---- */

static cudaError_t follow(const void *function, dim3 block, unsigned shared, void **args)
{
    struct kernel *k;
    if (!args || kernel_find(function, &k) || !k->kept || kernel_resolve(function, &k))
        return cudaSuccess;
    const struct function *f = k->function;
    k->kept->block = block;
    k->kept->shared = shared;
    k->kept->bytes = f->param_bytes;
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].offset + f->params[i].bytes <= PARAM_BYTES)
            memcpy(k->kept->param + f->params[i].offset, args[i], f->params[i].bytes);
    return cudaSuccess;
}

void driver_keep_launch(const void *function, dim3 block, unsigned shared, void **args)
{
    if (any && !driver_lock())
        runtime_leave(follow(function, block, shared, args));
}
