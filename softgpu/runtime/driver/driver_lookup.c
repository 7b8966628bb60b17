/**
 * @file driver_lookup.c
 * Finding Driver API functions by name: for libcuda.so.1, cuGetProcAddress, cudaGetDriverEntryPoint. What is not
 * there has a function, too, that says so. Made from driver_api.def.
 */
#define __CUDA_API_VERSION_INTERNAL /* every version by its own name */
#include <cuda.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/api_rows.h"
#include "runtime/driver/driver.h"

#define REFUSED(symbol)                                                                            \
    static CUresult refused_##symbol(void)                                                         \
    {                                                                                              \
        runtime_say(#symbol " is not supported by softgpu; it returns CUDA_ERROR_NOT_SUPPORTED");  \
        return CUDA_ERROR_NOT_SUPPORTED;                                                           \
    }
#define REFUSED_TWIN(symbol, twin, ...) REFUSED(twin)
#define DRIVER_API(symbol, name, since, twin, here, ...)                                           \
    IF_REFUSED_##here(REFUSED(symbol) TWIN_##twin(REFUSED_TWIN, symbol, ))
#include "runtime/driver/driver_api.def"
#undef DRIVER_API

/* Known here by name alone: the prototypes are with those who define and who call them. */
#define HERE(symbol) void here_##symbol(void) __asm__(#symbol);
#define HERE_TWIN(symbol, twin, ...) HERE(twin)
#define DRIVER_API(symbol, name, since, twin, here, ...)                                           \
    IF_RUNS_##here(HERE(symbol) TWIN_##twin(HERE_TWIN, symbol, ))
#include "runtime/driver/driver_api.def"
#undef DRIVER_API

static const struct entry {
    const char *symbol, *name;
    unsigned since;
    bool per_thread;
    void *function;
} entries[] = {
#define AT_runs(symbol) (void *)here_##symbol
#define AT_refused(symbol) (void *)refused_##symbol
#define TWIN_ENTRY(symbol, twin, name, since, here) {#twin, name, since, true, AT_##here(twin)},
#define DRIVER_API(symbol, name, since, twin, here, ...)                                           \
    {#symbol, #name, since, false, AT_##here(symbol)}, TWIN_##twin(TWIN_ENTRY, symbol, #name, since, here)
#include "runtime/state/entry.h"
#include "runtime/driver/driver_api.def"
#undef DRIVER_API
};
#define ENTRIES (sizeof entries / sizeof entries[0])

/** For libcuda.so.1: the function behind a symbol (cuMemAlloc_v2, cuMemcpy_ptds, …), NULL if there is no such symbol. */
EXPORT void *softgpu_driver_function(const char *symbol);
void *softgpu_driver_function(const char *symbol)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (!strcmp(entries[i].symbol, symbol))
            return entries[i].function;
    return NULL;
}

/**
 * The function that a program means which was built for CUDA `version` (12050 for 12.5) and writes `name`: the newest
 * symbol for it that is not newer than the program. `*too_new`: there are only newer ones.
 * @param per_thread  the variant in which stream 0 is the calling thread's own
 */
static void *driver_find(const char *name, unsigned version, bool per_thread, bool *too_new)
{
    const struct entry *best = NULL;
    bool newer = false;
    for (const struct entry *e = entries; e < entries + ENTRIES; e++) {
        if (strcmp(e->name, name) || (e->per_thread && !per_thread))
            continue;
        newer |= e->since > version;
        if (e->since <= version && (!best || e->since >= best->since)) /* a twin comes after its own symbol */
            best = e;
    }
    *too_new = newer && !best;
    return best ? best->function : NULL;
}

/* A name that is not there is answered as a driver without it would; `probe`: the program is ready for that. */
static bool find(const char *name, unsigned version, bool per_thread, bool probe, void **out, bool *too_new)
{
    *out = driver_find(name, version, per_thread, too_new);
    if (!*out && !*too_new && !probe)
        runtime_say("the Driver API of CUDA 13.0 has no %s", name);
    return *out;
}

static CUresult address_of(const char *name, void **out, int version, cuuint64_t flags,
                           CUdriverProcAddressQueryResult *status)
{
    bool too_new;
    if (!name || !out ||
        flags > (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM))
        return CUDA_ERROR_INVALID_VALUE;
    bool found = find(name, version < 0 ? 0 : (unsigned)version, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, true,
                      out, &too_new);
    if (status)
        *status = found     ? CU_GET_PROC_ADDRESS_SUCCESS
                  : too_new ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                            : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS; /* `*out` is NULL, and the status tells: so it is on an H200 */
}

CUresult cuGetProcAddress_v2(const char *name, void **out, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status)
{
    DRIVER_NEEDING(NEEDS_NOTHING, address_of(name, out, version, flags, status));
}

/* Undocumented: a CUDA runtime of NVIDIA's asks for these tables, and gives up without. */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    Dl_info asks, program;
    (void)table, (void)id;
    if (!dladdr(__builtin_return_address(0), &asks) || !asks.dli_fname ||
        !dladdr((void *)getauxval(AT_ENTRY), &program))
        return CUDA_ERROR_NOT_SUPPORTED;
    const char *slash = strrchr(asks.dli_fname, '/'), *name = slash ? slash + 1 : asks.dli_fname;
    if (asks.dli_fbase == program.dli_fbase)
        runtime_say("the program carries NVIDIA's CUDA runtime: start it with `softgpu PROGRAM`, which puts softgpu's in its "
                    "place, or build it with nvcc -cudart shared");
    else if (strncmp(name, "libnvrtc", 8)) /* which does without */
        runtime_say("%s carries NVIDIA's CUDA runtime, which does not run on softgpu: link it with -cudart shared", name);
    return CUDA_ERROR_NOT_SUPPORTED;
}

static cudaError_t entry_point(const char *name, unsigned version, void **out, unsigned long long flags,
                               enum cudaDriverEntryPointQueryResult *status)
{
    bool too_new, per_thread = flags == cudaEnablePerThreadDefaultStream ||
                               (flags == cudaEnableDefault && runtime_thread()->per_thread_default);
    if (!name || !*name || !out || flags > cudaEnablePerThreadDefaultStream)
        return cudaErrorInvalidValue;
    bool found = find(name, version, per_thread, status, out, &too_new);
    if (status)
        *status = found     ? cudaDriverEntryPointSuccess
                  : too_new ? cudaDriverEntryPointVersionNotSufficent
                            : cudaDriverEntryPointSymbolNotFound;
    return found || status ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
    runtime_enter_light();
    API_RETURN(entry_point(name, CUDA_VERSION, out, flags, status));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
{
    runtime_enter_light();
    if (!version || version > CUDA_VERSION)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(entry_point(name, version, out, flags, status));
}
