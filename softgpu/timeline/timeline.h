/**
 * @file timeline.h
 * The run in virtual time, as data for pictures: what each operation did when, on which stream and
 * which engine, who waited for whom, and where a race stood. timeline.c collects it;
 * timeline_json.c writes Chrome trace JSON.
 *
 * Times are nanoseconds of virtual time from the first call. Everything is sorted when a writer
 * gets it: streams by number, bars by start (then operation), waits by end, races as found.
 */
#ifndef SOFTGPU_TIMELINE_TIMELINE_H
#define SOFTGPU_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/list.h"

/** What a bar lies on besides its stream: one row each. */
enum timeline_engine {
    ENGINE_NONE,       /**< the host alone: copies within it, blocking calls */
    ENGINE_COPY_IN, ENGINE_COPY_OUT, ENGINE_SMS,
    ENGINE_HOST,       /**< the thread that runs host functions */
    ENGINE_COUNT
};

enum bar_kind {
    BAR_KERNEL, BAR_COPY_H2D, BAR_COPY_D2H, BAR_COPY_D2D, BAR_COPY_H2H, BAR_SET, BAR_HOST_FUNCTION,
    BAR_COPY_PEER,     /**< between two devices */
    BAR_CALL,          /**< the host stands in a blocking call; on the host's row */
    BAR_KIND_COUNT
};

struct timeline_bar {
    uint64_t op;                    /**< operation number, from 1 in issue order; 0: BAR_CALL */
    enum bar_kind kind;
    const char *label;              /**< owned: the kernel's name, else the API call */
    uint64_t stream;                /**< its row: timeline_row() of its stream; 0: the host's */
    uint64_t graph;                 /**< of a graph's node: the launch that it is of; else 0 */
    enum timeline_engine engine;
    int device;                     /**< whose engine it is */
    uint64_t issued_ns, start_ns, end_ns;
    uint64_t bytes;                 /**< of a copy or a memset, else 0 */
    double share;                   /**< part of the SMs that a kernel can fill, 0 < share <= 1; else 0 */
    const char *file;               /**< the host's call; NULL where unknown */
    int line;
};

enum wait_kind {
    WAIT_EVENT,            /**< cudaStreamWaitEvent: a stream waits for an event of another */
    WAIT_DEFAULT_STREAM,   /**< the legacy default stream's rule, in either direction */
    WAIT_HOST,             /**< the host waits: a synchronisation or a blocking copy */
    WAIT_GRAPH,            /**< an edge of a graph, between two of its branches */
    WAIT_KIND_COUNT
};

/** `to` did not start before `from` had ended. Arrows lead from (from_stream, from_ns) to
 *  (to_stream, to_ns). */
struct timeline_wait {
    enum wait_kind kind;
    const char *label;              /**< owned: the call that made it wait, "cudaStreamWaitEvent" */
    uint64_t from, to;              /**< operations that have bars; to = 0: the host */
    uint64_t from_stream, to_stream;/**< to_stream = 0: the host's row */
    uint64_t from_ns, to_ns;        /**< end of `from`, start of `to` */
    const char *file;               /**< of the call; NULL where unknown */
    int line;
};

/** Two uses of one memory that nothing orders. */
struct timeline_race {
    uint64_t first, second;         /**< operations; 0: an access by the host */
    uint64_t host_ns;               /**< when the host touched it, where one is 0 */
    const char *message;            /**< owned: the finding's sentence */
    const char *object;             /**< owned: "alloc3", a variable's name, "" */
};

/** A row: a stream's, or that of one more branch of the graphs that run in it. */
struct timeline_stream {
    uint64_t id;                    /**< 0 the host, 1 the default stream, others as created; branches: timeline_row() */
    char name[64];                  /**< "host", "default stream", "stream 1", "stream 1, branch 2", … */
};

struct timeline {
    const char *device;             /**< the model's name */
    uint64_t end_ns;                /**< of the last bar */
    LIST(struct timeline_stream) streams;  /**< those that have a bar */
    LIST(struct timeline_bar) bars;
    LIST(struct timeline_wait) waits;
    LIST(struct timeline_race) races;
    bool cut;                       /**< there were more bars than are kept */
};

/** "copy in", "copy out", "SMs", "host functions"; "" for ENGINE_NONE. */
const char *timeline_engine_name(enum timeline_engine engine);
/** The engine that operations of a kind run on. */
enum timeline_engine timeline_engine_of(enum bar_kind kind);
/** The row of branch `branch` (0: the stream's own) of graphs in a stream; and back. */
uint64_t timeline_row(uint64_t stream, unsigned branch);
uint64_t timeline_stream_of(uint64_t row);
unsigned timeline_branch_of(uint64_t row);
/** Whether a row stands before another: branches below their stream. */
bool timeline_row_before(uint64_t row, uint64_t other);
/** "event", "default stream", "host", "graph" */
const char *timeline_wait_name(enum wait_kind kind);
/** "kernel", "host to device", … */
const char *timeline_kind_name(enum bar_kind kind);
/** The bar of operation `op`, or NULL. Bars are sorted by start, so this is a search. */
const struct timeline_bar *timeline_find(const struct timeline *t, uint64_t op);

/** Chrome trace JSON (opens in Perfetto). @return false when `f` could not be written */
bool timeline_write_json(const struct timeline *t, FILE *f);

/** A picture. Two timelines drawn to the same `end_ns` have the same scale; 0, or a time before the
 *  last bar's end, means that end. @return false when `f` could not be written */
bool timeline_write_svg(const struct timeline *t, uint64_t end_ns, const char *title, FILE *f);

#endif
