/**
 * @file capture_rules.h
 * What captures are made of, for capture.c, and what they forbid.
 */
#ifndef SOFTGPU_RUNTIME_CAPTURE_RULES_H
#define SOFTGPU_RUNTIME_CAPTURE_RULES_H

#include "runtime/state/capture.h"
#include "runtime/state/host_thread.h"

/** From cudaStreamBeginCapture() to cudaStreamEndCapture(). */
struct capture {
    uint64_t id; /**< never used again */
    struct graph *graph;
    bool own;              /**< the graph was made for it */
    bool invalid;          /**< something forbidden was done: only the end is left */
    struct stream *origin; /**< it begins and ends there */
    enum cudaStreamCaptureMode mode;
    const struct host_thread *thread; /**< the one that began it */
};

/** Those that have not ended. */
extern struct captures {
    struct capture **data;
    int count, cap;
    uint64_t last_id;
} captures;

/** Whether the legacy default stream may not be used: a stream that it waits for is capturing. */
bool captures_block_legacy(void);
/** A stream may end a capture `c` (NULL: it has none). */
cudaError_t capture_end_allowed(struct capture *c, const struct stream *s);
/** `s` may wait for an event; `c` is the capture that the event is of, NULL: one that has ended, or none. */
cudaError_t capture_wait_allowed(const struct event *e, struct capture *c, struct stream *s);

#endif
