/**
 * @file copy.c
 * Copies and fills of boxes of bytes: checking the addresses, and the work itself.
 */
#include "runtime/memory/copy.h"
#include "runtime/memory/graph_block.h"

#include <string.h>

#include "analyse/communication.h"
#include "execute/observer.h"
#include "memory/followed.h"
#include "memory/space.h"
#include "runtime/state/capture.h"
#include "runtime/state/execution.h"
#include "runtime/state/failure.h"
#include "runtime/state/unwaited.h"
#include "runtime/time/record.h"

/** Rows that the observers are told about one by one; a taller box is told as one range. */
#define MAX_OBSERVED_ROWS 65536

static struct allocation *find(uint64_t address)
{
    struct allocation *a = memory_find(machine_memory(runtime.machine), address);
    if (a && a->freed && a->kind != ALLOC_DEVICE && a->kind != ALLOC_VARIABLE)
        return NULL; /* host memory that is the host's own again */
    return a;
}

/* The host's own memory, as far as it is ours to touch. */
static enum place pageable(uint64_t address, uint64_t bytes)
{
    return !runtime.host_range || runtime_thread()->client_memory || runtime.host_range(address, bytes) ? PLACE_PAGEABLE : PLACE_INVALID;
}

enum place place_of(uint64_t address, uint64_t bytes)
{
    struct allocation *a = find(address);
    if (!a) {
        bool device = address - DEVICE_BASE < DEVICE_BYTES;
        return device || !address ? PLACE_INVALID : pageable(address, bytes);
    }
    if (a->freed || !memory_holds(machine_memory(runtime.machine), address, bytes)) {
        /* Host memory may be registered in part. */
        return a->kind == ALLOC_REGISTERED ? pageable(address, bytes) : PLACE_INVALID;
    }
    switch (a->kind) {
    case ALLOC_HOST:
    case ALLOC_REGISTERED:
        return PLACE_PINNED;
    case ALLOC_MANAGED:
        return PLACE_MANAGED;
    case ALLOC_DEVICE_HEAP: /* no call takes what a kernel has allocated (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation") */
        return PLACE_INVALID;
    default:
        return PLACE_DEVICE;
    }
}

enum use { IS_READ, IS_WRITTEN_IN_PART, IS_WRITTEN };

/* Where the bytes of an operation that is about to run lie. NULL where they have been freed since it was issued: the operation fails. */
static uint8_t *bytes_of(struct operation *op, uint64_t address, uint64_t bytes, bool pageable_then, enum use use)
{
    const struct memory *m = machine_memory(runtime.machine);
    if (pageable_then)
        return (uint8_t *)(uintptr_t)address;
    void *p = use == IS_WRITTEN ? memory_overwrite(m, address, bytes)
              : use == IS_READ  ? memory_translate(m, address, bytes) : memory_change(m, address, bytes);
    if (!p) {
        copy_tell_freed(op, address, use != IS_READ);
        op->status = runtime.sticky = cudaErrorIllegalAddress;
    }
    return p;
}

static bool on_device(enum place p)
{
    return p == PLACE_DEVICE || p == PLACE_MANAGED;
}

/* Bytes from the first to the last of a box, 0 on overflow. */
static uint64_t extent(size_t pitch, size_t slice, size_t width, size_t height, size_t depth)
{
    uint64_t rows, slices, sum;
    if (__builtin_mul_overflow((uint64_t)pitch, height - 1, &rows) ||
        __builtin_mul_overflow((uint64_t)slice, depth - 1, &slices) ||
        __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, width, &sum))
        return 0;
    return sum;
}

/* Whether the places suit the direction that the caller names: with unified addresses the side called
 * "host" may be anything, the side called "device" anything but pageable (seen on an H200). */
static bool kind_fits(enum cudaMemcpyKind kind, enum place dst, enum place src)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return !(to_device && dst == PLACE_PAGEABLE) && !(from_device && src == PLACE_PAGEABLE);
}

/* Why a place of a copy or fill is none. */
static void explain(uint64_t address, uint64_t bytes, bool write)
{
    const struct allocation *a = find(address);
    struct call_facts facts = {.bytes = bytes, .address = address, .write = write};
    bool heap = a && a->kind == ALLOC_DEVICE_HEAP;
    failure_because(!a ? CAUSE_COPY_WILD : a->freed ? CAUSE_COPY_FREED : heap ? CAUSE_COPY_HEAP : CAUSE_COPY_OUTSIDE, &facts, address);
}

