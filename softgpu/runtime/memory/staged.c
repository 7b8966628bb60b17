/**
 * @file staged.c
 * Copies whose source's bytes are kept from the call on: from pageable memory to the device.
 *
 * The call returns when the source's bytes are staged; they may arrive later (CUDA Runtime API, "API
 * synchronization behavior"; seen on an H200: tests/gpu/pageable_h200.txt). Only what the copy's stream
 * orders comes after it.
 */
#include <string.h>

#include "memory/memory.h"
#include "runtime/memory/copy.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"
#include "runtime/state/unwaited.h"
#include "runtime/time/record.h"

/** Staged bytes that may be outstanding. */
#define MAX_STAGED (256u << 20)

static uint64_t staged_bytes;

void copy_stage(struct operation *op)
{
    struct box_copy *c = &op->copy;
    uint64_t bytes = (uint64_t)c->width * c->height * c->depth;
    uint8_t *to = c->staged = malloc(bytes);
    const uint8_t *from = c->src_pageable ? (const uint8_t *)(uintptr_t)c->src : memory_translate(machine_memory(runtime.machine), c->src, 1);
    if (!to || !from)
        abort();
    staged_bytes += bytes;
    for (size_t z = 0; z < c->depth; z++)
        for (size_t y = 0; y < c->height; y++, to += c->width)
            memcpy(to, from + z * c->src_slice + y * c->src_pitch, c->width);
    c->src = (uint64_t)(uintptr_t)c->staged;
    c->src_pitch = c->width;
    c->src_slice = c->width * c->height;
    op->by.staged = c->src_pageable;
    c->pageable = c->src_pageable = true;
}

void copy_unstage(struct operation *op)
{
    if (op->copy.staged)
        staged_bytes -= (uint64_t)op->copy.width * op->copy.height * op->copy.depth;
    free(op->copy.staged);
    op->copy.staged = NULL;
    if (op->copy.source_after) {
        op_set_free(op->copy.source_after);
        free(op->copy.source_after);
    }
    op->copy.source_after = NULL;
}

cudaError_t copy_staged(struct operation *op, struct stream *s, bool async)
{
    const struct device_timing *t = runtime.device->timing;
    double bytes = (double)op->copy.width * (double)op->copy.height * (double)op->copy.depth;
    cudaError_t e = async ? cudaSuccess : stream_wait(s, op->name);
    uint64_t from = runtime.host_ns;
    if (async)
        unwaited_lend(op, &op->copy);
    copy_stage(op);
    operation_issue(op, s, NULL);
    double gbs = runtime.device->link_gbs[COPY_H2D] * t->pageable_reach;
    vtime_host(t->stage_us - t->copy_call_us + bytes / gbs / 1000);
    if (bytes > t->staging_bytes) { /* the buffers are full until the copy has begun */
        if (vtime_run(UINT64_MAX, op, true) && op->time.end_ns > runtime.host_ns)
            runtime.host_ns = op->time.end_ns;
    }
    timeline_call(op->name, from, NULL);
    if (staged_bytes > MAX_STAGED)
        engine_execute(op, GIVE_UP_STUCK);
    return e ? e : runtime.sticky;
}
