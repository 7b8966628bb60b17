/**
 * @file driver.h
 * The Driver API over the runtime's state: what its entry points share.
 *
 * They are thin: most call the runtime function of the same meaning, and the handles are the runtime's (CUstream is
 * cudaStream_t, and so on). driver_api.def has a row for each symbol; cuda.h gives the prototypes, and its macros the
 * newest symbol for a name. Nothing here is exported: libcuda.so.1 (softgpu/libcuda) and
 * cudaGetDriverEntryPoint() find functions by name (driver_lookup.c).
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_H
#define SOFTGPU_RUNTIME_DRIVER_H

#include <cuda.h>

#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

#define POINTER(p) ((void *)(uintptr_t)(p))

/* ---- driver_call.c: every entry point's frame ---- */

/** What a call needs; each includes those before it. */
enum driver_need {
    NEEDS_NOTHING,
    NEEDS_INIT,                    /**< cuInit(), or that the Runtime API has begun */
    NEEDS_CONTEXT                  /**< a context that is current in this thread */
};

struct driver_frame {
    const char *symbol;            /**< what the program calls */
    const char *outer;             /**< the entry point around this one; NULL: the program called */
    const void *outer_call;
};

/** Until driver_leave() calls of the runtime's count as made at `site`, under this name. */
CUresult driver_enter(struct driver_frame *f, const char *name, const void *site, enum driver_need need);
/** Notes a failure that no call of the runtime's has noted. @return r */
CUresult driver_leave(const struct driver_frame *f, CUresult r);
/** The Driver API's code for a runtime error: the numbers agree but for launch shapes and the like. */
CUresult driver_result(cudaError_t e);
/** "CUDA_ERROR_…" */
const char *driver_error_name(CUresult r);
/** The name that a program writes for a symbol: cuMemAlloc for cuMemAlloc_v2. */
const char *driver_base_name(const char *symbol);

/* To be an entry point's whole body, or the end of one that cannot fail before. `call` is evaluated unless the
 * call's needs are not met. */
#define DRIVER_NEEDING(need, call)                                                                 \
    do {                                                                                           \
        static const char *name_;                                                                  \
        struct driver_frame frame_;                                                                \
        if (!name_)                                                                                \
            name_ = driver_base_name(__func__);                                                    \
        CUresult result_ = driver_enter(&frame_, name_, __builtin_return_address(0), need);        \
        frame_.symbol = __func__;                                                                  \
        if (!result_)                                                                              \
            result_ = (call);                                                                      \
        return driver_leave(&frame_, result_);                                                     \
    } while (0)
#define DRIVER(call) DRIVER_NEEDING(NEEDS_CONTEXT, call)
/** The same for one call of the Runtime API. */
#define RUNTIME(call) DRIVER(driver_result(call))

/** Takes the runtime's lock for work of the entry point's own; whoever gets it gives it back by runtime_leave(). */
CUresult driver_lock(void);
#define DRIVER_LOCKED_NEEDING(need, call) DRIVER_NEEDING(need, driver_lock() ?: driver_result(runtime_leave(call)))
#define DRIVER_LOCKED(call) DRIVER_LOCKED_NEEDING(NEEDS_CONTEXT, call)

/* ---- driver_context.c ---- */

/** Whether cuInit() has been called, or the Runtime API has set the device up. */
bool driver_ready(void);
/** CUDA_SUCCESS if a live context is current in this thread. */
CUresult driver_has_context(void);
/** The context that is current in this thread, NULL if none is. */
CUcontext driver_current(void);
/** Whether `c` is a live context's handle. */
bool driver_context_lives(CUcontext c);

/* ---- driver_virtual.c ---- */

/** The device's memory goes; reservations, physical memory and mappings are the process's and wait for the next one. */
void driver_virtual_reset(void);
/** … which is there. */
void driver_virtual_return(void);
/** Are there mappings that nobody has ended? */
bool driver_virtual_left(void);
/** Is it the first address of one? */
bool driver_virtual_at(uint64_t base);

/* ---- driver_green.c ---- */

/** The device is reset: its green contexts have no streams any more. */
void driver_green_reset(int device);

#endif
