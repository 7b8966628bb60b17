/**
 * @file entry.h
 * How a public entry point begins and ends: API_ENTER() takes the lock, API_RETURN() gives it back and keeps the host
 * thread's last error. API_NOTE() alone is for those that take no lock themselves.
 */
#ifndef SOFTGPU_RUNTIME_STATE_ENTRY_H
#define SOFTGPU_RUNTIME_STATE_ENTRY_H

#include "host/call_site.h"
#include "runtime/state/host_thread.h"

/** Takes the lock and sets the device up. @return the sticky error, if any */
cudaError_t runtime_enter(void);
/** … of a call that answers after a fault of the device, too. @return any other error: then there may be no device */
cudaError_t runtime_enter_faulty(void);
/** Why there is no device, cudaSuccess: there is one. */
cudaError_t runtime_failed_to_start(void);
/** As runtime_enter(), for calls that need no context: never fails, the device model is known. */
void runtime_enter_light(void);
/** … of a call that asks about devices: as a GPU's runtime does, it initialises the Driver API, too. */
void runtime_enter_device(void);
/** Records `e` as the host thread's last error, releases the lock. @return e */
cudaError_t runtime_leave(cudaError_t e);

/** To be used in the entry point's own body: notes where the program called it. */
#define API_NOTE()                                                                                 \
    do {                                                                                           \
        struct host_thread *caller_ = runtime_thread();                                            \
        caller_->call =                                                                            \
            caller_->outer_call ? caller_->outer_call : __builtin_return_address(0);               \
        caller_->returns =                                                                         \
            caller_->driver_call ? caller_->outer_call : __builtin_return_address(0);              \
        caller_->call_name = caller_->driver_call ? caller_->driver_call : __func__;               \
        caller_->is_launch = false;                                                                \
    } while (0)
#define API_ENTER()                                                                                \
    do {                                                                                           \
        API_NOTE();                                                                                \
        cudaError_t entered_ = runtime_enter();                                                    \
        if (entered_ != cudaSuccess)                                                               \
            return runtime_leave(entered_);                                                        \
        caller_past_templates((void *const *)__builtin_frame_address(0));                          \
    } while (0)
/** API_ENTER() of calls that answer after a fault of the device, too. */
#define API_ENTER_FAULTY()                                                                         \
    do {                                                                                           \
        API_NOTE();                                                                                \
        cudaError_t entered_ = runtime_enter_faulty();                                             \
        if (entered_ != cudaSuccess)                                                               \
            return runtime_leave(entered_);                                                        \
    } while (0)
/** After it, where programs call through a typed template of the toolkit's: the template's caller is noted. */
#define API_THROUGH(levels)                                                                        \
    do {                                                                                           \
        struct host_thread *caller_ = runtime_thread();                                            \
        if (!caller_->outer_call)                                                                  \
            caller_->call = CALL_SITE_THROUGH(levels);                                             \
    } while (0)
#define API_RETURN(e) return runtime_leave(e)

#endif
