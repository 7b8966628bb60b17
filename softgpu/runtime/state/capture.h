/**
 * @file capture.h
 * Stream capture: operations that are put into a capturing stream become nodes of a graph.
 */
#ifndef SOFTGPU_RUNTIME_STATE_CAPTURE_H
#define SOFTGPU_RUNTIME_STATE_CAPTURE_H

#include "runtime/state/entry.h"
#include "runtime/state/operation.h"

/* ---- capture.c ---- */

/** Takes an operation for the graph of the capture that `s` takes part in. @return cudaSuccess */
cudaError_t capture_take(struct operation *op, struct stream *s);
/** Whether that capture has freed this memory already. */
bool capture_frees(const struct stream *s, uint64_t address);
/** cudaEventRecord() in a capturing stream. */
void capture_record(struct event *e, struct stream *s, unsigned flags);
/** A launch that has just been captured in `s` records it at a point within its kernel: see event_record_early(). */
void capture_record_early(struct event *e, struct stream *s, bool begun, bool awaited);
/** cudaStreamWaitEvent(), as far as captures have to do with it; `*done`: entirely. */
cudaError_t capture_wait(struct event *e, struct stream *s, unsigned flags, bool *done);
/** Ends the capture that began in a stream which is destroyed. */
void capture_stream_destroyed(struct stream *s);
/** Ends all captures: cudaDeviceReset(). */
void captures_reset(void);

/** API_ENTER() of calls that a capture does not see, such as cudaMalloc(): leaves where they are forbidden now. */
#define API_ENTER_UNCAPTURED()                                                                     \
    API_ENTER();                                                                                   \
    do {                                                                                           \
        cudaError_t forbidden_ = capture_allows_unsafe();                                          \
        if (forbidden_)                                                                            \
            API_RETURN(forbidden_);                                                                \
    } while (0)
/** The same of calls that allocate, for which the toolkit has typed templates: see API_THROUGH(). */
#define API_ENTER_ALLOC(levels)                                                                    \
    API_ENTER_UNCAPTURED();                                                                        \
    API_THROUGH(levels)

/* ---- capture_rules.c: each ends captures as invalid where it says no ---- */

/** The stream that a handle means, for a call that puts work into it; `async`: the call does not wait. */
cudaError_t stream_for_work(cudaStream_t handle, bool async, struct stream **out);
/** Whether a call that a capture does not see, such as cudaMalloc, may be made now. */
cudaError_t capture_allows_unsafe(void);
/** Whether the host may wait for all of the device, a stream, an event, or ask about them. */
cudaError_t capture_allows_device_wait(void);
cudaError_t capture_allows_stream_wait(struct stream *s);
cudaError_t capture_allows_event_wait(struct event *e);
/** A call that fails so ends the capture that `s` takes part in. @return e */
cudaError_t capture_failed(cudaError_t e, struct stream *s);

#endif
