/**
 * @file graph_updatable.c
 * See graph_updatable.h.
 */
#include "runtime/graph/graph_updatable.h"
#include "runtime/state/runtime.h"

bool graph_has_updatable(const struct graph *g)
{
    for (int i = 0; i < g->nodes.count; i++) {
        const struct node *n = g->nodes.data[i];
        if (updatable_of(n->op) || (n->child && graph_has_updatable(n->child)))
            return true;
        for (unsigned k = 0; k < n->body_count; k++)
            if (graph_has_updatable(n->bodies[k]))
                return true;
    }
    return false;
}

bool steps_have_updatable(const struct steps *steps)
{
    for (int i = 0; i < steps->count; i++) {
        const struct step *s = &steps->data[i];
        if (updatable_of(s->op))
            return true;
        for (unsigned k = 0; k < s->body_count; k++)
            if (steps_have_updatable(&s->bodies[k]))
                return true;
    }
    return false;
}

cudaError_t updatable_set(struct node *n, cudaLaunchAttributeValue *value)
{
    int wanted = value->deviceUpdatableKernelNode.deviceUpdatable;
    if (wanted != 0 && wanted != 1)
        return cudaErrorInvalidValue;
    if (!wanted)
        return updatable_of(n->op) ? cudaErrorNotSupported : cudaSuccess;
    cudaError_t e = node_make_updatable(n->op);
    if (!e)
        updatable_get(n, value);
    return e;
}

void updatable_get(const struct node *n, cudaLaunchAttributeValue *value)
{
    value->deviceUpdatableKernelNode.deviceUpdatable = updatable_of(n->op) != 0;
    value->deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)(uintptr_t)updatable_of(n->op);
}

static void take(struct steps *steps, struct node_writes **all)
{
    for (int i = 0; i < steps->count; i++) {
        struct step *s = &steps->data[i];
        if (updatable_of(s->op) && !s->held)
            node_writes_add(all, s->op, !s->off);
        s->held = true;
        for (unsigned k = 0; k < s->body_count; k++)
            take(&s->bodies[k], all);
    }
}

struct node_writes *updatable_take(struct exec *x)
{
    struct node_writes *all = NULL;
    take(&x->steps, &all);
    return all;
}
