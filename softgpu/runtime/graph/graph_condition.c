/**
 * @file graph_condition.c
 * Conditional nodes: if, else, while and switch by a value that kernels set (cudaGraphSetConditional). The value
 * lies in a cell of device memory, whose address is the handle, so that a launch that runs again leaves what its
 * first run left.
 */
#include <string.h>

#include "code/builtins.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_condition.h"
#include "runtime/graph/graph_exec.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

struct condition {
    uint64_t handle;
    const struct graph *graph; /* NULL: gone */
    unsigned value;
    bool assigned; /* at each launch */
    bool used;     /* by a node */
};
static LIST(struct condition) conditions;

static struct condition *find(uint64_t handle, const struct graph *g)
{
    for (int i = 0; i < conditions.count; i++)
        if (conditions.data[i].handle == handle && conditions.data[i].graph == g)
            return &conditions.data[i];
    return NULL;
}

static unsigned *cell(uint64_t handle)
{
    return memory_translate(machine_memory(runtime.machine), handle, sizeof(unsigned));
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t graph, unsigned value,
                                             unsigned flags)
{
    API_ENTER();
    struct graph *g = graph_find(graph);
    if (!out || !g || (flags & ~(unsigned)cudaGraphCondAssignDefault))
        API_RETURN(cudaErrorInvalidValue);
    struct allocation *a = memory_alloc(machine_memory(runtime.machine), sizeof value, 256, ALLOC_VARIABLE,
                                        CONDITION_NAME);
    if (!a)
        API_RETURN(cudaErrorMemoryAllocation);
    *LIST_PUSH(&conditions) = (struct condition){a->base, g, value, flags & cudaGraphCondAssignDefault, false};
    *cell(a->base) = 0; /* without the flag, too: the first launch finds no default (H200) */
    *out = a->base;
    API_RETURN(cudaSuccess);
}

/* What has been instantiated goes on with them. */
void conditions_drop(const struct graph *g)
{
    for (int i = 0; i < conditions.count; i++)
        if (conditions.data[i].graph == g)
            conditions.data[i].graph = NULL;
}

void conditions_reset(void)
{
    conditions.count = 0;
}

/* ---- nodes ---- */

static bool size_fits(const struct cudaConditionalNodeParams *p)
{
    switch (p->type) {
    case cudaGraphCondTypeIf: return p->size == 1 || p->size == 2;
    case cudaGraphCondTypeWhile: return p->size == 1;
    case cudaGraphCondTypeSwitch: return p->size > 0 && p->size <= MAX_GRAPH_NODES;
    }
    return false;
}

static bool too_deep(const struct graph *g)
{
    int levels = 1;
    for (; g->parent; g = g->parent->graph)
        levels++;
    return levels > MAX_GRAPH_DEPTH;
}

/* The graph that no node owns: handles are its. */
static const struct graph *root(const struct graph *g)
{
    while (g->parent)
        g = g->parent->graph;
    return g;
}

cudaError_t condition_node_make(const struct cudaConditionalNodeParams *p, struct node *out, struct operation **op)
{
    struct condition *c = find(p->handle, root(out->graph));
    if (!c)
        c = find(p->handle, out->graph);
    if (!c || c->used || !size_fits(p))
        return cudaErrorInvalidValue;
    if (too_deep(out->graph))
        return cudaErrorMemoryAllocation;
    c->used = true;
    out->bodies = calloc(p->size, sizeof *out->bodies);
    if (!out->bodies)
        abort();
    for (unsigned i = 0; i < p->size; i++)
        out->bodies[i] = graph_new();
    out->body_count = p->size;
    out->condition_type = p->type;
    out->condition = p->handle;
    *op = operation_new(OP_MARK, "conditional node");
    return cudaSuccess;
}

void condition_node_own(struct node *n)
{
    for (unsigned i = 0; i < n->body_count; i++)
        n->bodies[i]->parent = n;
}

static bool may_hold(enum cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeGraph ||
           type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeConditional;
}

static bool body_allowed(const struct graph *g)
{
    for (int i = 0; i < g->nodes.count; i++) {
        const struct node *n = g->nodes.data[i];
        if (!may_hold(n->type) || (n->child && !body_allowed(n->child)))
            return false;
    }
    return conditions_allowed(g);
}

bool conditions_allowed(const struct graph *g)
{
    for (int i = 0; i < g->nodes.count; i++)
        for (unsigned k = 0; k < g->nodes.data[i]->body_count; k++)
            if (!body_allowed(g->nodes.data[i]->bodies[k]))
                return false;
    return true;
}

/* ---- launches ---- */

void conditions_of(const struct graph *g, struct exec *x)
{
    for (int i = 0; i < conditions.count; i++)
        if (conditions.data[i].graph && root(conditions.data[i].graph) == g && conditions.data[i].assigned)
            *LIST_PUSH(&x->defaults) = conditions.data[i].handle;
}

static const struct condition *any(uint64_t handle)
{
    for (int i = 0; i < conditions.count; i++)
        if (conditions.data[i].handle == handle)
            return &conditions.data[i];
    return NULL;
}

void conditions_begin(const struct exec *x)
{
    for (int i = 0; i < x->defaults.count; i++)
        if (any(x->defaults.data[i]))
            *cell(x->defaults.data[i]) = any(x->defaults.data[i])->value;
}

int condition_choose(const struct step *s, int turn)
{
    const unsigned *at = cell(s->condition);
    unsigned value = at ? *at : 0;
    if (s->condition_type == cudaGraphCondTypeWhile)
        return value ? 0 : -1;
    if (turn)
        return -1;
    if (s->condition_type == cudaGraphCondTypeIf)
        value = value ? 0 : 1;
    return value < s->body_count ? (int)value : -1;
}
