/**
 * @file batch_copy.c
 * cudaMemcpyBatchAsync and cudaMemcpy3DBatchAsync: copies of memory, or of boxes between memory and arrays, in one call.
 *
 * All of them come after what is before them in their stream, and before what comes behind; nothing orders them among each other. What a
 * copy's source may be read ahead of is its cudaMemcpySrcAccessOrder: of nothing (Stream); of its stream, within the call, as if the
 * host read it (DuringApiCall); of its stream, from the call on (Any) (CUDA Runtime API, "Memory Management"). Errors of boxes are an H200's
 * (tests/runtime/small_facts.cu), and of lines an H100's (tests/runtime/pool_facts.cu): what comes before the one that is wrong takes place.
 */
#include "execute/observer_asks.h"
#include "execute/run_events.h"
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/state/capture.h"
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/stream.h"
#include "runtime/state/unwaited.h"

/** Bytes of an operand's element: an array's, 1 of memory. @return 0 if it is neither */
static size_t element_of(const struct cudaMemcpy3DOperand *o)
{
    if (o->type == cudaMemcpyOperandTypePointer)
        return 1;
    const struct array *a = o->type == cudaMemcpyOperandTypeArray ? array_resolve(o->op.array.array) : NULL;
    return a ? a->element : 0;
}

/** A side of the box, as cudaMemcpy3D() has it. @return false if it is none */
static bool put_side(const struct cudaMemcpy3DOperand *o, size_t element, struct cudaExtent e, cudaArray_t *array,
                     struct cudaPitchedPtr *p, struct cudaPos *at)
{
    if (o->type == cudaMemcpyOperandTypeArray) {
        *array = o->op.array.array;
        *at = (struct cudaPos){o->op.array.offset.x, o->op.array.offset.y, o->op.array.offset.z};
        return true;
    }
    size_t row = o->op.ptr.rowLength ? o->op.ptr.rowLength : e.width;
    size_t rows = o->op.ptr.layerHeight ? o->op.ptr.layerHeight : e.height;
    *p = (struct cudaPitchedPtr){o->op.ptr.ptr, row * element, e.width * element, rows};
    return o->op.ptr.ptr && row >= e.width && rows >= e.height;
}