static enum copy_path path_of(enum cudaMemcpyKind kind, enum place dst, enum place src)
{
    if (kind != cudaMemcpyDefault)
        return kind == cudaMemcpyHostToDevice   ? COPY_H2D
               : kind == cudaMemcpyDeviceToHost ? COPY_D2H
               : kind == cudaMemcpyHostToHost   ? COPY_H2H
                                                : COPY_D2D;
    if (on_device(dst))
        return on_device(src) ? COPY_D2D : COPY_H2D;
    return on_device(src) ? COPY_D2H : COPY_H2H;
}

cudaError_t copy_make(const char *name, struct box_copy box, enum cudaMemcpyKind kind,
                      struct operation **out)
{
    *out = NULL;
    if (!box.width || !box.height || !box.depth)
        return cudaSuccess; /* whatever the kind */
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (box.height == 1)
        box.dst_pitch = box.src_pitch = box.width;
    if (box.dst_pitch < box.width || box.src_pitch < box.width)
        return cudaErrorInvalidPitchValue;
    uint64_t to = extent(box.dst_pitch, box.dst_slice, box.width, box.height, box.depth);
    uint64_t from = extent(box.src_pitch, box.src_slice, box.width, box.height, box.depth);
    if (!to || !from)
        return cudaErrorInvalidValue;
    enum place dst = graph_block_place(box.dst, to), src = graph_block_place(box.src, from);
    if (dst == PLACE_INVALID || src == PLACE_INVALID) {
        bool write = dst == PLACE_INVALID;
        explain(write ? box.dst : box.src, write ? to : from, write);
        return cudaErrorInvalidValue;
    }
    if (!kind_fits(kind, dst, src)) {
        bool write = dst == PLACE_PAGEABLE && kind != cudaMemcpyDeviceToHost;
        failure_because(CAUSE_COPY_DIRECTION, &(struct call_facts){.write = write}, 0);
        return cudaErrorInvalidValue;
    }
    copy_look_for_overlap(name, &box);
    struct operation *op = *out = operation_new(OP_COPY, name);
    op->copy = box;
    op->copy.kind = kind;
    op->copy.path = path_of(kind, dst, src);
    if (dst == PLACE_DEVICE && src == PLACE_DEVICE && graph_block_device(box.dst) != graph_block_device(box.src))
        op->copy.path = COPY_PEER;
    const struct allocation *source = find(box.src);
    op->copy.registered = source && source->kind == ALLOC_REGISTERED;
    op->copy.pageable = dst == PLACE_PAGEABLE || src == PLACE_PAGEABLE;
    op->copy.dst_pageable = dst == PLACE_PAGEABLE;
    op->copy.src_pageable = src == PLACE_PAGEABLE;
    op->copy.in_host = !on_device(dst) && !on_device(src);
    op->copy.client = op->copy.pageable && runtime_thread()->client_memory;
    return cudaSuccess;
}

/* Between two devices in a default stream: such a copy begins when all that has been issued to either has ended, and
 * what is issued to either from then on comes after it (CUDA C++ Programming Guide, "Peer-to-Peer Memory Copy"). */
static void copy_between(struct operation *op, struct stream *s)
{
    const int of[2] = {graph_block_device(op->copy.dst), graph_block_device(op->copy.src)};
    for (struct stream *o = runtime.streams; o; o = o->next)
        if ((o->device == of[0] || o->device == of[1]) && o->last && o != s && !o->capture)
            operation_issue(operation_new(OP_MARK, op->name), s, o->last);
    operation_issue(op, s, NULL);
    for (struct stream *o = runtime.streams; o; o = o->next)
        if ((o->device == of[0] || o->device == of[1]) && o != s && !o->capture && !o->destroyed)
            operation_issue(operation_new(OP_MARK, op->name), o, op);
}

static bool overlaps(const struct box_copy *c, uint64_t base, uint64_t bytes)
{
    return c->src < base + bytes && base < c->src + extent(c->src_pitch, c->src_slice, c->width, c->height, c->depth);
}

static bool points_into(const struct operation *kernel, const struct allocation *a)
{
    for (uint32_t at = 0; kernel->params && at + 8 <= kernel->config.kernel->param_bytes; at += 8) {
        uint64_t value;
        memcpy(&value, kernel->params + at, sizeof value);
        if (find(value) == a)
            return true;
    }
    return false;
}

