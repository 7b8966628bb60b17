/**
 * @file operation.h
 * Operations that the host issues: kernels, copies, memsets, host functions, event records.
 *
 * An operation waits for its dependencies: the one before it in its stream, what the default
 * stream's rule adds (CUDA C++ Programming Guide, "Default stream"), and events waited for. It is
 * reference-counted: the queue, its stream, events and dependants hold it.
 */
#ifndef SOFTGPU_RUNTIME_STATE_OPERATION_H
#define SOFTGPU_RUNTIME_STATE_OPERATION_H
#include "base/issuer.h"
#include "execute/grid.h"
#include "runtime/state/stream.h"
#include "runtime/state/vtime.h"

enum op_kind { OP_KERNEL, OP_COPY, OP_SET, OP_HOST, OP_MARK /**< event, wait, ordering */, OP_FREE,
               OP_ALLOC /**< memory that a graph allocates */, OP_VALUE /**< value_op.h */ };
enum op_state { OP_QUEUED, OP_RUNNING, OP_DONE };
enum copy_path { COPY_H2D, COPY_D2H, COPY_D2D, COPY_H2H, COPY_PEER, COPY_PATHS };

/** A box of bytes: `width` bytes × `height` rows × `depth` slices. */
struct box_copy {
    uint64_t dst, src;             /**< device or host addresses */
    size_t dst_pitch, src_pitch;   /**< bytes between rows */
    size_t dst_slice, src_slice;   /**< bytes between slices */
    size_t width, height, depth;
    enum cudaMemcpyKind kind;      /**< as the call has said it */
    enum copy_path path;
    bool pageable;                 /**< one side is host memory that is not page-locked */
    bool dst_pageable, src_pageable; /**< the host's own memory */
    bool in_host;                    /**< both sides lie in memory of the host, pageable or page-locked */
    bool registered;               /**< the source is that, page-locked (cudaHostRegister) */
    bool client;                   /**< … which is another process's: runtime.client_copy */
    void *staged;                  /**< the source's bytes, packed, from the call on; owned */
    struct op_set *source_after;   /**< what its reads come after, where that is less than its stream's order says; owned; NULL: that */
};

/** Fills a box with a repeated element of 1, 2 or 4 bytes. */
struct box_set {
    uint64_t dst;
    size_t pitch, slice, width, height, depth;
    uint32_t value;
    unsigned element;
};

struct host_call {
    cudaHostFn_t fn;               /**< cudaLaunchHostFunc */
    cudaStreamCallback_t callback; /**< cudaStreamAddCallback */
    cudaStream_t handle;
    void *data;
    bool awaited;                  /**< the host has given it time to end (host_calls.c) */
    bool heard;                    /**< the host has gone on beside it: what that has waited for since is in the operation's `before` */
};

/** A point within a kernel that others wait for, in place of its end: all its blocks have executed
 *  griddepcontrol.launch_dependents (or ended), or have begun. */
enum early_point { EARLY_NOT, EARLY_TRIGGER, EARLY_BEGUN };
struct early {
    struct operation *kernel;      /**< referenced */
    enum early_point point;
    bool awaited;                  /**< whoever comes after it has it as a prerequisite: griddepcontrol.wait */
};

struct operation {
    enum op_kind kind;
    enum op_state state;
    int refs;
    uint64_t number;
    const char *name;              /**< static string: the API call */
    struct issuer by;              /**< its stream is known once it has been issued */
    struct stream *stream;
    int device;                    /**< that does it */
    struct operation *next;        /**< in the queue */
    LIST(struct operation *) deps; /**< referenced; dropped when done */
    struct op_set before;
    uint64_t settled;              /**< the host had waited for all operations below it when it issued this one */
    bool stood;                    /**< a kernel that has stood still alone: it waits for what is not issued yet */
    bool programmatic;             /**< a kernel that may begin before the one before it in its stream has ended: */
    struct operation *prerequisite;/**< that one; NULL: none; referenced */
    struct op_set behind;          /**< what is done at its end, besides `before`, by its prerequisites */
    enum early_point early_mark;   /**< it stands for such a point in the one kernel of `early` */
    LIST(struct early) early;      /**< what it, or a mark before it, has waited for so */
    struct op_set awaits;          /**< a kernel that has begun: whose ends griddepcontrol.wait waits for */
    bool lets_dependents;          /**< a kernel, once it has ended: it let dependents begin early */
    struct op_time time;
    bool late;                     /**< checked mode: not executed before somebody waits for it */
    bool needed;                   /**< somebody does */
    bool held;                     /**< scratch: it is behind a wait for a value */
    uint64_t rank;                 /**< checked mode: among those that may run, the highest is first */
    uint64_t bar_op;               /**< the latest operation in its stream that takes time, or itself */
    int priority;                  /**< its stream's: less is more urgent */
    cudaError_t status;
    struct node_writes *writes;    /**< of a mark: what nodes are from there on (stream/node_launch.h); owned; NULL: nothing */
    union {
        struct {
            struct kernel *kernel;
            struct grid_config config;
            void *params;          /**< owned */
            struct grid *grid;
        };
        struct box_copy copy;
        struct box_set set;
        struct host_call host;
        uint64_t address;          /**< OP_FREE, OP_ALLOC */
        struct {
            struct value_steps *values; /**< referenced */
            int values_done;
        };
    };
};

/** An operation of the API call that the calling thread is in. The caller holds the reference. */
struct operation *operation_new(enum op_kind kind, const char *name);
/** Tells the checkers of a step that orders streams; `by`: the stream that records or waits or, for
 *  NOTE_SYNC, that the host waits for. */
void operation_note(int kind, uint64_t op, uint64_t record, struct issuer by);
/**
 * Puts an operation into a stream: numbers it, gives it its dependencies and its place in virtual
 * time. The queue takes over the caller's reference; `also`, if not NULL, is one more operation
 * that must be done before.
 */
void operation_issue(struct operation *op, struct stream *s, struct operation *also);
/** Issues a node of a graph that runs in `s`: it comes after `before` (at least one) and nothing else.
 *  `last`: what is issued to `s` from now on comes after it. */
void operation_issue_node(struct operation *op, struct stream *s, struct operation *const *before,
                          int count, bool last);
void operation_ref(struct operation *op);
void operation_unref(struct operation *op);
bool operation_ready(struct operation *op);
/** All of `known` is done once the operation `number` is: tells those that come after it. */
void operations_learn(uint64_t number, const struct op_set *known);
/** Adds to *all what is known to be done once `op` is. */
void operation_known(const struct operation *op, struct op_set *all);
/** Marks as done: leaves the queue, frees its parts, wakes waiters. */
void operation_finish(struct operation *op);
/** Drops everything queued, after a fault. */
void operations_cancel(cudaError_t status);

#endif
