/**
 * @file driver_values.c
 * Driver API: stream memory operations. Errors are an H200's (tests/runtime/memop_facts.cu); so is that NVIDIA's old forms,
 * without _v2, are switched off.
 */
#include <string.h>

#include "runtime/driver/driver_context.h"
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

/* ---- nodes of graphs ---- */

cudaError_t value_node_make(const void *params, struct operation **op)
{
    const CUDA_BATCH_MEM_OP_NODE_PARAMS *p = params;
    struct value_step steps[MAX_BATCH];
    int used;
    cudaError_t e = p->ctx ? steps_of(p->count, p->paramArray, p->flags, steps, &used) : cudaErrorInvalidValue;
    if (e)
        return e;
    *op = value_op("batch memory operation node", steps, used);
    struct value_steps *v = (*op)->values;
    v->given = calloc(p->count + 1, sizeof *p->paramArray);
    if (!v->given)
        abort();
    if (p->count)
        memcpy(v->given, p->paramArray, p->count * sizeof *p->paramArray);
    v->given_count = p->count;
    v->given_context = p->ctx;
    return cudaSuccess;
}

static CUstreamBatchMemOpParams of_step(const struct value_step *s)
{
    static const unsigned flags[] = {[VALUE_AT_LEAST] = CU_STREAM_WAIT_VALUE_GEQ, [VALUE_EQUAL] = CU_STREAM_WAIT_VALUE_EQ,
                                     [VALUE_AND] = CU_STREAM_WAIT_VALUE_AND, [VALUE_NOR] = CU_STREAM_WAIT_VALUE_NOR,
                                     [VALUE_WRITE] = 0};
    bool writes = s->how == VALUE_WRITE;
    CUstreamBatchMemOpParams p = {0}; /* waits and writes are laid out alike */
    p.waitValue.address = s->address;
    p.waitValue.value64 = s->value;
    p.waitValue.flags = flags[s->how];
    p.operation = s->bytes == 8 ? (writes ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_64)
                                : (writes ? CU_STREAM_MEM_OP_WRITE_VALUE_32 : CU_STREAM_MEM_OP_WAIT_VALUE_32);
    return p;
}

/* What was captured was not given as a list. */
static void make_list(struct value_steps *v)
{
    CUstreamBatchMemOpParams *list = calloc((size_t)v->count + 1, sizeof *list);
    if (!list)
        abort();
    for (int i = 0; i < v->count; i++)
        list[i] = of_step(&v->step[i]);
    v->given = list;
    v->given_count = (unsigned)v->count;
    v->given_context = context_current();
}

static cudaError_t value_node_params(CUgraphNode handle, CUDA_BATCH_MEM_OP_NODE_PARAMS *out)
{
    const struct node *n = (const struct node *)handle;
    if (!out || !handle_is(HANDLE_NODE, n) || n->type != NODE_TYPE_BATCH_MEM_OP)
        return cudaErrorInvalidValue;
    struct value_steps *v = n->op->values;
    if (!v->given)
        make_list(v);
    *out = (CUDA_BATCH_MEM_OP_NODE_PARAMS){.ctx = v->given_context, .count = v->given_count, .paramArray = v->given};
    return cudaSuccess;
}

static struct cudaGraphNodeParams of_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS *p)
{
    struct cudaGraphNodeParams out = {.type = NODE_TYPE_BATCH_MEM_OP};
    _Static_assert(sizeof *p <= sizeof out.reserved1, "within the parameters of any node");
    memcpy(&out.kernel, p, sizeof *p);
    return out;
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS *of)
{
    if (!of)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaGraphNodeParams p = of_batch(of);
    RUNTIME(cudaGraphAddNode(out, graph, before, NULL, count, &p));
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *out)
{
    DRIVER_LOCKED(value_node_params(node, out));
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *of)
{
    if (!of)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaGraphNodeParams p = of_batch(of);
    RUNTIME(cudaGraphNodeSetParams(node, &p));
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *of)
{
    if (!of)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaGraphNodeParams p = of_batch(of);
    RUNTIME(cudaGraphExecNodeSetParams(exec, node, &p));
}