/* May `op`, unfinished, before a copy, wait for something that the host does, or write what the copy reads? */
static bool leaves_source(const struct operation *op, const struct operation *copy)
{
    const struct box_copy *c = &op->copy;
    const struct box_set *s = &op->set;
    switch (op->kind) {
    case OP_KERNEL:
        return !communication_of(op->config.kernel)->polls && !op->config.graph && !points_into(op, find(copy->copy.src));
    case OP_COPY:
        return !overlaps(&copy->copy, c->dst, extent(c->dst_pitch, c->dst_slice, c->width, c->height, c->depth));
    case OP_SET:
        return !overlaps(&copy->copy, s->dst, extent(s->pitch, s->slice, s->width, s->height, s->depth));
    default:
        return op->kind == OP_MARK || op->kind == OP_ALLOC || op->kind == OP_FREE;
    }
}

/* Whatever the host changes in the source of a copy before that is done, nothing orders it after what is done, unless something
 * before the copy can wait for the host; and nobody else changes it. */
static bool only_host_changes(const struct operation *copy)
{
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        if (o != copy && (op_set_has(&copy->before, o->number) || op_set_has(&copy->behind, o->number)) && !leaves_source(o, copy))
            return false;
    return true;
}

cudaError_t copy_box(const char *name, struct box_copy box, enum cudaMemcpyKind kind,
                     struct stream *s, bool async)
{
    struct operation *op;
    cudaError_t e = copy_make(name, box, kind, &op);
    if (e || !op)
        return e;
    if (s->capture)
        return capture_take(op, s);
    if (op->copy.client /* the capture that the server saw has ended meanwhile */ ||
        place_of(box.dst, 1) == PLACE_INVALID || place_of(box.src, 1) == PLACE_INVALID) {
        bool write = place_of(box.dst, 1) == PLACE_INVALID;
        explain(write ? box.dst : box.src, box.width, write);
        operation_unref(op);
        return cudaErrorInvalidValue;
    }
    /* A copy within the device does not hold the host up, even where the call is not "Async"; one within the host does, even where it is. */
    bool within = op->copy.in_host, wait = op->copy.pageable || within || (!async && op->copy.path != COPY_D2D && op->copy.path != COPY_PEER);
    operation_ref(op);
    /* What the host does in its own memory, page-locked, is seen only by what it has left there. */
    bool compared = op->copy.registered && async && runtime.options.check;
    if (op->copy.src_pageable && place_of(box.dst, 1) == PLACE_DEVICE) {
        e = copy_staged(op, s, async);
    } else if (s->legacy && op->copy.path == COPY_PEER) {
        copy_between(op, s);
        e = cudaSuccess;
    } else {
        operation_issue(op, s, NULL);
        if (compared && !op->copy.pageable && only_host_changes(op))
            unwaited_lend_pinned(op);
        e = wait ? (async && !within ? engine_pass : engine_wait)(op, name) : cudaSuccess;
    }
    operation_unref(op);
    return e;
}

cudaError_t set_make(const char *name, struct box_set box, struct operation **out)
{
    *out = NULL;
    if (!box.width || !box.height || !box.depth)
        return cudaSuccess;
    if (box.height == 1)
        box.pitch = box.width;
    if (box.pitch < box.width)
        return cudaErrorInvalidValue;
    uint64_t bytes = extent(box.pitch, box.slice, box.width, box.height, box.depth);
    enum place p = bytes ? graph_block_place(box.dst, bytes) : PLACE_INVALID;
    if (p == PLACE_INVALID || p == PLACE_PAGEABLE) {
        explain(box.dst, bytes, true);
        return cudaErrorInvalidValue;
    }
    *out = operation_new(OP_SET, name);
    (*out)->set = box;
    return cudaSuccess;
}

cudaError_t set_part(const char *name, struct box_set box, struct stream *s, bool async)
{
    struct operation *op;
    cudaError_t e = set_make(name, box, &op);
    if (e || !op)
        return e;
    struct allocation *a = find(box.dst);
    if ((a && !(a->reach >> s->device & 1)) /* so on two H200 */ || (!s->capture && place_of(box.dst, 1) == PLACE_INVALID)) {
        operation_unref(op);
        return cudaErrorInvalidValue;
    }
    if (s->capture)
        return capture_take(op, s);
    operation_ref(op);
    operation_issue(op, s, NULL);
    bool wait = !async && place_of(box.dst, 1) == PLACE_PINNED;
    e = wait ? engine_wait(op, name) : cudaSuccess;
    operation_unref(op);
    return e;
}

/* ---- execution ---- */

