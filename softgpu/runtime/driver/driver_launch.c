/**
 * @file driver_launch.c
 * Driver API: launches. The two APIs' attributes have the same layout and numbers.
 */
#include <string.h>

#include "runtime/code/function.h"
#include "runtime/driver/driver_kept.h"
#include "runtime/state/entry.h"

/* Addresses of arguments in a copy of the program's buffer: one may be shorter than what the kernel reads. */
static cudaError_t point_into(const void *function, const void *buffer, size_t bytes, void ***out, void **bytes_out)
{
    struct kernel *k;
    cudaError_t e = kernel_resolve(function, &k);
    if (e)
        return e;
    const struct function *f = k->function;
    if (bytes > f->param_bytes)
        return cudaErrorLaunchOutOfResources; /* so says an H200's driver */
    char *copy = *bytes_out = calloc(1, f->param_bytes + 1);
    void **args = *out = calloc((size_t)f->param_count + 1, sizeof *args);
    if (!copy || !args)
        abort();
    memcpy(copy, buffer, bytes);
    for (int i = 0; i < f->param_count; i++)
        args[i] = copy + f->params[i].offset;
    return cudaSuccess;
}

/* From arguments that the program has packed, {POINTER, p, SIZE, &n, END}, to an address each. `*out` and
 * `*bytes_out` are the caller's to free. */
static CUresult unpack(const void *function, void **extra, void ***out, void **bytes_out)
{
    const void *buffer = NULL;
    size_t bytes = 0;
    for (int i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[i + 1];
        else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)extra[i + 1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    return buffer ? driver_lock() ?: driver_result(runtime_leave(point_into(function, buffer, bytes, out, bytes_out)))
                  : CUDA_ERROR_INVALID_VALUE;
}

static CUresult launch(const cudaLaunchConfig_t *config, const void *function, void **args, void **extra)
{
    void *bytes = NULL, **unpacked = NULL;
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    if (args && extra)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = extra ? unpack(function, extra, &unpacked, &bytes) : CUDA_SUCCESS;
    if (!r)
        r = driver_result(cudaLaunchKernelExC(config, function, extra ? unpacked : args));
    free(unpacked);
    free(bytes);
    return r;
}

static CUresult launch_and_keep(const cudaLaunchConfig_t *config, const void *function, void **args, void **extra)
{
    CUresult r = launch(config, function, args, extra);
    if (!r && !extra)
        driver_keep_launch(function, config->blockDim, (unsigned)config->dynamicSmemBytes, args);
    return r;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void **args, void **extra)
{
    const cudaLaunchConfig_t config = {.gridDim = {gx, gy, gz}, .blockDim = {bx, by, bz},
                                       .dynamicSmemBytes = shared, .stream = stream};
    DRIVER(launch_and_keep(&config, function, args, extra));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                   unsigned by, unsigned bz, unsigned shared, CUstream stream, void **args)
{
    RUNTIME(cudaLaunchCooperativeKernel(function, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, args, shared, stream));
}

static cudaLaunchConfig_t config_of(const CUlaunchConfig *c)
{
    return (cudaLaunchConfig_t){
        .gridDim = {c->gridDimX, c->gridDimY, c->gridDimZ}, .blockDim = {c->blockDimX, c->blockDimY, c->blockDimZ},
        .dynamicSmemBytes = c->sharedMemBytes, .stream = c->hStream, .attrs = (cudaLaunchAttribute *)c->attrs,
        .numAttrs = c->numAttrs,
    };
}

static CUresult launch_ex(const CUlaunchConfig *c, const void *function, void **args, void **extra)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t config = config_of(c);
    return launch(&config, function, args, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **args, void **extra)
{
    DRIVER(launch_ex(c, function, args, extra));
}

/* ---- how many clusters find room ---- */

typedef cudaError_t ask_clusters(int *out, const void *function, const cudaLaunchConfig_t *config);

static CUresult clusters(ask_clusters *ask, int *out, CUfunction function, const CUlaunchConfig *c)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t config = config_of(c);
    return driver_result(ask(out, function, &config));
}

CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction function, const CUlaunchConfig *c)
{
    DRIVER(clusters(cudaOccupancyMaxActiveClusters, count, function, c));
}

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *c)
{
    DRIVER(clusters(cudaOccupancyMaxPotentialClusterSize, size, function, c));
}
