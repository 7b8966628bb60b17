/**
 * @file modules.c
 * The client's device code and its launches.
 */
#include <ctype.h>
#include <string.h>

#include "remote/server/server.h"
#include "runtime/code/fatbin.h"
#include "runtime/code/kernel.h"
#include "runtime/code/library.h"
#include "runtime/state/entry.h"

#define MAX_BINARIES 1024
#define MAX_NAMES 65536
#define MAX_NAME 65536
#define MAX_LABEL 64
#define MAX_PARTS 4096

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                            int *warp);
char __cudaInitModule(void **handle);
void softgpu_name_allocation(const void *p, const char *name);
void softgpu_name_stream(cudaStream_t stream, const char *name);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                       int constant, int global);

/** Bytes of a fat binary; 0 if it is not as long as its header says: the loader trusts that. */
static uint64_t whole(const uint8_t *p, uint64_t bytes)
{
    uint16_t header;
    uint64_t size;
    if (bytes < 16)
        return 0;
    memcpy(&header, p + 6, sizeof header);
    memcpy(&size, p + 8, sizeof size);
    return header <= bytes && size <= bytes - header ? header + size : 0;
}

/** The parts of an -rdc=true program, each on a multiple of 8, as a list that ends with NULL; NULL where one is not whole. */
static const void **split_parts(const uint8_t *p, uint64_t bytes)
{
    const void **parts = calloc(MAX_PARTS + 1, sizeof *parts);
    uint64_t at = 0;
    for (int i = 0; parts && at < bytes; i++) {
        uint64_t one = i < MAX_PARTS ? whole(p + at, bytes - at) : 0;
        if (!one) {
            free(parts);
            return NULL;
        }
        parts[i] = p + at;
        at += one <= UINT64_MAX - 7 ? (one + 7) & ~7ull : one;
    }
    return parts;
}

cudaError_t serve_register_binary(struct request *r, struct reply *o)
{
    static int count;
    uint32_t version;
    request_take(r, &version, sizeof version);
    r->bad |= __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) >= MAX_BINARIES;
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    /* Kept for good, as the program's own would be. */
    struct fatbin_wrapper *w = calloc(1, sizeof *w);
    if (!w)
        return cudaErrorMemoryAllocation;
    const void **parts = version == 2 ? split_parts(r->bulk, r->head.bulk_bytes) : NULL;
    bool good = version == 2 ? parts != NULL : version == 1 && whole(r->bulk, r->head.bulk_bytes);
    *w = (struct fatbin_wrapper){good ? FATBIN_WRAPPER_MAGIC : 0, version, r->bulk, parts};
    r->bulk = NULL;
    uint64_t handle = (uint64_t)(uintptr_t)__cudaRegisterFatBinary(w);
    reply_give(o, &handle, sizeof handle);
    return cudaSuccess;
}

/** The name in a request's bulk, NUL-terminated; NULL and a bad request where it is none. */
static char *take_name(struct request *r, uint64_t *handle, uint64_t *host)
{
    static int count;
    uint64_t bytes = r->head.bulk_bytes;
    request_take(r, handle, sizeof *handle);
    request_take(r, host, sizeof *host);
    r->bad |= !bytes || bytes > MAX_NAME || memchr(r->bulk ? r->bulk : (uint8_t *)"", 0, bytes) ||
              __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) >= MAX_NAMES;
    return request_whole(r) ? strndup((char *)r->bulk, bytes) : NULL;
}

cudaError_t serve_register_function(struct request *r, struct reply *o)
{
    uint64_t handle, host;
    char *name = take_name(r, &handle, &host);
    (void)o;
    if (name)
        __cudaRegisterFunction((void **)(uintptr_t)handle, (const char *)(uintptr_t)host, NULL, name,
                               -1, NULL, NULL, NULL, NULL, NULL);
    free(name);
    return name ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_register_variable(struct request *r, struct reply *o)
{
    uint64_t handle, host;
    char *name = take_name(r, &handle, &host);
    (void)o;
    if (name)
        __cudaRegisterVar((void **)(uintptr_t)handle, (char *)(uintptr_t)host, NULL, name, 0, 0, 0, 0);
    free(name);
    return name ? cudaSuccess : cudaErrorInvalidValue;
}

/** Whether bytes are text that a terminal can be shown. */
static bool is_shown(const uint8_t *s, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (s[i] < ' ' || s[i] == 0x7f)
            return false;
    return bytes;
}

cudaError_t serve_load(struct request *r, struct reply *o)
{
    uint64_t name_bytes, most_registers, bytes = r->head.bulk_bytes;
    cudaLibrary_t library = NULL;
    request_take(r, &name_bytes, sizeof name_bytes);
    request_take(r, &most_registers, sizeof most_registers);
    r->bad |= name_bytes >= WIRE_STRING || name_bytes > bytes || bytes - name_bytes > WIRE_CODE;
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    char *name = is_shown(r->bulk, name_bytes) ? strndup((char *)r->bulk, name_bytes) : NULL;
    struct jit_options j = {.max_registers = most_registers < 255 ? (unsigned)most_registers : 255};
    cudaError_t e = runtime_enter();
    if (!e)
        e = library_open_by(&j, LIBRARY_READ_LATE, name ? name : "PTX", r->bulk ? r->bulk + name_bytes : (void *)"", bytes - name_bytes, &library);
    free(name);
    reply_give(o, &(uint64_t){(uintptr_t)library}, sizeof(uint64_t));
    return runtime_leave(e);
}

/** A name as C has them, or with other characters from `also`, and no longer than findings show. */
static bool is_name(const uint8_t *s, uint64_t bytes, const char *also)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (!isalnum(s[i]) && s[i] != '_' && (!s[i] || !strchr(also, s[i])))
            return false;
    return bytes && bytes < MAX_LABEL;
}

