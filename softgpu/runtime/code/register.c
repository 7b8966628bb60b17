/**
 * @file register.c
 * How a program compiled by nvcc tells the runtime of its device code, and launches with <<<>>>.
 *
 * These entry points run before main(): they only note what is there.
 */
#include <stdlib.h>
#include <string.h>

#include "host/library_code.h"
#include "runtime/code/fatbin.h"
#include "runtime/host_runtime.h"
#include "runtime/code/library.h"
#include "runtime/state/entry.h"

/** SOFTGPU_PTX=FILE: this PTX runs in place of the program's own, so that changed device code needs no build. Kept for
 *  good, as the program's own is. */
static bool replace_code(struct library *l)
{
    const char *path = getenv("SOFTGPU_PTX");
    if (!path)
        return false;
    l->ptx = library_read_file(path, &l->ptx_bytes);
    for (int d = 0; d < MAX_DEVICES && !l->ptx; d++)
        l->on[d] = (struct on_device){.tried = true, .status = cudaErrorFileNotFound};
    return true;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct fatbin_wrapper *w = wrapper;
    runtime_lock();
    struct library *l = library_new("program");
    l->registered = true;
    l->wrapper = w;
    if (replace_code(l)) {
        runtime_unlock();
        return (void **)l;
    }
    if (!w || w->magic != FATBIN_WRAPPER_MAGIC || w->version < 1 || w->version > 2)
        for (int d = 0; d < MAX_DEVICES; d++)
            l->on[d] = (struct on_device){.tried = true, .status = cudaErrorInvalidKernelImage};
    runtime_unlock();
    return (void **)l;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* Called at the program's exit, when kernels may still be queued: nothing is freed, as exit
 * handlers that run later may still use it. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                            int *warp)
{
    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    runtime_lock();
    struct library *l = library_of(handle);
    if (l)
        library_kernel(l, name, host);
    if (library_symbol(name))
        call_site_expect_library();
    runtime_unlock();
}

static void add_symbol(void **handle, const void *host, void **managed, const char *name)
{
    runtime_lock();
    struct library *l = library_of(handle);
    char *copy = strdup(name);
    if (!copy)
        abort();
    if (l)
        *LIST_PUSH(&l->symbols) = (struct symbol){host, managed, copy};
    runtime_unlock();
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t size, int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_symbol(handle, host, NULL, name);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_symbol(handle, host, host, name);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
    (void)handle, (void)name, (void)host, (void)size;
}

/* The program is about to touch a managed variable: its address must be set now. */
char __cudaInitModule(void **handle)
{
    cudaError_t e = runtime_enter();
    struct library *l = library_of(handle);
    if (!e && l)
        e = library_ensure(l);
    runtime_leave(e);
    return 1;
}

/* ---- <<<grid, block, shared, stream>>> ---- */

#define MAX_PENDING 8

static __thread struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const void *call;              /**< where the <<<>>> stands */
} pending[MAX_PENDING];
static __thread int pending_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (pending_count == MAX_PENDING)
        return 1;
    pending[pending_count].grid = grid;
    pending[pending_count].block = block;
    pending[pending_count].shared = shared;
    pending[pending_count].call = __builtin_return_address(0);
    pending[pending_count++].stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!pending_count)
        return cudaErrorMissingConfiguration;
    pending_count--;
    *grid = pending[pending_count].grid;
    *block = pending[pending_count].block;
    *shared = pending[pending_count].shared;
    *(cudaStream_t *)stream = pending[pending_count].stream;
    runtime_thread()->launch_call = pending[pending_count].call;
    return cudaSuccess;
}

/* The handle is known without loading the code: errors of the load belong to the launch. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    return cudaGetKernel(kernel, host);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
