/**
 * @file modules.c
 * The program's device code, registered before main(), and its launches. The server loads the code;
 * host addresses of kernels and variables are names to it.
 *
 * By hand: registration returns no error, and its arguments are objects of nvcc's whose size they say
 * themselves; a launch's arguments are pointers whose number and sizes only the kernel knows.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/call_site.h"
#include "remote/client/client.h"
#include "runtime/forms/launch_attributes.h"
#include "runtime/code/fatbin.h"
#include "runtime/host_runtime.h"

#define MAX_MANAGED 1024

uint64_t fatbin_bytes(const uint8_t *p)
{
    uint16_t header;
    uint64_t size;
    memcpy(&header, p + 6, sizeof header);
    memcpy(&size, p + 8, sizeof size);
    return header + size;
}

/* The parts of an -rdc=true program one behind the other, each on a multiple of 8; NULL without any. */
static uint8_t *join_parts(const void *const *parts, uint64_t *bytes)
{
    uint8_t *all = NULL;
    *bytes = 0;
    for (int i = 0; parts && parts[i]; i++) {
        uint64_t one = fatbin_bytes(parts[i]), room = (one + 7) & ~7ull;
        uint8_t *more = realloc(all, *bytes + room);
        if (!more)
            abort();
        all = more;
        memset(all + *bytes, 0, room);
        memcpy(all + *bytes, parts[i], one);
        *bytes += room;
    }
    return all;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct fatbin_wrapper *w = wrapper;
    struct call c;
    uint64_t handle = 0;
    uint32_t version = w->version;
    uint8_t *joined = NULL;
    call_begin(&c, WIRE_REGISTER_BINARY, NULL);
    call_put(&c, &version, sizeof version);
    c.head.bulk_bytes = 0;
    if (w->magic == FATBIN_WRAPPER_MAGIC && version == 2)
        c.bulk = joined = join_parts(w->extra, &c.head.bulk_bytes);
    else if (w->magic == FATBIN_WRAPPER_MAGIC && version == 1)
        c.head.bulk_bytes = fatbin_bytes(c.bulk = w->data);
    call_do(&c);
    call_get(&c, &handle, sizeof handle);
    free(joined);
    return (void **)(uintptr_t)handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

static void name_call(struct call *c, enum wire_id id, void **handle, const void *host, const char *name)
{
    uint64_t to = (uintptr_t)handle, address = (uintptr_t)host;
    call_begin(c, id, NULL);
    call_put(c, &to, sizeof to);
    call_put(c, &address, sizeof address);
    c->bulk = name;
    c->head.bulk_bytes = strlen(name);
    call_do(c);
}

static void name_to_server(enum wire_id id, void **handle, const void *host, const char *name)
{
    struct call c;
    name_call(&c, id, handle, host, name);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                            int *warp)
{
    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    name_to_server(WIRE_REGISTER_FUNCTION, handle, host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t size, int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    name_to_server(WIRE_REGISTER_VARIABLE, handle, host, name);
}

/** Variables that lie in shared memory: it is made when their code is loaded. */
static struct managed {
    void **handle, **host;
    uint64_t number;
} managed[MAX_MANAGED];
static int managed_count;

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    struct call c;
    name_call(&c, WIRE_REGISTER_MANAGED, handle, host, name);
    if (managed_count == MAX_MANAGED)
        return;
    struct managed *m = &managed[managed_count++];
    *m = (struct managed){handle, host, 0};
    call_get(&c, &m->number, sizeof m->number);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
    (void)handle, (void)name, (void)host, (void)size;
}

char __cudaInitModule(void **handle)
{
    for (int i = 0; i < managed_count; i++)
        if (managed[i].handle == handle) {
            *managed[i].host = shared_variable(managed[i].number);
            managed[i].handle = NULL;
        }
    return 1;
}

/** See runtime/memory/label.c. */
EXPORT void softgpu_name_allocation(const void *p, const char *name);
void softgpu_name_allocation(const void *p, const char *name)
{
    struct call c;
    uint64_t address = (uintptr_t)p;
    call_begin(&c, WIRE_LABEL, NULL);
    call_put(&c, &address, sizeof address);
    c.bulk = name;
    c.head.bulk_bytes = strlen(name);
    call_do(&c);
}

EXPORT void softgpu_name_stream(cudaStream_t stream, const char *name);
void softgpu_name_stream(cudaStream_t stream, const char *name)
{
    struct call c;
    uint64_t handle = (uintptr_t)stream;
    call_begin(&c, WIRE_LABEL_STREAM, NULL);
    call_put(&c, &handle, sizeof handle);
    c.bulk = name;
    c.head.bulk_bytes = strlen(name);
    call_do(&c);
}

/* ---- <<<grid, block, shared, stream>>> ---- */

#define MAX_PENDING 8

static __thread struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} pending[MAX_PENDING];
static __thread int pending_count;
static __thread const void *launch_site; /**< of the <<<>>> that comes next; NULL: none */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (pending_count == MAX_PENDING)
        return 1;
    launch_site = __builtin_return_address(0);
    pending[pending_count].grid = grid;
    pending[pending_count].block = block;
    pending[pending_count].shared = shared;
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
    return cudaSuccess;
}

