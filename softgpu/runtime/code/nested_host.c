/**
 * @file nested_host.c
 * See nested_host.h. Asked while a kernel runs, under the runtime's lock: no entry point may be called.
 */
#include "runtime/code/nested_host.h"

#include "runtime/code/function.h"
#include "runtime/code/library.h"
#include "runtime/state/runtime.h"

static int attribute(int *value, int name, int device)
{
    return device_exists(device) ? device_attribute(value, (enum cudaDeviceAttr)name, device) : cudaErrorInvalidDevice;
}

static int limit(uint64_t *value, int name, int device)
{
    if (name < 0 || name > cudaLimitPersistingL2CacheSize)
        return cudaErrorInvalidValue;
    if (name == cudaLimitDevRuntimeSyncDepth)
        return cudaErrorUnsupportedLimit;
    *value = runtime.devices[device].limits[name];
    return cudaSuccess;
}

static int max_dynamic_shared(const struct function *f)
{
    const struct kernel *k = library_kernel_of(f);
    return k ? function_max_dynamic_shared(k) : runtime.device->shared_per_block - (int)f->shared_bytes;
}

static const char *words(int error, bool name)
{
    return name ? cudaGetErrorName((cudaError_t)error) : cudaGetErrorString((cudaError_t)error);
}

static struct device_graph *no_graph(uint64_t handle, int *error)
{
    (void)handle;
    *error = cudaErrorIllegalAddress;
    return NULL;
}

static struct nested_host host = {.attribute = attribute, .limit = limit, .max_dynamic_shared = max_dynamic_shared,
                                  .max_threads = function_max_threads, .words = words, .graph = no_graph};

void nested_host_graphs(struct device_graph *(*find)(uint64_t handle, int *error))
{
    host.graph = find;
}

void nested_host_attach(void)
{
    host.devices = runtime.options.devices;
    machine_set_nested_host(runtime.machine, &host);
}
