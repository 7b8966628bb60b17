/**
 * @file runtime.h
 * The state behind the CUDA Runtime API, shared by all of runtime/.
 *
 * One process has one context: one machine, one lock. Every public entry point takes the lock (entry.h); all other
 * functions of runtime/ are called with it held.
 *
 * Around it: host threads in host_thread.h, streams and events in stream.h, operations in operation.h, their times in
 * vtime.h, captures in capture.h. context.c has its life.
 */
#ifndef SOFTGPU_RUNTIME_STATE_RUNTIME_H
#define SOFTGPU_RUNTIME_STATE_RUNTIME_H

#include <sys/types.h>

#include "execute/machine.h"
#include "options/options.h"
#include "runtime/api.h"

struct stream;
struct event;
struct operation;

struct runtime {
    struct options options;
    struct machine *machine;       /**< NULL until the first call that needs the device */
    const struct device_model *device;
    cudaError_t start_error;       /**< the device could not be set up: every call returns it */
    cudaError_t sticky;            /**< a device fault: every call returns it until reset */

    struct stream *streams;        /**< all, the legacy default streams included */
    struct device_state {
        struct stream *legacy;     /**< its default stream */
        struct operation *awaited; /**< what streams made later wait for; NULL: nothing; referenced */
        unsigned flags;
        size_t limits[8];          /**< enum cudaLimit */
        enum cudaFuncCache cache_config;
        unsigned peers;            /**< devices whose memory it may access, a bit each */
        uint64_t generation;       /**< counts its resets */
    } devices[MAX_DEVICES];        /**< as many as options.devices */
    struct event *events;
    uint64_t next_stream_id[MAX_DEVICES];

    struct operation *queue_head, *queue_tail;  /**< issued and not yet done, in issue order */
    int queued, running_grids, host_functions;
    bool ending;                   /**< the program ends: its own memory is touched no more */
    uint64_t next_op;
    /** Operations that some host thread knows to be complete. One set for all host threads: how
     *  they synchronise among themselves cannot be seen, and a false alarm is worse. */
    struct op_set host_done;
    uint64_t host_ns;              /**< virtual time of the host */
    struct operation *host_function; /**< that runs now; NULL: none */
    const struct operation *joins; /**< the host's one thread waits for it, and what is issued then comes after it; NULL: it does not */

    bool driver_ready;             /**< the Runtime API has initialised the Driver API */
    bool primary_used;             /**< the Runtime API has used the device since the latest reset */
    int host_threads;              /**< host threads that have called, and not ended */
    int host_threads_seen;         /**< that have called, ended or not */
    int host_visible;              /**< live managed, mapped or registered allocations */
    int shared_outside;            /**< allocations and events that other processes may use */
    int waiting;                   /**< host threads inside a blocking call */
    uint64_t last_call_ms;         /**< real time of the last API call */
    /** Whether pageable host memory may be touched; NULL: all of this process's (remote/). */
    bool (*host_range)(uint64_t address, uint64_t bytes);
    /** Where the program is another process: moves bytes between a graph's copy and the program's pageable
     *  memory. @return false where that cannot be done */
    bool (*client_copy)(bool to_client, uint64_t address, void *bytes, uint64_t count);
    /** The same: whether a thread of the program's runs that is not in a call. */
    bool (*client_runs)(void);
    /** Where it is set: counts the changes of what the client has to watch. Read without the lock. */
    uint64_t client_watch;
};

extern struct runtime runtime;

/* ---- context.c ---- */

void runtime_lock(void);
void runtime_unlock(void);
/** fork() for a thread that holds the lock: the new process has this thread alone, and the device as it is. */
pid_t runtime_copy(void);
/** Whether the calling thread holds the lock. */
bool runtime_is_locked(void);
/** Lets other host threads in. */
void runtime_yield(void);
/** Waits until another thread changes something, at most `ms` milliseconds. */
void runtime_wait_change(int ms);
void runtime_changed(void);
/** Milliseconds of a monotonic clock. */
uint64_t runtime_clock_ms(void);
/** One line on stderr, prefixed; each different text at most once. */
void runtime_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Names an entry point that is not there, once, and among the findings. @return cudaErrorNotSupported */
cudaError_t runtime_unsupported(const char *what);
/** What is kept of the calling thread's device. */
struct device_state *device_state_now(void);
/** cudaDeviceGetAttribute() of a device that exists. */
cudaError_t device_attribute(int *value, enum cudaDeviceAttr attr, int device);
/** Is there a device of this number? */
bool device_exists(int device);
/** Destroys machine, streams, queue and modules; handles die (cudaDeviceReset). */
void runtime_reset(void);
/** The same of one device, where there are others. */
void device_reset(int device);

/* ---- error.c ---- */
cudaError_t error_of_grid(enum grid_status status);

#endif
