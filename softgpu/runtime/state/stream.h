/**
 * @file stream.h
 * Streams and events: what the handles point to.
 */
#ifndef SOFTGPU_RUNTIME_STATE_STREAM_H
#define SOFTGPU_RUNTIME_STATE_STREAM_H

#include "base/list.h"
#include "base/op_set.h"
#include "execute/sm_part.h"
#include "runtime/api.h"
#include "timeline/timeline.h"

struct operation;
struct node;
struct capture;
/** Which point of a node an edge begins at: its end; for kernels also all blocks' triggers, or beginnings. Of those "awaited" the
 *  kernel behind it can wait for the end by griddepcontrol.wait. */
enum edge_kind { EDGE_END, EDGE_TRIGGER_AWAITED, EDGE_BEGUN_AWAITED, EDGE_BEGUN };
LIST_TYPE(edge_kinds, unsigned char);
LIST_TYPE(node_list, struct node *);
/** Nodes that the next one comes after, and how. */
struct tail {
    struct node_list nodes;
    struct edge_kinds kinds;       /**< an enum edge_kind each */
};

/** The streams of a green context, which have a part of the SMs. Never freed. */
struct stream_group {
    struct sm_part part;
    struct stream *own;            /**< its default stream; NULL: the device has been reset since */
    struct operation *awaited;     /**< what its streams made later wait for; NULL: nothing; referenced */
};

/** What cudaStream_t points to (except the two special handles). */
struct stream {
    struct stream *next;
    uint64_t id;
    unsigned flags;
    int device;
    int priority;
    int sync_policy;               /**< cudaSyncPolicy…, as it was set; 0: never */
    struct stream_group *group;    /**< NULL: of no green context */
    bool legacy;                   /**< its device's default stream */
    bool blocking;                 /**< ordered with its device's legacy default stream */
    bool destroyed;                /**< the handle is dead, queued work still runs */
    bool per_thread;               /**< a host thread's own: nobody else may destroy it */
    struct operation *last;        /**< most recently issued operation; referenced */
    struct op_set ordered;         /**< what has completed before the next operation starts */
    enum timeline_engine engine;   /**< of the last operation that uses one */
    uint64_t bar_op;               /**< that operation */
    LIST(struct stream_wait { uint64_t from; const void *at; }) waits; /**< events that the next one waits for */
    struct capture *capture;       /**< that it takes part in; NULL: none */
    struct tail tail;              /**< … and what its next node comes after */
};

/** What cudaEvent_t points to. */
struct event {
    struct event *next;
    unsigned flags;
    int device;
    struct operation *record;      /**< the latest cudaEventRecord; NULL before; referenced */
    uint64_t captured;             /**< recorded last in this capture; 0: in none */
    struct tail tail;              /**< … and what whoever waits for it comes after */
    struct shared_event *outside;  /**< of an event that other processes have, too; mapped until the process ends */
    bool imported;                 /**< … and another one has made */
    uint64_t own_record;           /**< number of this process's latest record of it */
};

/** The event a handle means, or NULL if it is none. */
struct event *event_find(cudaEvent_t handle);
/** One more, of the calling thread's device. */
struct event *event_new(unsigned flags);
/** Records it at a point within a kernel that has just been issued to `s`: when all its blocks have begun, or else have
 *  let dependents begin. `awaited`: a kernel that comes after it can wait for the end of this one. */
void event_record_early(struct event *e, struct operation *kernel, struct stream *s, bool begun, bool awaited);
/** The stream a handle means for the calling thread, or NULL if it is none. */
struct stream *stream_resolve(cudaStream_t handle);
struct stream *stream_new(int device, unsigned flags, int priority, bool blocking);
/** The streams of a device's primary context, and then also those of its green contexts, or a green context's. */
struct stream_choice {
    int device;
    struct stream_group *group;    /**< NULL: of the primary context */
};
/** Records the event behind all that these streams have been given. */
cudaError_t streams_record(const struct stream_choice *of, cudaEvent_t event);
/** All that these streams, and those made later, are given from now on comes after the event. */
cudaError_t streams_wait(const struct stream_choice *of, cudaEvent_t event);
/** A new stream waits for what those of its context wait for. */
void stream_awaits(struct stream *s);
/** … which is over: a reset. */
void streams_await_nothing(const struct stream_choice *of);
/** Frees destroyed streams whose work is done. */
void streams_sweep(void);
/** `call`: the API call that waits. */
cudaError_t stream_wait(struct stream *s, const char *call);
/** Everything issued so far, in all streams of the calling thread's device. */
cudaError_t device_wait(const char *call);
/** … of all devices. */
cudaError_t devices_wait(const char *call);

#endif