/* ---- launches ---- */

static struct layout *layouts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct layout *known_layout(const void *function)
{
    pthread_mutex_lock(&lock);
    struct layout *l = layouts;
    while (l && l->function != function)
        l = l->next;
    pthread_mutex_unlock(&lock);
    return l;
}

/* Whoever has one goes on with it. */
void layouts_forget(void)
{
    pthread_mutex_lock(&lock);
    layouts = NULL;
    pthread_mutex_unlock(&lock);
}

cudaError_t find_layout(const void *function, const void *site, struct layout **out)
{
    *out = known_layout(function);
    if (*out)
        return cudaSuccess;
    static __thread struct wire_parameter list[WIRE_PARAMETERS_MAX];
    struct call c;
    uint64_t address = (uintptr_t)function;
    uint32_t count = 0;
    call_begin(&c, WIRE_PARAMETERS, site);
    call_put(&c, &address, sizeof address);
    c.bulk_to = list;
    c.bulk_room = sizeof list;
    cudaError_t e = call_do(&c);
    call_get(&c, &count, sizeof count);
    if (e || count > WIRE_PARAMETERS_MAX || c.answer.bulk_bytes != count * sizeof *list)
        return e ? e : cudaErrorUnknown;
    struct layout *l = malloc(sizeof *l + count * sizeof *list);
    if (!l)
        return cudaErrorMemoryAllocation;
    l->function = function;
    l->count = count;
    memcpy(l->list, list, count * sizeof *list);
    pthread_mutex_lock(&lock);
    l->next = layouts;
    layouts = l;
    pthread_mutex_unlock(&lock);
    *out = l;
    return cudaSuccess;
}

uint8_t *pack_arguments(const struct layout *l, void **args, size_t *bytes, uint32_t *whole)
{
    *bytes = 0;
    *whole = 1;
    for (uint32_t i = 0; i < l->count; i++) {
        size_t end = (size_t)l->list[i].offset + l->list[i].bytes;
        *bytes = end > *bytes ? end : *bytes;
        *whole = *whole && args && args[i];
    }
    uint8_t *packed = calloc(1, *bytes + 1);
    for (uint32_t i = 0; packed && i < l->count && *whole; i++)
        memcpy(packed + l->list[i].offset, args[i], l->list[i].bytes);
    return packed;
}

/** The launch that follows is a <<<>>>'s, which shows no result. */
static __thread bool launched;

