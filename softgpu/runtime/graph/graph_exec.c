/**
 * @file graph_exec.c
 * Instantiated graphs: a list of steps of their own, whose parameters can be changed.
 */
#include <string.h>

#include "runtime/state/value_op.h"
#include "runtime/state/capture.h"
#include "runtime/state/execution.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_exec.h"
#include "execute/device_graph.h"
#include "runtime/graph/graph_condition.h"
#include "runtime/graph/graph_device.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/graph/graph_object.h"
#include "runtime/graph/graph_updatable.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

#define KNOWN_FLAGS                                                                                \
    (cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |                   \
     cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority)

struct exec *exec_find(cudaGraphExec_t handle)
{
    return handle_is(HANDLE_EXEC, handle) ? (struct exec *)handle : NULL;
}

void exec_free(struct exec *x)
{
    handle_drop(HANDLE_EXEC, x);
    if (x->objects.count && x->last && x->last->state != OP_DONE)
        engine_execute(x->last, GIVE_UP_WAITING); /* what it launched may still use them */
    objects_release(x->objects.data, x->objects.count);
    LIST_FREE(&x->objects);
    LIST_FREE(&x->defaults);
    if (x->source)
        x->source->exec = NULL;
    device_graph_drop(x->uploaded);
    steps_free(&x->steps);
    if (x->last)
        operation_unref(x->last);
    free(x);
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t handle, unsigned long long flags,
                               cudaGraphInstantiateResult *result, struct node **bad)
{
    struct graph *g = graph_find(handle);
    struct steps steps;
    cudaError_t e = capture_allows_unsafe();
    *result = cudaGraphInstantiateError;
    if (e)
        return e;
    if (!out || !g || (flags & ~(unsigned long long)KNOWN_FLAGS))
        return cudaErrorInvalidValue;
    bool for_device = flags & cudaGraphInstantiateFlagDeviceLaunch;
    if (for_device && flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)
        return cudaErrorInvalidValue;
    if (for_device && !graph_fits_device(g, bad)) {
        *result = *bad ? cudaGraphInstantiateNodeOperationNotSupported : cudaGraphInstantiateError;
        return cudaErrorInvalidValue;
    }
    bool single = graph_is_single(g);
    if (single && g->exec)
        return cudaErrorNotSupported;
    if (!conditions_allowed(g)) {
        *result = cudaGraphInstantiateNodeOperationNotSupported;
        return cudaErrorInvalidValue;
    }
    if (graph_nodes + 2 * graph_count(g) > MAX_GRAPH_NODES)
        return cudaErrorMemoryAllocation;
    if (!graph_flatten(g, &steps)) {
        *result = cudaGraphInstantiateInvalidStructure;
        return cudaErrorInvalidValue;
    }
    struct exec *x = calloc(1, sizeof *x);
    if (!x)
        abort();
    x->steps = steps;
    x->flags = flags;
    if (single) {
        x->source = g;
        g->exec = x;
    }
    conditions_of(g, x);
    objects_copy(x, g);
    handle_add(HANDLE_EXEC, x);
    vtime_host(steps.count * runtime.device->timing->graph_make_us);
    if (flags & cudaGraphInstantiateFlagUpload) {
        struct node_writes *writes = updatable_take(x);
        node_writes_do(writes, NULL);
        node_writes_free(writes);
        graph_device_upload(x);
    }
    *out = (cudaGraphExec_t)x;
    *result = cudaGraphInstantiateSuccess;
    return cudaSuccess;
}

