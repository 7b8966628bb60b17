/**
 * @file libnvjitlink.c
 * libnvJitLink.so.13: linking at run time (nvJitLink API) by the Driver API's cuLink*, so that what comes out is PTX and
 * loads. It calls itself version 12.0: who asks takes that for too old to link what is compiled for link-time
 * optimisation (LTO-IR), which has no PTX, and hands over PTX instead, as Numba does.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>

#define MAJOR 12
#define MINOR 0
#define LOG_BYTES 8192

/* Numbers of nvJitLinkResult and nvJitLinkInputType. */
enum result { SUCCESS = 0, UNRECOGNIZED_OPTION = 1, MISSING_ARCH = 2, INVALID_INPUT = 3, PTX_COMPILE = 4, INTERNAL = 6,
              LTO_NOT_ENABLED = 18 };
enum input { INPUT_CUBIN = 1, INPUT_PTX, INPUT_LTOIR, INPUT_FATBIN, INPUT_OBJECT, INPUT_LIBRARY };

/** What nvJitLinkHandle points to. */
struct jit_link {
    CUlinkState state;
    void *linked;              /**< the state's */
    size_t bytes;
    CUjit_option options[3];   /**< kept, since the driver writes to */
    void *values[3];           /**< … as long as the state lives */
    char log[LOG_BYTES];
};

/* ---- The Driver API of the libcuda.so.1 beside this library ---- */

#define FUNCTIONS(X)                                                                                          \
    X(init, cuInit) X(current, cuCtxGetCurrent) X(set_current, cuCtxSetCurrent) X(primary, cuDevicePrimaryCtxRetain) \
    X(create, cuLinkCreate) X(destroy, cuLinkDestroy) X(add_data, cuLinkAddData) X(add_file, cuLinkAddFile)       \
    X(complete, cuLinkComplete)
#define TEXT(name) TEXT_(name) /* cuda.h's names of today's versions are macros */
#define TEXT_(name) #name
#define FIELD(field, name) __typeof__(&name) field;
static struct { FUNCTIONS(FIELD) } driver;

