/**
 * @file driver_context.h
 * Private to the driver_context files: contexts themselves.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_CONTEXT_H
#define SOFTGPU_RUNTIME_DRIVER_CONTEXT_H

#include "runtime/driver/driver.h"

/** Flags that a context may have. */
#define CONTEXT_FLAGS 0x1ffu

/** What CUcontext points to. Never freed: an old handle must not come to mean another context. */
struct context {
    struct context *next;
    CUdevice device;
    bool primary, alive;
    struct stream_group *green;    /**< of a green context; NULL: it is none */
    unsigned flags, users;         /**< flags: as it was made; users: cuDevicePrimaryCtxRetain() without a release */
    unsigned attached;             /**< cuCtxAttach() without cuCtxDetach() */
    unsigned long long id;
};
extern struct context *contexts;

struct context *context_find(CUcontext handle);
/** Not yet alive. */
struct context *context_new(CUdevice device, bool primary);
struct context *context_primary(CUdevice device);
/** The calling thread's; what the Runtime API uses there counts as the lowest of its stack. */
struct context *context_current(void);
CUresult context_push(CUcontext handle);
/** @param out  NULL, or takes what was current */
CUresult context_pop(CUcontext *out);
bool context_is_device(CUdevice device);

#endif
