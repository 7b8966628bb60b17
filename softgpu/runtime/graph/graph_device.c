/**
 * @file graph_device.c
 * See graph_device.h. What an H200 allows and refuses: tests/runtime/graph_launch_facts.cu.
 */
#include "runtime/graph/graph_device.h"
#include "runtime/graph/graph_updatable.h"
#include "report/reporter.h"

#include <string.h>

#include "analyse/effects.h"
#include "execute/device_graph.h"
#include "runtime/code/nested_host.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

static bool node_fits(const struct node *n)
{
    switch (n->type) {
    case cudaGraphNodeTypeKernel: return !kernel_launches_kernels(n->op->config.kernel);
    case cudaGraphNodeTypeMemcpy: return n->op->kind == OP_COPY && !n->op->copy.pageable && !n->copy.srcArray && !n->copy.dstArray;
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph: return true;
    default: return false;
    }
}

bool graph_fits_device(const struct graph *g, struct node **bad)
{
    *bad = NULL;
    for (int i = 0; i < g->nodes.count; i++) {
        struct node *n = g->nodes.data[i];
        *bad = n;
        if (!node_fits(n) || (n->op->kind != OP_MARK && n->op->device != g->nodes.data[0]->op->device) ||
            (n->child && n->child->nodes.count && !graph_fits_device(n->child, bad)))
            return false;
    }
    *bad = NULL;
    return g->nodes.count > 0;
}

/* ---- A step as a kernel ---- */

static bool is_kernel(const struct step *s)
{
    return (s->op->kind == OP_KERNEL || s->op->kind == OP_COPY || s->op->kind == OP_SET || s->op->kind == OP_MARK) &&
           !s->event && !s->body_count && !(s->op->kind == OP_COPY && s->op->copy.pageable);
}

static void add_copy(const struct box_copy *c, struct grid_config *out)
{
    struct device_box box = {.to = c->dst, .from = c->src, .to_pitch = c->dst_pitch, .from_pitch = c->src_pitch,
                             .to_slice = c->dst_slice, .from_slice = c->src_slice, .width = c->width, .height = c->height,
                             .depth = c->depth, .element = 1};
    device_work_config(runtime.machine, DEVICE_COPY, &box, out);
}

static void add_set(const struct box_set *c, struct grid_config *out)
{
    struct device_box box = {.to = c->dst, .from = c->value, .to_pitch = c->pitch, .to_slice = c->slice, .width = c->width,
                             .height = c->height, .depth = c->depth, .element = c->element};
    device_work_config(runtime.machine, DEVICE_SET, &box, out);
}

static void add_kernel(const struct operation *op, struct grid_config *out)
{
    uint32_t bytes = op->config.kernel->param_bytes;
    void *params = malloc(bytes + 1);
    if (!params)
        abort();
    *out = op->config;
    out->params = bytes ? memcpy(params, op->params, bytes) : params;
}

static struct device_graph *device_graph_of(const struct exec *x)
{
    struct device_graph *g = device_graph_new((uint64_t)(uintptr_t)x, x->flags & cudaGraphInstantiateFlagDeviceLaunch);
    for (int i = 0; i < x->steps.count; i++) {
        const struct step *s = &x->steps.data[i];
        struct device_node *n = LIST_PUSH(&g->nodes);
        *n = (struct device_node){0};
        if ((s->off && !updatable_of(s->op)) || s->op->kind == OP_MARK)
            device_work_config(runtime.machine, DEVICE_NOTHING, NULL, &n->config);
        else if (s->op->kind == OP_COPY)
            add_copy(&s->op->copy, &n->config);
        else if (s->op->kind == OP_SET)
            add_set(&s->op->set, &n->config);
        else
            add_kernel(s->op, &n->config);
        for (int k = 0; k < s->before.count; k++)
            *LIST_PUSH(&n->before) = s->before.data[k];
        for (int k = 0; k < s->kinds.count && runtime.options.check; k++)
            if (s->kinds.data[k] != EDGE_END) /* there all come after the end: one of the executions that are allowed */
                report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_PROGRAMMATIC);
    }
    return g;
}

/* ---- Uploads and launches ---- */

static struct device_graph *find(uint64_t handle, int *error)
{
    const struct exec *x = exec_find((cudaGraphExec_t)(uintptr_t)handle);
    if (!x || !(x->flags & cudaGraphInstantiateFlagDeviceLaunch))
        *error = cudaErrorIllegalAddress;
    else if (!x->uploaded)
        *error = cudaErrorInvalidValue;
    return *error ? NULL : x->uploaded;
}

void graph_device_upload(struct exec *x)
{
    if (!(x->flags & cudaGraphInstantiateFlagDeviceLaunch))
        return;
    nested_host_graphs(find);
    device_graph_drop(x->uploaded);
    x->uploaded = device_graph_of(x);
}

static bool launches(const struct step *s)
{
    return s->op->kind == OP_KERNEL && kernel_launches_graphs(s->op->config.kernel, true);
}

bool graph_device_wanted(const struct exec *x, cudaError_t *e)
{
    bool wanted = x->flags & cudaGraphInstantiateFlagDeviceLaunch, can = true;
    for (int i = 0; i < x->steps.count; i++) {
        wanted |= launches(&x->steps.data[i]);
        can &= is_kernel(&x->steps.data[i]);
    }
    if (wanted && !can)
        *e = runtime_unsupported("launches of graphs by a graph that holds more than kernels, fills and copies of device or "
                                 "page-locked memory");
    return wanted && can;
}

struct operation *graph_device_operation(struct exec *x)
{
    struct operation *op = operation_new(OP_KERNEL, "cudaGraphLaunch");
    nested_host_graphs(find);
    device_graph_config(runtime.machine, x->uploaded ? device_graph_ref(x->uploaded) : device_graph_of(x), &op->config);
    for (int i = 0; i < x->steps.count; i++) {
        const struct step *s = &x->steps.data[i];
        if (s->op->kind == OP_KERNEL && (!op->kernel || launches(s)))
            op->kernel = s->op->kernel; /* for its name */
        if (s->op->kind != OP_MARK)
            op->device = s->op->device;
    }
    return op;
}