static bool find(void *library, void *to, const char *name)
{
    void *symbol = dlsym(library, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol != NULL;
}

/** Opened at the first call, not linked with: who packs this library need not know of the other. */
static bool connect(void)
{
    char path[PATH_MAX];
    Dl_info here;
    if (driver.complete)
        return true;
    const char *slash = dladdr((void *)&driver, &here) && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
    int n = snprintf(path, sizeof path, "%.*slibcuda.so.1", slash ? (int)(slash - here.dli_fname) + 1 : 0, slash ? here.dli_fname : "");
    void *library = n > 0 && (size_t)n < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
#define FIND(field, name) &&find(library, &driver.field, TEXT(name))
    return library FUNCTIONS(FIND);
}

/* ---- The interface ---- */

/* The functions, each also by the names that nvJitLink.h of CUDA 13.x gives them. */
#define EXPORT __attribute__((visibility("default")))
#define VERSIONS(name)                                                                                        \
    ALIAS(name, _13_0) ALIAS(name, _13_1) ALIAS(name, _13_2) ALIAS(name, _13_3) ALIAS(name, _13_4) ALIAS(name, _13_5)
#define ALIAS(name, version)                                                                                  \
    EXPORT extern __typeof__(nvJitLink##name) __nvJitLink##name##version __attribute__((alias("nvJitLink" #name)));

static enum result say(struct jit_link *l, enum result error, const char *format, ...)
{
    va_list all;
    va_start(all, format);
    vsnprintf(l->log, sizeof l->log, format, all);
    va_end(all);
    return error;
}

/** Needs a context, where nvJitLink has none: the first device's. */
static CUresult begin(struct jit_link *l, unsigned long max_registers)
{
    l->options[0] = CU_JIT_ERROR_LOG_BUFFER;
    l->options[1] = CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
    l->values[0] = l->log;
    l->values[1] = (void *)(uintptr_t)sizeof l->log;
    l->options[2] = CU_JIT_MAX_REGISTERS;
    l->values[2] = (void *)(uintptr_t)max_registers;
    CUcontext now = NULL;
    CUresult e = driver.init(0);
    if (!e)
        e = driver.current(&now);
    if (!e && !now && !(e = driver.primary(&now, 0)))
        e = driver.set_current(now);
    return e ? e : driver.create(max_registers ? 3 : 2, l->options, l->values, &l->state);
}

EXPORT int nvJitLinkCreate(struct jit_link **out, uint32_t count, const char **options)
{
    bool arch = false;
    unsigned long max_registers = 0;
    if (!out || (count && !options))
        return INVALID_INPUT;
    for (uint32_t i = 0; i < count; i++) {
        if (!options[i] || options[i][0] != '-')
            return UNRECOGNIZED_OPTION;
        arch |= !strncmp(options[i], "-arch=", 6);
        if (!strncmp(options[i], "-maxrregcount=", 14))
            max_registers = strtoul(options[i] + 14, NULL, 10);
    }
    if (!arch)
        return MISSING_ARCH;
    struct jit_link *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    if (!connect() || begin(l, max_registers)) {
        free(l);
        return INTERNAL;
    }
    *out = l;
    return SUCCESS;
}
VERSIONS(Create)

EXPORT int nvJitLinkDestroy(struct jit_link **handle)
{
    if (!handle || !*handle)
        return INVALID_INPUT;
    driver.destroy((*handle)->state);
    free(*handle);
    *handle = NULL;
    return SUCCESS;
}
VERSIONS(Destroy)

/** The driver's number for a kind of input; -1: it has none. */
static int driver_type(int type)
{
    switch (type) {
    case INPUT_CUBIN: return CU_JIT_INPUT_CUBIN;
    case INPUT_PTX: return CU_JIT_INPUT_PTX;
    case INPUT_FATBIN: return CU_JIT_INPUT_FATBINARY;
    case INPUT_OBJECT: return CU_JIT_INPUT_OBJECT;
    case INPUT_LIBRARY: return CU_JIT_INPUT_LIBRARY;
    default: return -1;
    }
}

static int added(struct jit_link *l, int type, CUresult e, const char *name)
{
    if (e && !l->log[0])
        say(l, INVALID_INPUT, "%s is refused (error %d)", name ? name : "the input", (int)e);
    return !e ? SUCCESS : type == INPUT_PTX ? PTX_COMPILE : INVALID_INPUT;
}

static int refused(struct jit_link *l, int type)
{
    return type == INPUT_LTOIR ? say(l, LTO_NOT_ENABLED, "softgpu does not link LTO-IR, which has no PTX: hand over PTX")
                               : say(l, INVALID_INPUT, "an input of no kind that softgpu links: %d", type);
}

EXPORT int nvJitLinkAddData(struct jit_link *l, int type, const void *data, size_t bytes, const char *name)
{
    if (!l || !data || !bytes)
        return INVALID_INPUT;
    int as = driver_type(type);
    return as < 0 ? refused(l, type)
                  : added(l, type, driver.add_data(l->state, (CUjitInputType)as, (void *)(uintptr_t)data, bytes, name, 0, NULL, NULL), name);
}
VERSIONS(AddData)

EXPORT int nvJitLinkAddFile(struct jit_link *l, int type, const char *name)
{
    if (!l || !name)
        return INVALID_INPUT;
    int as = driver_type(type);
    return as < 0 ? refused(l, type) : added(l, type, driver.add_file(l->state, (CUjitInputType)as, name, 0, NULL, NULL), name);
}
VERSIONS(AddFile)

EXPORT int nvJitLinkComplete(struct jit_link *l)
{
    if (!l)
        return INVALID_INPUT;
    CUresult e = driver.complete(l->state, &l->linked, &l->bytes);
    if (e && !l->log[0])
        say(l, INTERNAL, "the parts do not link (error %d)", (int)e);
    return e ? INTERNAL : SUCCESS;
}
VERSIONS(Complete)

/* ---- What there is to take: PTX, whatever it is called ---- */

EXPORT int nvJitLinkGetLinkedCubinSize(struct jit_link *l, size_t *bytes)
{
    if (!l || !l->linked || !bytes)
        return INVALID_INPUT;
    *bytes = l->bytes;
    return SUCCESS;
}
VERSIONS(GetLinkedCubinSize)

EXPORT int nvJitLinkGetLinkedCubin(struct jit_link *l, void *out)
{
    if (!l || !l->linked || !out)
        return INVALID_INPUT;
    memcpy(out, l->linked, l->bytes);
    return SUCCESS;
}
VERSIONS(GetLinkedCubin)

EXPORT int nvJitLinkGetLinkedPtxSize(struct jit_link *l, size_t *bytes)
{
    return nvJitLinkGetLinkedCubinSize(l, bytes);
}
VERSIONS(GetLinkedPtxSize)

EXPORT int nvJitLinkGetLinkedPtx(struct jit_link *l, char *out)
{
    return nvJitLinkGetLinkedCubin(l, out);
}
VERSIONS(GetLinkedPtx)

EXPORT int nvJitLinkGetErrorLogSize(const struct jit_link *l, size_t *bytes)
{
    if (!l || !bytes)
        return INVALID_INPUT;
    *bytes = strlen(l->log) + 1;
    return SUCCESS;
}
VERSIONS(GetErrorLogSize)

EXPORT int nvJitLinkGetErrorLog(const struct jit_link *l, char *out)
{
    if (!l || !out)
        return INVALID_INPUT;
    memcpy(out, l->log, strlen(l->log) + 1);
    return SUCCESS;
}
VERSIONS(GetErrorLog)

EXPORT int nvJitLinkGetInfoLogSize(const struct jit_link *l, size_t *bytes)
{
    if (!l || !bytes)
        return INVALID_INPUT;
    *bytes = 1;
    return SUCCESS;
}
VERSIONS(GetInfoLogSize)

EXPORT int nvJitLinkGetInfoLog(const struct jit_link *l, char *out)
{
    if (!l || !out)
        return INVALID_INPUT;
    out[0] = '\0';
    return SUCCESS;
}
VERSIONS(GetInfoLog)

EXPORT int nvJitLinkVersion(unsigned *major, unsigned *minor)
{
    if (!major || !minor)
        return INVALID_INPUT;
    *major = MAJOR;
    *minor = MINOR;
    return SUCCESS;
}
