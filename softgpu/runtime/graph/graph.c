/**
 * @file graph.c
 * Graphs, their nodes and edges, copies of them, and which handles are valid.
 */
#include "runtime/graph/graph.h"
#include "runtime/state/value_op.h"
#include "runtime/graph/graph_exec.h"
#include "runtime/graph/graph_condition.h"
#include "runtime/graph/graph_object.h"

#include <string.h>

#include "base/mix.h"

/* ---- handles: a hash table with open addressing ---- */

static struct handle {
    const void *p; /* NULL: never used */
    enum handle_kind kind;
    bool gone;
} * handles;
static size_t handle_room, handle_count;

static struct handle *handle_at(enum handle_kind kind, const void *p)
{
    size_t at = (size_t)mix64((uint64_t)(uintptr_t)p) & (handle_room - 1);
    while (handles[at].p && (handles[at].p != p || handles[at].kind != kind))
        at = (at + 1) & (handle_room - 1);
    return &handles[at];
}

static void handles_grow(void)
{
    struct handle *old = handles;
    size_t room = handle_room;
    handle_room = room ? room * 2 : 256;
    handle_count = 0;
    handles = calloc(handle_room, sizeof *handles);
    if (!handles)
        abort();
    for (size_t i = 0; i < room; i++)
        if (old[i].p && !old[i].gone) {
            *handle_at(old[i].kind, old[i].p) = old[i];
            handle_count++;
        }
    free(old);
}

void handle_add(enum handle_kind kind, const void *p)
{
    if (handle_count * 2 >= handle_room)
        handles_grow();
    struct handle *h = handle_at(kind, p);
    handle_count += !h->p;
    *h = (struct handle){p, kind, false};
}

bool handle_is(enum handle_kind kind, const void *p)
{
    const struct handle *h = handle_room && p ? handle_at(kind, p) : NULL;
    return h && h->p && !h->gone;
}

void handle_drop(enum handle_kind kind, const void *p)
{
    if (handle_is(kind, p))
        handle_at(kind, p)->gone = true;
}

struct graph *graph_find(cudaGraph_t handle)
{
    return handle_is(HANDLE_GRAPH, handle) ? (struct graph *)handle : NULL;
}

struct node *node_find(cudaGraphNode_t handle)
{
    return handle_is(HANDLE_NODE, handle) ? (struct node *)handle : NULL;
}

/* ---- templates ---- */

struct operation *template_copy(const struct operation *op)
{
    struct operation *copy = operation_new(op->kind, op->name);
    copy->name = op->name;
    copy->by = op->by;
    copy->priority = op->priority;
    copy->device = op->device;
    copy->time.mark_us = op->time.mark_us;
    if (op->kind == OP_KERNEL) {
        size_t bytes = op->config.kernel->param_bytes;
        copy->kernel = op->kernel;
        copy->config = op->config;
        copy->programmatic = op->programmatic;
        copy->params = malloc(bytes + 1);
        if (!copy->params)
            abort();
        memcpy(copy->params, op->params, bytes);
    } else if (op->kind == OP_COPY) {
        copy->copy = op->copy;
    } else if (op->kind == OP_SET) {
        copy->set = op->set;
    } else if (op->kind == OP_HOST) {
        copy->host = op->host;
    } else if (op->kind == OP_VALUE) {
        copy->values = op->values;
        copy->values->refs++;
    } else {
        copy->address = op->address;
    }
    return copy;
}

void template_free(struct operation *op)
{
    if (op->kind == OP_KERNEL)
        free(op->params);
    operation_unref(op);
}

/* ---- nodes ---- */

static uint64_t last_id;
int graph_nodes;

struct node *node_new(struct graph *g, enum cudaGraphNodeType type, struct operation *op)
{
    struct node *n = calloc(1, sizeof *n);
    if (!n)
        abort();
    n->graph = g;
    n->id = ++last_id;
    n->type = type;
    n->op = op;
    *LIST_PUSH(&g->nodes) = n;
    graph_nodes++;
    handle_add(HANDLE_NODE, n);
    return n;
}

void node_free(struct node *n)
{
    handle_drop(HANDLE_NODE, n);
    graph_nodes--;
    template_free(n->op);
    LIST_FREE(&n->before);
    LIST_FREE(&n->kinds);
    free(n->args);
    if (n->child)
        graph_free(n->child);
    for (unsigned i = 0; i < n->body_count; i++)
        graph_free(n->bodies[i]);
    free(n->bodies);
    free(n);
}

void node_add_edge(struct node *n, struct node *before, enum edge_kind kind)
{
    *LIST_PUSH(&n->before) = before;
    *LIST_PUSH(&n->kinds) = (unsigned char)kind;
}

int node_edge(const struct node *n, const struct node *before)
{
    for (int i = 0; i < n->before.count; i++)
        if (n->before.data[i] == before)
            return i;
    return -1;
}

/* ---- graphs ---- */

struct graph *graph_new(void)
{
    struct graph *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->id = ++last_id;
    handle_add(HANDLE_GRAPH, g);
    return g;
}

void graph_free(struct graph *g)
{
    handle_drop(HANDLE_GRAPH, g);
    for (int i = 0; i < g->nodes.count; i++)
        node_free(g->nodes.data[i]);
    LIST_FREE(&g->nodes);
    if (g->exec)
        g->exec->source = NULL;
    conditions_drop(g);
    objects_release(g->objects.data, g->objects.count);
    LIST_FREE(&g->objects);
    free(g);
}

int graph_count(const struct graph *g)
{
    int count = g->nodes.count;
    for (int i = 0; i < g->nodes.count && g->depth; i++)
        if (g->nodes.data[i]->child)
            count += graph_count(g->nodes.data[i]->child);
    return count;
}

void graph_number(const struct graph *g)
{
    for (int i = 0; i < g->nodes.count; i++)
        g->nodes.data[i]->index = i;
}

struct graph *graph_copy(const struct graph *g)
{
    struct graph *copy = graph_new();
    copy->origin = g->id;
    copy->depth = g->depth;
    objects_clone(copy, g);
    graph_number(g);
    for (int i = 0; i < g->nodes.count; i++) {
        const struct node *n = g->nodes.data[i];
        struct node *c = node_new(copy, n->type, template_copy(n->op));
        c->origin = n->id;
        c->func = n->func;
        c->packed = n->packed;
        c->copy = n->copy;
        c->set = n->set;
        c->event = n->event;
        if (n->child) {
            c->child = graph_copy(n->child);
            c->child->parent = c;
        }
    }
    for (int i = 0; i < g->nodes.count; i++)
        for (int k = 0; k < g->nodes.data[i]->before.count; k++)
            node_add_edge(copy->nodes.data[i], copy->nodes.data[g->nodes.data[i]->before.data[k]->index],
                          (enum edge_kind)g->nodes.data[i]->kinds.data[k]);
    return copy;
}

void graphs_reset(void)
{
    /* Child graphs go with the nodes that own them. */
    for (size_t i = 0; i < handle_room; i++) {
        const struct handle *h = &handles[i];
        if (!h->p || h->gone)
            continue;
        if (h->kind == HANDLE_EXEC)
            exec_free((struct exec *)(uintptr_t)h->p);
        else if (h->kind == HANDLE_GRAPH && !((const struct graph *)h->p)->parent)
            graph_free((struct graph *)(uintptr_t)h->p);
    }
    conditions_reset();
}
