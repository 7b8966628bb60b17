/**
 * @file capture_rules.c
 * What is forbidden while a stream captures (CUDA C++ Programming Guide, "Prohibited and Unhandled
 * Operations"; Runtime API, cudaThreadExchangeStreamCaptureMode). Mostly it ends the capture as invalid.
 */
#include "runtime/graph/capture_rules.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

static void invalidate(struct capture *c)
{
    c->invalid = true;
}

bool captures_block_legacy(void)
{
    for (const struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture && s->blocking)
            return true;
    return false;
}

/* The legacy default stream would wait for streams that capture. */
static cudaError_t legacy_used(void)
{
    for (const struct stream *s = runtime.streams; s; s = s->next)
        if (s->capture && s->blocking)
            invalidate(s->capture);
    return cudaErrorStreamCaptureImplicit;
}

cudaError_t stream_for_work(cudaStream_t handle, bool async, struct stream **out)
{
    struct stream *s = *out = stream_resolve(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (s->legacy && captures.count && captures_block_legacy())
        return legacy_used();
    if (s->capture && s->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    return async || !s->capture ? cudaSuccess : capture_allows_stream_wait(s);
}

/* Whether a capture forbids the calling thread what it does not see. */
static bool forbids_unsafe(const struct capture *c)
{
    const struct host_thread *t = runtime_thread();
    if (t->capture_mode == cudaStreamCaptureModeRelaxed)
        return false;
    if (c->thread == t)
        return c->mode != cudaStreamCaptureModeRelaxed;
    return t->capture_mode == cudaStreamCaptureModeGlobal && c->mode == cudaStreamCaptureModeGlobal;
}

cudaError_t capture_allows_unsafe(void)
{
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < captures.count; i++)
        if (forbids_unsafe(captures.data[i])) {
            invalidate(captures.data[i]);
            e = cudaErrorStreamCaptureUnsupported;
        }
    return e;
}

cudaError_t capture_allows_device_wait(void)
{
    for (int i = 0; i < captures.count; i++)
        invalidate(captures.data[i]);
    return captures.count ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t capture_allows_stream_wait(struct stream *s)
{
    if (s->legacy && captures.count && captures_block_legacy())
        return legacy_used();
    if (!s->capture)
        return capture_allows_unsafe();
    invalidate(s->capture);
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t capture_allows_event_wait(struct event *e)
{
    if (!e->captured)
        return capture_allows_unsafe();
    for (int i = 0; i < captures.count; i++)
        if (captures.data[i]->id == e->captured) {
            invalidate(captures.data[i]);
            return cudaErrorCapturedEvent;
        }
    return cudaErrorInvalidValue; /* its capture has ended */
}

cudaError_t capture_end_allowed(struct capture *c, const struct stream *s)
{
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s) {
        invalidate(c);
        return cudaErrorStreamCaptureUnmatched;
    }
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != runtime_thread())
        return cudaErrorStreamCaptureWrongThread;
    return c->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t capture_failed(cudaError_t e, struct stream *s)
{
    if (s->capture)
        invalidate(s->capture);
    return e;
}

cudaError_t capture_wait_allowed(const struct event *e, struct capture *c, struct stream *s)
{
    if (!e->captured) { /* what it waits for lies outside of the graph */
        if (!e->record)
            return cudaSuccess;
        invalidate(s->capture);
        return cudaErrorStreamCaptureIsolation;
    }
    if (!c)
        return cudaErrorInvalidValue;
    if (c->invalid)
        return cudaErrorStreamCaptureInvalidated;
    if (s->legacy) {
        invalidate(c);
        return cudaErrorStreamCaptureImplicit;
    }
    if (s->capture && s->capture != c) {
        invalidate(s->capture);
        invalidate(c);
        return cudaErrorStreamCaptureMerge;
    }
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    API_ENTER();
    struct host_thread *t = runtime_thread();
    if (!mode)
        API_RETURN(cudaErrorInvalidValue);
    enum cudaStreamCaptureMode before = t->capture_mode;
    t->capture_mode = *mode;
    *mode = before;
    API_RETURN(cudaSuccess);
}