/** By a call that names no stream in which it could be uploaded. */
static cudaError_t instantiate_without_stream(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    cudaGraphInstantiateResult result;
    struct node *bad = NULL;
    return flags & cudaGraphInstantiateFlagUpload ? cudaErrorInvalidValue : instantiate(out, graph, flags, &result, &bad);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    API_ENTER();
    API_RETURN(instantiate_without_stream(out, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph,
                                          unsigned long long flags)
{
    API_ENTER();
    API_RETURN(instantiate_without_stream(out, graph, flags));
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    API_ENTER();
    if (!params)
        API_RETURN(cudaErrorInvalidValue);
    struct node *bad = NULL;
    cudaError_t e = instantiate(out, graph, params->flags, &params->result_out, &bad);
    params->errNode_out = (cudaGraphNode_t)bad;
    API_RETURN(e);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    API_ENTER();
    struct exec *x = exec_find(handle);
    if (!x)
        API_RETURN(cudaErrorInvalidValue);
    exec_free(x); /* launches that are under way have all they need */
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    API_ENTER();
    const struct exec *x = exec_find(handle);
    if (!x || !flags)
        API_RETURN(cudaErrorInvalidValue);
    *flags = x->flags & ~(unsigned long long)cudaGraphInstantiateFlagUseNodePriority; /* not told, as seen on an H200 */
    API_RETURN(cudaSuccess);
}

/* ---- changes ---- */

static bool is_same_box(const struct box_copy *a, const struct box_copy *b)
{
    return a->dst == b->dst && a->src == b->src && a->dst_pitch == b->dst_pitch && a->src_pitch == b->src_pitch &&
           a->dst_slice == b->dst_slice && a->src_slice == b->src_slice && a->width == b->width && a->height == b->height &&
           a->depth == b->depth;
}

/* A line may move anywhere, of any length, as long as it is said to go the same way; boxes stay as they are. */
static bool may_copy_become(const struct box_copy *is, const struct box_copy *wanted)
{
    bool lines = is->height * is->depth == 1 && wanted->height * wanted->depth == 1;
    return is->kind == wanted->kind && (lines || is_same_box(is, wanted));
}

/* A row may be any other; a plane keeps its shape. */
static bool may_set_become(const struct box_set *is, const struct box_set *wanted)
{
    return (is->height == 1 && wanted->height == 1) ||
           (is->width == wanted->width && is->height == wanted->height && is->pitch == wanted->pitch &&
            is->element == wanted->element);
}

/* Whether an instantiated node may take another one's parameters (Runtime API, cudaGraphExecUpdate; of copies and fills an
 * H200 decides, tests/runtime/graph_set_facts.gpu.txt). */
static bool may_become(const struct operation *is, const struct operation *wanted)
{
    if (is->kind != wanted->kind)
        return false;
    if (is->kind == OP_ALLOC || is->kind == OP_FREE)
        return is->address == wanted->address;
    if (is->kind == OP_VALUE)
        return value_steps_alike(is->values, wanted->values);
    if (is->kind == OP_COPY)
        return may_copy_become(&is->copy, &wanted->copy);
    if (is->kind == OP_SET)
        return may_set_become(&is->set, &wanted->set);
    return true;
}

static void become(struct step *s, struct operation *op)
{
    op->by.captured = s->op->by.captured;
    if (updatable_of(s->op))
        op->config.node = s->op->config.node;
    s->held = false;
    template_free(s->op);
    s->op = op;
}

static enum cudaGraphExecUpdateResult changed(const struct step *s, const struct step *f)
{
    bool cooperative = s->op->kind == OP_KERNEL && f->op->kind == OP_KERNEL &&
                       s->op->config.cooperative != f->op->config.cooperative;
    bool condition = s->condition != f->condition || s->condition_type != f->condition_type ||
                     s->body_count != f->body_count;
    return !may_become(s->op, f->op) || condition ? cudaGraphExecUpdateErrorParametersChanged
           : cooperative                          ? cudaGraphExecUpdateErrorAttributesChanged
                                                  : cudaGraphExecUpdateSuccess;
}

/* Whether `count` steps from `first` on may get the parameters of `fresh`, and what they hold likewise. */
static bool may_take_over(const struct steps *have, int first, int count, int begin, const struct steps *fresh,
                          cudaGraphExecUpdateResultInfo *why)
{
    if (!steps_fit(have, first, count, begin, fresh, why))
        return false;
    for (int i = 0; i < count; i++) {
        const struct step *s = &have->data[first + i], *f = &fresh->data[i];
        *why = (cudaGraphExecUpdateResultInfo){.result = changed(s, f), .errorNode = (cudaGraphNode_t)f->from};
        if (why->result)
            return false;
        for (unsigned k = 0; k < s->body_count; k++)
            if (!may_take_over(&s->bodies[k], 0, s->bodies[k].count, -1, &f->bodies[k], why))
                return false;
    }
    return true;
}

static void take_over(struct steps *have, int first, int count, const struct steps *fresh)
{
    for (int i = 0; i < count; i++) {
        struct step *s = &have->data[first + i];
        const struct step *f = &fresh->data[i];
        become(s, template_copy(f->op));
        s->event = f->event;
        for (unsigned k = 0; k < s->body_count; k++)
            take_over(&s->bodies[k], 0, s->bodies[k].count, &f->bodies[k]);
    }
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *out)
{
    API_ENTER();
    struct exec *x = exec_find(handle);
    struct graph *g = graph_find(graph);
    struct steps fresh;
    cudaGraphExecUpdateResultInfo why = {.result = cudaGraphExecUpdateError};
    if (!x || !g || !out)
        API_RETURN(cudaErrorInvalidValue);
    if (graph_has_updatable(g) || steps_have_updatable(&x->steps)) {
        *out = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateErrorNotSupported};
        API_RETURN(cudaErrorGraphExecUpdateFailure);
    }
    bool flat = graph_flatten(g, &fresh);
    bool taken = flat && may_take_over(&x->steps, 0, x->steps.count, -1, &fresh, &why);
    if (taken)
        take_over(&x->steps, 0, x->steps.count, &fresh);
    if (flat)
        steps_free(&fresh);
    if (taken)
        why = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    *out = why;
    API_RETURN(taken ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}

/* The step that a node of the graph has become; NULL if none. */
static struct step *step_of(struct exec *x, cudaGraphNode_t handle)
{
    const struct node *n = node_find(handle);
    for (int i = 0; x && n && i < x->steps.count; i++)
        if (x->steps.data[i].node == n->id)
            return &x->steps.data[i];
    return NULL;
}

static cudaError_t change_child(struct exec *x, const struct step *s, cudaGraph_t graph)
{
    struct graph *g = graph_find(graph);
    struct steps fresh;
    cudaGraphExecUpdateResultInfo why;
    if (!g || !graph_flatten(g, &fresh))
        return cudaErrorInvalidValue;
    int end = (int)(s - x->steps.data);
    bool taken = may_take_over(&x->steps, s->first + 1, end - s->first - 1, s->first, &fresh, &why);
    if (taken)
        take_over(&x->steps, s->first + 1, end - s->first - 1, &fresh);
    steps_free(&fresh);
    return taken ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params)
{
    API_ENTER();
    struct exec *x = exec_find(handle);
    struct step *s = step_of(x, node);
    if (!s || !params || params->type != s->type)
        API_RETURN(cudaErrorInvalidValue);
    if (s->type == cudaGraphNodeTypeGraph)
        API_RETURN(change_child(x, s, params->graph.graph));
    struct operation *op;
    struct node made = {.graph = NULL, .op = s->op};
    cudaError_t e = node_make(params, &made, &op);
    if (e)
        API_RETURN(e);
    if (!may_become(s->op, op)) {
        template_free(op);
        API_RETURN(cudaErrorInvalidValue);
    }
    if (updatable_of(s->op) && !node_has_room(s->op->config.node, op)) {
        template_free(op);
        API_RETURN(runtime_unsupported("for a node that kernels update, a kernel with more parameters than it has room for"));
    }
    become(s, op);
    s->event = made.event;
    API_RETURN(cudaSuccess);
}

static bool can_be_off(const struct step *s)
{
    return s->type == cudaGraphNodeTypeKernel || s->type == cudaGraphNodeTypeMemcpy ||
           s->type == cudaGraphNodeTypeMemset;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned enabled)
{
    API_ENTER();
    struct step *s = step_of(exec_find(handle), node);
    if (!s || !can_be_off(s))
        API_RETURN(cudaErrorInvalidValue);
    s->off = !enabled;
    s->held = false;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned *enabled)
{
    API_ENTER();
    const struct step *s = step_of(exec_find(handle), node);
    if (!s || !can_be_off(s) || !enabled)
        API_RETURN(cudaErrorInvalidValue);
    *enabled = !s->off;
    API_RETURN(cudaSuccess);
}
