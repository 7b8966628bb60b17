/**
 * @file host_thread.h
 * What is kept of a host thread that calls: its device, its default streams, the call that it is in.
 */
#ifndef SOFTGPU_RUNTIME_STATE_HOST_THREAD_H
#define SOFTGPU_RUNTIME_STATE_HOST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"
#include "runtime/api.h"

struct stream;
struct stream_group;

struct host_thread {
    cudaError_t last_error;
    bool counted;
    bool in_host_function;         /**< CUDA calls are not permitted there */
    bool told_fault;               /**< cudaGetLastError has told of the fault that stands */
    bool per_thread_default;       /**< stream 0 means the per-thread stream: set by _ptsz entry */
    struct stream *per_thread[MAX_DEVICES]; /**< cudaStreamPerThread's streams, made on first use */
    uint64_t generation[MAX_DEVICES]; /**< of the device, when that was */
    int device;                    /**< cudaSetDevice */
    bool client_memory;            /**< pageable addresses of the present call are the client's (remote/) */
    enum cudaStreamCaptureMode capture_mode; /**< cudaThreadExchangeStreamCaptureMode */
    const void *call;              /**< where the present API call returns to in the program */
    const void *returns;           /**< where its result goes, which may be an entry point of ours */
    const char *call_name;
    bool is_launch;                /**< it is a <<<>>>'s, which shows no result */
    const void *outer_call;        /**< the same of an entry point that calls another, or NULL */
    void *const *outer_frame;      /**< its frame address, where it is known to be the program's callee; else NULL */
    const void *launch_call;       /**< of a <<<>>> whose launch is about to follow, or NULL */
    const char *driver_call;       /**< the Driver API's function that the program is in, or NULL */
    bool driver_noted;             /**< … and the error that it returns has been noted */
    struct stream_group *group;    /**< of the green context that is current; NULL: none is */
    bool primary_current;          /**< a call of the Runtime API's has made the device's own context current */
};
/** The calling thread's; never NULL. */
struct host_thread *runtime_thread(void);
/** The calling thread, which this is, ends: its per-thread streams die with it, and captures that began there. Again: nothing is left to do. */
void runtime_thread_ends(void *thread);

/** Where the toolkit's header called for the program, the program's own call is noted. `frame`: the entry point's */
void caller_past_templates(void *const *frame);

/** The calling thread's device. */
int device_now(void);
/** Until the next call of it, the calling thread works for `device`. @return for which it did before */
int device_work_for(int device);

#endif
