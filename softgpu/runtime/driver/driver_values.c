/**
 * @file driver_values.c
 * Driver API: stream memory operations. Errors are an H200's (tests/runtime/memop_facts.cu); so is that NVIDIA's old forms,
 * without _v2, are switched off.
 */
#include <string.h>

#include "runtime/driver/driver.h"
#include "runtime/graph/graph.h"
#include "runtime/state/capture.h"
#include "runtime/state/value_op.h"

/** Of one batch, as on an H200. */
#define MAX_BATCH 255

static cudaError_t place(CUdeviceptr address, unsigned bytes)
{
    const struct allocation *a = memory_holds(machine_memory(runtime.machine), address, bytes);
    return !a || address % bytes || a->kind == ALLOC_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t wait_step(CUdeviceptr address, uint64_t value, unsigned flags, unsigned bytes, struct value_step *out)
{
    static const enum value_how ways[] = {[CU_STREAM_WAIT_VALUE_GEQ] = VALUE_AT_LEAST, [CU_STREAM_WAIT_VALUE_EQ] = VALUE_EQUAL,
                                          [CU_STREAM_WAIT_VALUE_AND] = VALUE_AND, [CU_STREAM_WAIT_VALUE_NOR] = VALUE_NOR};
    if (flags & ~(unsigned)(CU_STREAM_WAIT_VALUE_FLUSH | CU_STREAM_WAIT_VALUE_NOR))
        return cudaErrorInvalidValue;
    if (flags & CU_STREAM_WAIT_VALUE_FLUSH)
        return cudaErrorNotSupported;
    *out = (struct value_step){.how = ways[flags], .bytes = bytes, .address = address, .value = value};
    return place(address, bytes);
}

static cudaError_t write_step(CUdeviceptr address, uint64_t value, unsigned flags, unsigned bytes, struct value_step *out)
{
    *out = (struct value_step){.how = VALUE_WRITE, .bytes = bytes, .address = address, .value = value};
    return flags ? cudaErrorInvalidValue : place(address, bytes);
}

/* A barrier orders no more than operations of a stream are ordered anyway. @return an error; `*count` grows by what it adds */
static cudaError_t step_of(const CUstreamBatchMemOpParams *p, struct value_step *out, int *count)
{
    unsigned bytes = p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || p->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
    uint64_t value = bytes == 8 ? p->waitValue.value64 : p->waitValue.value;
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        ++*count;
        return wait_step(p->waitValue.address, value, p->waitValue.flags, bytes, out);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        ++*count;
        return write_step(p->writeValue.address, value, p->writeValue.flags, bytes, out);
    case CU_STREAM_MEM_OP_BARRIER:
        return p->memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? cudaSuccess : cudaErrorInvalidValue;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return p->flushRemoteWrites.flags ? cudaErrorInvalidValue : cudaErrorNotSupported;
    default:
        return cudaErrorInvalidValue;
    }
}

static cudaError_t issue(const char *name, CUstream handle, const struct value_step *steps, int count)
{
    struct stream *s;
    cudaError_t e = stream_for_work(handle, true, &s);
    if (e || !count)
        return e;
    struct operation *op = value_op(name, steps, count);
    if (s->capture)
        return capture_take(op, s);
    operation_issue(op, s, NULL);
    return cudaSuccess;
}

static cudaError_t wait_for(const char *name, CUstream s, CUdeviceptr address, uint64_t value, unsigned flags, unsigned bytes)
{
    struct value_step step;
    return wait_step(address, value, flags, bytes, &step) ?: issue(name, s, &step, 1);
}

static cudaError_t put(const char *name, CUstream s, CUdeviceptr address, uint64_t value, unsigned flags, unsigned bytes)
{
    struct value_step step;
    return write_step(address, value, flags, bytes, &step) ?: issue(name, s, &step, 1);
}

/* Nothing of a batch with an error takes place. */
static cudaError_t steps_of(unsigned count, const CUstreamBatchMemOpParams *list, unsigned flags, struct value_step *steps,
                            int *used)
{
    cudaError_t e = flags || count > MAX_BATCH || (count && !list) ? cudaErrorInvalidValue : cudaSuccess;
    *used = 0;
    for (unsigned i = 0; i < count && !e; i++)
        e = step_of(&list[i], &steps[*used], used);
    return e;
}

static cudaError_t batch(CUstream s, unsigned count, const CUstreamBatchMemOpParams *list, unsigned flags)
{
    struct value_step steps[MAX_BATCH];
    int used;
    return steps_of(count, list, flags, steps, &used) ?: issue("cuStreamBatchMemOp", s, steps, used);
}

CUresult cuStreamWaitValue32_v2(CUstream s, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    DRIVER_LOCKED(wait_for("cuStreamWaitValue32", s, address, value, flags, 4));
}

CUresult cuStreamWaitValue64_v2(CUstream s, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    DRIVER_LOCKED(wait_for("cuStreamWaitValue64", s, address, value, flags, 8));
}

CUresult cuStreamWriteValue32_v2(CUstream s, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    DRIVER_LOCKED(put("cuStreamWriteValue32", s, address, value, flags, 4));
}

CUresult cuStreamWriteValue64_v2(CUstream s, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    DRIVER_LOCKED(put("cuStreamWriteValue64", s, address, value, flags, 8));
}

CUresult cuStreamBatchMemOp_v2(CUstream s, unsigned count, CUstreamBatchMemOpParams *list, unsigned flags)
{
    DRIVER_LOCKED(batch(s, count, list, flags));
}