static bool is_order(enum cudaMemcpySrcAccessOrder order)
{
    return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/** Lengths and extents count elements of the array that takes part, else bytes. */
static bool box_of(const struct cudaMemcpy3DBatchOp *op, struct box_copy *out)
{
    size_t from = element_of(&op->src), to = element_of(&op->dst), element = from > to ? from : to;
    struct cudaMemcpy3DParms p = {.extent = op->extent, .kind = cudaMemcpyDefault};
    return from && to && op->extent.width && op->extent.height && op->extent.depth &&
           is_order(op->srcAccessOrder) &&
           put_side(&op->src, element, op->extent, &p.srcArray, &p.srcPtr, &p.srcPos) &&
           put_side(&op->dst, element, op->extent, &p.dstArray, &p.dstPtr, &p.dstPos) && copy_box_of(&p, out);
}

/* ---- Issuing them ---- */

/** Bytes that the observers are told of at once as the host's. */
#define HOST_PART 4096

struct batch {
    const char *name;
    struct stream *stream;
    LIST(struct operation *) copies; /**< referenced; the first is where the batch begins */
    bool looks;                      /**< whether all copies can be made; none is, yet */
};

static void batch_begin(struct batch *b)
{
    struct operation *begin = operation_new(OP_MARK, b->name);
    operation_ref(begin);
    *LIST_PUSH(&b->copies) = begin;
    operation_issue(begin, b->stream, NULL);
}

/** What is issued to the stream from now on comes after all of them. */
static void batch_end(struct batch *b)
{
    struct operation *end = operation_new(OP_MARK, b->name);
    end->device = b->stream->device;
    operation_issue_node(end, b->stream, b->copies.data, b->copies.count, true);
    for (int i = 0; i < b->copies.count; i++)
        operation_unref(b->copies.data[i]);
    LIST_FREE(&b->copies);
}

/* Within the call, as if the host read it: what may run does so first, so that what has not been waited for shows. */
static void read_source_now(struct operation *op)
{
    const struct box_copy *c = &op->copy;
    for (int before = runtime.queued + 1; runtime.queued && runtime.queued < before && !runtime.sticky && !c->src_pageable;) {
        before = runtime.queued;
        engine_round(DRIVE_BACKGROUND);
    }
    for (size_t row = 0; row < c->height * c->depth && !c->src_pageable && runtime.options.check; row++)
        for (size_t at = 0; at < c->width; at += HOST_PART) {
            uint64_t start = c->src + row / c->height * c->src_slice + row % c->height * c->src_pitch + at;
            struct host_touch t = {.address = start, .bytes = c->width - at < HOST_PART ? c->width - at : HOST_PART,
                                   .pc = (uint64_t)(uintptr_t)runtime_thread()->call - 1, .done = &runtime.host_done};
            observers_host_touch(machine_observers(runtime.machine), &t);
        }
    copy_stage(op);
}

static void issue(struct batch *b, struct operation *op, enum cudaMemcpySrcAccessOrder order)
{
    struct operation *begin = b->copies.data[0];
    operation_ref(op);
    *LIST_PUSH(&b->copies) = op;
    op->device = b->stream->device;
    op->priority = b->stream->priority;
    op->by.batch = begin->number;
    if (order == cudaMemcpySrcAccessOrderDuringApiCall) {
        read_source_now(op);
    } else if (order == cudaMemcpySrcAccessOrderAny && runtime.options.check) {
        op->copy.source_after = calloc(1, sizeof *op->copy.source_after);
        if (!op->copy.source_after)
            abort();
        op_set_copy(op->copy.source_after, &runtime.host_done);
    }
    if (op->copy.src_pageable && !op->copy.staged)
        unwaited_lend(op, &op->copy);
    operation_issue_node(op, b->stream, &begin, 1, false);
}

/** A box of bytes, each part in one mapping. */
static cudaError_t add_box(struct batch *b, struct box_copy box, enum cudaMemcpySrcAccessOrder order)
{
    struct operation *op;
    cudaError_t e = copy_make(b->name, box, cudaMemcpyDefault, &op);
    if (op && b->looks)
        operation_unref(op);
    else if (op)
        issue(b, op, order);
    return e;
}

static cudaError_t add_line(struct batch *b, uint64_t dst, uint64_t src, size_t bytes, enum cudaMemcpySrcAccessOrder order)
{
    cudaError_t e = cudaSuccess;
    for (size_t done = 0, n; !e && done < bytes; done += n) {
        n = mapped_part(src + done, mapped_part(dst + done, bytes - done));
        e = add_box(b, (struct box_copy){.dst = dst + done, .src = src + done, .dst_pitch = n, .src_pitch = n, .width = n,
                                         .height = 1, .depth = 1}, order);
    }
    return e;
}

/* Which attributes are a copy's: those whose first copy it is, or one before it. */
static bool attributes_fit(const struct cudaMemcpyAttributes *attributes, const size_t *firsts, size_t number, size_t count)
{
    bool fit = attributes && firsts && number && number <= count && firsts[0] == 0;
    for (size_t i = 0; fit && i < number; i++)
        fit = is_order(attributes[i].srcAccessOrder) && attributes[i].flags <= cudaMemcpyFlagPreferOverlapWithCompute && firsts[i] < count && (!i || firsts[i] > firsts[i - 1]);
    return fit;
}

static cudaError_t stream_of_batch(cudaStream_t handle, struct stream **s)
{
    cudaError_t e = handle ? stream_for_work(handle, true, s) : cudaErrorInvalidValue;
    if (!e && (*s)->legacy)
        return cudaErrorInvalidValue;
    return !e && (*s)->capture ? cudaErrorStreamCaptureUnsupported /* which goes on */ : e;
}

cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attrs, size_t *attrs_idxs, size_t num_attrs, cudaStream_t stream)
{
    API_ENTER();
    struct batch b = {.name = "cudaMemcpyBatchAsync"};
    if (!dsts || !srcs || !sizes || !count || !attributes_fit(attrs, attrs_idxs, num_attrs, count))
        API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = stream_of_batch(stream, &b.stream);
    if (e)
        API_RETURN(e);
    size_t sound = 0; /* those before the first that cannot be: they take place */
    b.looks = true;
    while (sound < count && !(e = sizes[sound] ? cudaSuccess : cudaErrorInvalidValue) &&
           !(e = add_line(&b, (uint64_t)(uintptr_t)dsts[sound], (uint64_t)(uintptr_t)srcs[sound], sizes[sound], cudaMemcpySrcAccessOrderStream)))
        sound++;
    if (!sound)
        API_RETURN(e);
    b.looks = false;
    batch_begin(&b);
    cudaError_t failed = e;
    e = cudaSuccess;
    for (size_t i = 0, a = 0; i < sound && !e; i++) {
        while (a + 1 < num_attrs && attrs_idxs[a + 1] <= i)
            a++;
        e = add_line(&b, (uint64_t)(uintptr_t)dsts[i], (uint64_t)(uintptr_t)srcs[i], sizes[i], attrs[a].srcAccessOrder);
    }
    e = e ? e : failed;
    batch_end(&b);
    API_RETURN(e);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *list, unsigned long long flags, cudaStream_t stream)
{
    API_ENTER();
    struct batch b = {.name = "cudaMemcpy3DBatchAsync"};
    struct box_copy box;
    if (!count || !list || flags)
        API_RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!box_of(&list[i], &box))
            API_RETURN(cudaErrorInvalidValue);
    cudaError_t e = stream_of_batch(stream, &b.stream);
    if (e)
        API_RETURN(e);
    batch_begin(&b);
    for (size_t i = 0; i < count && !e; i++) {
        box_of(&list[i], &box);
        e = add_box(&b, box, list[i].srcAccessOrder);
    }
    batch_end(&b);
    API_RETURN(e);
}