/** `kind`: what attributes say of it. */
static cudaError_t launch(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                          cudaStream_t stream, const struct wire_launch *kind, const void *site)
{
    bool shows_nothing = launched;
    launched = false;
    struct layout *l;
    cudaError_t e = find_layout(function, site, &l);
    if (e)
        return e;
    struct wire_launch w = *kind;
    w.function = (uintptr_t)function;
    w.stream = (uintptr_t)stream;
    w.shared = shared;
    w.grid[0] = grid.x, w.grid[1] = grid.y, w.grid[2] = grid.z;
    w.block[0] = block.x, w.block[1] = block.y, w.block[2] = block.z;
    w.whole = 1;
    size_t bytes;
    uint8_t *packed = pack_arguments(l, args, &bytes, &w.whole);
    if (!packed)
        return cudaErrorMemoryAllocation;
    struct call c;
    call_begin(&c, WIRE_LAUNCH, site);
    call_put(&c, &w, sizeof w);
    c.bulk = packed;
    c.head.bulk_bytes = bytes;
    c.shows_nothing = shows_nothing;
    e = call_do(&c);
    free(packed);
    return e;
}

/** Where the launch stands in the program: at the <<<>>> if it was one, else at the call. */
static const void *take_site(const void *call)
{
    const void *site = launch_site ? launch_site : call;
    launched = launch_site != NULL;
    if (launch_site)
        entry_site = NULL;
    launch_site = NULL;
    return site;
}

EXPORT cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                                    size_t shared, cudaStream_t stream)
{
    return launch(function, grid, block, args, shared, stream, &(struct wire_launch){0},
                  take_site(CALL_SITE_THROUGH(1)));
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    return launch(kernel, grid, block, args, shared, stream, &(struct wire_launch){0},
                  take_site(__builtin_return_address(0)));
}

EXPORT cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                               void **args, size_t shared, cudaStream_t stream)
{
    return launch(function, grid, block, args, shared, stream, &(struct wire_launch){.cooperative = true},
                  take_site(CALL_SITE_THROUGH(1)));
}

/* Attributes that only tune speed are left out; the server has the others, as runtime/stream/launch.c reads them. */
static cudaError_t read_attribute(const cudaLaunchAttribute *a, struct wire_launch *kind)
{
    if (!attribute_value_fits_launch(a))
        return cudaErrorInvalidValue;
    if (attribute_only_tunes(a->id))
        return cudaSuccess;
    switch (a->id) {
    case cudaLaunchAttributeCooperative:
        kind->cooperative = a->val.cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        take_cluster(kind, a);
        return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        return a->val.clusterSchedulingPolicyPreference > cudaClusterSchedulingPolicyLoadBalancing ? cudaErrorInvalidValue
                                                                                                   : cudaSuccess;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        kind->programmatic = a->val.programmaticStreamSerializationAllowed != 0;
        return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
        kind->with_event = 1;
        kind->event = (uintptr_t)a->val.programmaticEvent.event;
        kind->event_flags = (uint32_t)a->val.programmaticEvent.flags;
        kind->at_block_start = a->val.programmaticEvent.triggerAtBlockStart != 0;
        return cudaSuccess;
    case cudaLaunchAttributeLaunchCompletionEvent:
        kind->with_begun_event = 1;
        kind->begun_event = (uintptr_t)a->val.launchCompletionEvent.event;
        kind->begun_flags = (uint32_t)a->val.launchCompletionEvent.flags;
        return cudaSuccess;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        if (a->val.deviceUpdatableKernelNode.deviceUpdatable & ~1)
            return cudaErrorInvalidValue;
        kind->updatable = (uint32_t)a->val.deviceUpdatableKernelNode.deviceUpdatable + 1;
        return cudaSuccess;
    default:
        return cudaErrorNotSupported;
    }
}

EXPORT cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                       void **args)
{
    struct wire_launch kind = {0};
    if (!config || (config->numAttrs && !config->attrs))
        return cudaErrorInvalidValue;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        cudaError_t e = read_attribute(&config->attrs[i], &kind);
        if (e)
            return e;
    }
    return launch(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
                  config->stream, &kind, take_site(CALL_SITE_THROUGH(2)));
}