static void observe(const struct operation *op, uint64_t dst, uint64_t dst_bytes, uint64_t src,
                    uint64_t src_bytes)
{
    struct host_op h = {.op = op->number, .name = op->name, .before = &op->before, .waited = &runtime.host_done,
                        .read_after = op->kind == OP_COPY ? op->copy.source_after : NULL,
                        .write_base = dst, .write_bytes = dst_bytes, .read_base = src, .read_bytes = src_bytes,
                        .by = op->by, .defines = true};
    if (runtime.host_range && op->copy.dst_pageable && !op->copy.client)
        h.write_bytes = 0; /* it is the place of a message, and no memory of the program's */
    if (runtime.host_range && op->copy.src_pageable && !op->copy.client)
        h.read_bytes = 0;
    OBSERVE(machine_observers(runtime.machine), host_op, &h);
}

/* A row, where one side or both are memory of another process. */
static bool move_row(const struct box_copy *c, uint64_t to, uint8_t *dst, uint64_t from, const uint8_t *src)
{
    uint8_t *between = NULL;
    if (c->src_pageable && c->dst_pageable && !(between = malloc(c->width)))
        return false;
    uint8_t *into = between ? between : dst;
    bool moved = !c->src_pageable || runtime.client_copy(false, from, into, c->width);
    if (moved && c->dst_pageable)
        moved = runtime.client_copy(true, to, between ? between : (void *)(uintptr_t)src, c->width);
    free(between);
    return moved;
}

static void move(struct operation *op, uint8_t *dst, const uint8_t *src, uint64_t d, uint64_t s, size_t bytes)
{
    struct box_copy row = op->copy;
    row.width = bytes;
    if (runtime.ending && (row.dst_pageable || (row.src_pageable && !row.staged)))
        return;
    if (!op->copy.client) {
        memmove(dst + d, src + s, bytes);
    } else if (!move_row(&row, op->copy.dst + d, dst + d, op->copy.src + s, src + s)) {
        runtime_say("%s: the program's memory could not be reached", op->name);
        op->status = runtime.sticky = cudaErrorIllegalAddress;
    }
}

void copy_execute(struct operation *op)
{
    struct box_copy c = op->copy;
    uint64_t to = extent(c.dst_pitch, c.dst_slice, c.width, c.height, c.depth);
    uint64_t from = extent(c.src_pitch, c.src_slice, c.width, c.height, c.depth);
    bool flat = to == (uint64_t)c.width * c.height * c.depth && from == to;
    const uint8_t *src = bytes_of(op, c.src, from, c.src_pageable, IS_READ);
    uint8_t *dst = src ? bytes_of(op, c.dst, to, c.dst_pageable, flat ? IS_WRITTEN : IS_WRITTEN_IN_PART) : NULL;
    if (!dst)
        return;
    bool each = !flat && c.height <= MAX_OBSERVED_ROWS / c.depth;
    if (runtime.options.check && !each)
        observe(op, c.dst, to, c.src, from);
    if (flat) {
        move(op, dst, src, 0, 0, to);
        return;
    }
    for (size_t z = 0; z < c.depth; z++)
        for (size_t y = 0; y < c.height; y++) {
            uint64_t d = z * c.dst_slice + y * c.dst_pitch, s = z * c.src_slice + y * c.src_pitch;
            if (runtime.options.check && each)
                observe(op, c.dst + d, c.width, c.src + s, c.width);
            move(op, dst, src, d, s, c.width);
        }
}

static void fill(uint8_t *p, size_t bytes, uint32_t value, unsigned element)
{
    if (element == 1) {
        memset(p, (int)(value & 0xff), bytes);
        return;
    }
    for (size_t i = 0; i + element <= bytes; i += element)
        memcpy(p + i, &value, element);
}

void set_execute(struct operation *op)
{
    struct box_set s = op->set;
    uint64_t bytes = extent(s.pitch, s.slice, s.width, s.height, s.depth);
    bool flat = bytes == (uint64_t)s.width * s.height * s.depth;
    uint8_t *dst = bytes_of(op, s.dst, bytes, false, flat && bytes % s.element == 0 ? IS_WRITTEN : IS_WRITTEN_IN_PART);
    if (!dst)
        return;
    bool each = !flat && s.height <= MAX_OBSERVED_ROWS / s.depth;
    if (runtime.options.check && !each)
        observe(op, s.dst, bytes, 0, 0);
    for (size_t z = 0; z < s.depth; z++)
        for (size_t y = 0; y < s.height; y++) {
            uint64_t d = z * s.slice + y * s.pitch;
            if (runtime.options.check && each)
                observe(op, s.dst + d, s.width, 0, 0);
            fill(dst + d, s.width, s.value, s.element);
        }
}