cudaError_t serve_label(struct request *r, struct reply *o)
{
    uint64_t address, bytes = r->head.bulk_bytes;
    char name[MAX_LABEL] = "";
    (void)o;
    request_take(r, &address, sizeof address);
    if (!request_whole(r) || !is_name(r->bulk, bytes, "{} :"))
        return cudaErrorInvalidValue;
    memcpy(name, r->bulk, bytes);
    softgpu_name_allocation((void *)(uintptr_t)address, name);
    return cudaSuccess;
}

cudaError_t serve_label_stream(struct request *r, struct reply *o)
{
    uint64_t stream, bytes = r->head.bulk_bytes;
    char name[MAX_LABEL] = "";
    (void)o;
    request_take(r, &stream, sizeof stream);
    if (!request_whole(r) || !is_name(r->bulk, bytes, " []"))
        return cudaErrorInvalidValue;
    memcpy(name, r->bulk, bytes);
    softgpu_name_stream((cudaStream_t)(uintptr_t)stream, name);
    return cudaSuccess;
}

/* ---- __managed__ variables: the runtime keeps their addresses here, as the program would ---- */

#define MAX_MANAGED 1024
static struct managed {
    void **handle, *address;
} managed[MAX_MANAGED];
static uint64_t managed_count;

cudaError_t serve_register_managed(struct request *r, struct reply *o)
{
    uint64_t handle, host, number = __atomic_fetch_add(&managed_count, 1, __ATOMIC_RELAXED);
    char *name = take_name(r, &handle, &host);
    if (name && number < MAX_MANAGED) {
        managed[number].handle = (void **)(uintptr_t)handle;
        __cudaRegisterManagedVar(managed[number].handle, &managed[number].address, NULL, name, 0, 0, 0, 0);
    }
    free(name);
    reply_give(o, &number, sizeof number);
    return name && number < MAX_MANAGED ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_managed(struct request *r, struct reply *o)
{
    uint64_t number, address = 0;
    size_t bytes = 0;
    request_take(r, &number, sizeof number);
    if (!request_whole(r) || number >= MAX_MANAGED || !managed[number].handle)
        return cudaErrorInvalidValue;
    __cudaInitModule(managed[number].handle);
    void *p = managed[number].address;
    cudaError_t e = p ? cudaGetSymbolSize(&bytes, p) : cudaErrorInvalidSymbol;
    address = (uint64_t)(uintptr_t)p;
    if (!e && (o->pass = shared_descriptor(address)) < 0)
        e = cudaErrorMemoryAllocation;
    reply_give(o, &address, sizeof address);
    reply_give(o, &(uint64_t){bytes}, sizeof(uint64_t));
    return e;
}

/** A kernel's parameters; loads its code. No call of the program's: it takes no virtual time. */
cudaError_t kernel_layout(uint64_t function, struct wire_parameter *list, uint32_t *count)
{
    struct kernel *k;
    *count = 0;
    runtime_lock();
    cudaError_t e = runtime.sticky;
    if (!runtime.machine) {
        runtime_unlock();
        e = runtime_enter();
    }
    if (!e) { /* it may be loaded for this device here and now */
        memory_choose(machine_memory(runtime.machine), device_now());
        e = kernel_resolve((const void *)(uintptr_t)function, &k);
    }
    if (!e && k->function->param_count > WIRE_PARAMETERS_MAX)
        e = runtime_unsupported("a kernel with so many parameters");
    for (int i = 0; !e && i < k->function->param_count; i++)
        list[(*count)++] = (struct wire_parameter){(uint32_t)k->function->params[i].offset,
                                                   (uint32_t)k->function->params[i].bytes};
    return runtime_leave(e);
}

cudaError_t serve_parameters(struct request *r, struct reply *o)
{
    uint64_t function;
    uint32_t count;
    request_take(r, &function, sizeof function);
    struct wire_parameter *list = calloc(WIRE_PARAMETERS_MAX, sizeof *list);
    if (!request_whole(r) || !list) {
        free(list);
        return cudaErrorInvalidValue;
    }
    cudaError_t e = kernel_layout(function, list, &count);
    reply_give(o, &count, sizeof count);
    o->bulk = list;
    o->answer.bulk_bytes = count * sizeof *list;
    return e;
}

/** Attributes that a launch can have here. */
#define MAX_ATTRIBUTES 6

static cudaLaunchAttribute cluster_of(const struct wire_launch *w)
{
    return (cudaLaunchAttribute){.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {w->cluster[0], w->cluster[1], w->cluster[2]}};
}

static unsigned attributes_of(const struct wire_launch *w, cudaLaunchAttribute out[MAX_ATTRIBUTES])
{
    unsigned n = 2;
    out[0] = (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                   .val.programmaticStreamSerializationAllowed = w->programmatic != 0};
    out[1] = (cudaLaunchAttribute){.id = cudaLaunchAttributeCooperative, .val.cooperative = (int)w->cooperative};
    if (w->with_event)
        out[n++] = (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticEvent,
                                         .val.programmaticEvent = {(cudaEvent_t)(uintptr_t)w->event, (int)w->event_flags,
                                                                   w->at_block_start != 0}};
    if (w->with_begun_event)
        out[n++] = (cudaLaunchAttribute){.id = cudaLaunchAttributeLaunchCompletionEvent,
                                         .val.launchCompletionEvent = {(cudaEvent_t)(uintptr_t)w->begun_event, (int)w->begun_flags}};
    if (w->updatable)
        out[n++] = (cudaLaunchAttribute){.id = cudaLaunchAttributeDeviceUpdatableKernelNode,
                                         .val.deviceUpdatableKernelNode.deviceUpdatable = (int)(w->updatable - 1)};
    if (w->with_cluster)
        out[n++] = cluster_of(w);
    return n;
}

cudaError_t serve_clusters(struct request *r, struct reply *o)
{
    struct wire_launch w;
    uint32_t largest;
    int answer = 0;
    request_take(r, &w, sizeof w);
    request_take(r, &largest, sizeof largest);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    cudaLaunchAttribute cluster = cluster_of(&w);
    cudaLaunchConfig_t config = {{w.grid[0], w.grid[1], w.grid[2]}, {w.block[0], w.block[1], w.block[2]}, w.shared, NULL,
                                 &cluster, w.with_cluster != 0};
    const void *function = (const void *)(uintptr_t)w.function;
    cudaError_t e = largest ? cudaOccupancyMaxPotentialClusterSize(&answer, function, &config)
                            : cudaOccupancyMaxActiveClusters(&answer, function, &config);
    reply_give(o, &(int32_t){answer}, sizeof(int32_t));
    return e;
}

static cudaError_t launch(const struct wire_launch *w, void **args)
{
    const void *function = (const void *)(uintptr_t)w->function;
    struct dim3 grid = {w->grid[0], w->grid[1], w->grid[2]};
    struct dim3 block = {w->block[0], w->block[1], w->block[2]};
    cudaStream_t stream = (cudaStream_t)(uintptr_t)w->stream;
    if (w->programmatic || w->with_event || w->with_begun_event || w->updatable || w->with_cluster) {
        cudaLaunchAttribute attributes[MAX_ATTRIBUTES];
        cudaLaunchConfig_t config = {grid, block, w->shared, stream, attributes, attributes_of(w, attributes)};
        return cudaLaunchKernelExC(&config, function, args);
    }
    return w->cooperative
               ? cudaLaunchCooperativeKernel(function, grid, block, args, w->shared, stream)
               : cudaLaunchKernel(function, grid, block, args, w->shared, stream);
}

cudaError_t serve_launch(struct request *r, struct reply *o)
{
    static __thread struct wire_parameter list[WIRE_PARAMETERS_MAX];
    static __thread void *args[WIRE_PARAMETERS_MAX];
    struct wire_launch w;
    uint32_t count;
    (void)o;
    request_take(r, &w, sizeof w);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    cudaError_t e = kernel_layout(w.function, list, &count);
    for (uint32_t i = 0; i < count; i++) {
        r->bad |= (uint64_t)list[i].offset + list[i].bytes > r->head.bulk_bytes;
        args[i] = r->bulk + list[i].offset;
    }
    return e || r->bad ? e : launch(&w, w.whole ? args : NULL);
}
