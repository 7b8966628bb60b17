/**
 * @file batch_copy.c
 * cudaMemcpy3DBatchAsync: boxes between memory and arrays, in one call. Here they are copied one after another, as given; on a GPU
 * nothing orders them. Errors are an H200's (tests/runtime/small_facts.cu).
 */
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/state/capture.h"
#include "runtime/state/stream.h"

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

/** Lengths and extents count elements of the array that takes part, else bytes. */
static bool box_of(const struct cudaMemcpy3DBatchOp *op, struct box_copy *out)
{
    size_t from = element_of(&op->src), to = element_of(&op->dst), element = from > to ? from : to;
    struct cudaMemcpy3DParms p = {.extent = op->extent, .kind = cudaMemcpyDefault};
    return from && to && op->extent.width && op->extent.height && op->extent.depth &&
           op->srcAccessOrder >= cudaMemcpySrcAccessOrderStream && op->srcAccessOrder <= cudaMemcpySrcAccessOrderAny &&
           put_side(&op->src, element, op->extent, &p.srcArray, &p.srcPtr, &p.srcPos) &&
           put_side(&op->dst, element, op->extent, &p.dstArray, &p.dstPtr, &p.dstPos) && copy_box_of(&p, out);
}

static cudaError_t batch(size_t count, const struct cudaMemcpy3DBatchOp *list, unsigned long long flags, cudaStream_t handle)
{
    struct stream *s;
    struct box_copy box;
    if (!count || !list || flags || !handle)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!box_of(&list[i], &box))
            return cudaErrorInvalidValue;
    cudaError_t e = stream_for_work(handle, true, &s);
    if (!e && s->capture)
        return cudaErrorStreamCaptureUnsupported; /* which goes on */
    for (size_t i = 0; i < count && !e; i++) {
        box_of(&list[i], &box);
        e = copy_box("cudaMemcpy3DBatchAsync", box, cudaMemcpyDefault, s, true);
    }
    return e;
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *list, unsigned long long flags, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(batch(count, list, flags, stream));
}
