/**
 * @file nested_graph.c
 * Graphs that kernels launch (CUDA C++ Programming Guide, "Device Graph Launch"). A graph that runs is a grid whose only
 * thread launches the nodes; they, and what their threads fire, are what has to be complete before it is. What comes
 * after it as a tail is a chain, one graph at a time: what a tail adds comes before what was there already. A sibling belongs to
 * what the graph itself belongs to; for what the host has launched that is one more such grid around all. Rules and limits
 * are an H200's (tests/runtime/graph_launch_facts.gpu.txt).
 */
#include <string.h>

#include "execute/device_graph.h"
#include "execute/fault.h"
#include "execute/nested_call.h"

/** cudaStreamGraphTailLaunch and the like. */
#define GRAPH_TAIL (1ull << 56)
#define GRAPH_FORGET (2ull << 56)
#define GRAPH_SIBLING (3ull << 56)

/** That one graph fires, or that wait as its tails. */
#define MAX_FIRED 120
#define MAX_TAILS 255

/* ---- Graphs ---- */

struct device_graph *device_graph_new(uint64_t handle, bool for_device)
{
    struct device_graph *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->handle = handle;
    g->for_device = for_device;
    g->refs = 1;
    return g;
}

struct device_graph *device_graph_ref(struct device_graph *g)
{
    g->refs++;
    return g;
}

void device_graph_drop(struct device_graph *g)
{
    if (!g || --g->refs)
        return;
    for (int i = 0; i < g->nodes.count; i++) {
        free((void *)(uintptr_t)g->nodes.data[i].config.params);
        LIST_FREE(&g->nodes.data[i].before);
    }
    LIST_FREE(&g->nodes);
    free(g);
}

/* ---- Their launches ---- */

static struct nested_launch *launch_in(struct grid_run *in, const struct grid_config *config)
{
    const struct grid_config *like = &in->grid.config;
    struct grid_config c = *config;
    c.device = like->device;
    c.op = like->op;
    c.by = like->by;
    c.before = &in->grid.before;
    return nested_new(in, &c);
}

/** `outer`: what its siblings will belong to. */
static struct nested_launch *instance(struct grid_run *in, struct device_graph *g, struct grid_run *outer)
{
    struct grid_config c;
    device_graph_config(in->grid.machine, device_graph_ref(g), &c);
    struct nested_launch *l = launch_in(in, &c);
    l->outer = outer;
    return l;
}

static void launch_nodes(struct warp *w, int lane, struct grid_run *run, const struct device_graph *g)
{
    struct nested_launch **made = calloc((size_t)g->nodes.count + 1, sizeof *made);
    if (!made)
        abort();
    for (int i = 0; i < g->nodes.count; i++) {
        const struct device_node *n = &g->nodes.data[i];
        uint32_t bytes = n->config.kernel->param_bytes;
        struct nested_launch *l = made[i] = launch_in(run, &n->config);
        void *params = malloc(bytes + 1);
        if (!params)
            abort();
        l->config.params = bytes ? memcpy(params, n->config.params, bytes) : params;
        nested_keep(w, lane, l);
        for (int k = 0; k < n->before.count; k++)
            nested_after(l, made[n->before.data[k]]);
        l->refs++; /* ours */
        nested_queue(l);
    }
    for (int i = 0; i < g->nodes.count; i++)
        nested_drop(made[i]);
    free(made);
}

/** softgpu_graph_nodes(): the only thread of a grid that stands for a graph, or for all around the one that the host has launched. */
CALL(do_graph_nodes)
{
    struct grid_run *run = grid_run(w->block->grid);
    struct device_graph *g = run->grid.config.graph;
    int lane = __builtin_ctz(w->mask);
    (void)d;
    if (!g)
        return in + 1;
    nested_family(run);
    if (run->launch) {
        launch_nodes(w, lane, run, g);
        return in + 1;
    }
    struct nested_launch *l = instance(run, g, run);
    nested_keep(w, lane, l);
    nested_queue(l);
    return in + 1;
}

/* ---- What kernels ask for ---- */

/** The graph to which a kernel belongs; NULL: none. */
static struct grid_run *graph_of(struct grid_run *run)
{
    while (run && !(run->launch && run->grid.config.graph))
        run = run->parent;
    return run;
}

uint64_t nested_current_graph(const struct block *b)
{
    const struct grid_run *in = graph_of(grid_run(b->grid));
    return in && in->grid.config.graph->for_device ? in->grid.config.graph->handle : 0;
}

static bool waits(const struct nested_launches *list, uint64_t handle)
{
    for (int i = 0; i < list->count; i++)
        if (list->data[i]->config.graph && list->data[i]->config.graph->handle == handle)
            return true;
    return false;
}

/** Is it launched and not complete? What it is in itself does not count for a tail. */
static bool is_busy(const struct machine *m, const struct family *f, uint64_t handle, const struct grid_run *but)
{
    for (int i = 0; i < m->grids.count; i++) {
        const struct grid_run *run = m->grids.data[i];
        const struct device_graph *g = run->grid.config.graph;
        if (waits(&run->tails, handle) ||
            (g && g->handle == handle && run != but && run->launch && !run->over && !run->launch->done))
            return true;
    }
    return waits(&f->ready, handle);
}

/** In front of what other graphs of the chain have added, behind what this one has. */
static void enter_chain(struct grid_run *chain, struct nested_launch *l)
{
    struct nested_launches *all = &chain->tails;
    l->tail = true;
    *LIST_PUSH(all) = l;
    memmove(&all->data[chain->front + 1], &all->data[chain->front], (size_t)(all->count - 1 - chain->front) * sizeof *all->data);
    all->data[chain->front++] = l;
}

static struct grid_run *chain_of(struct grid_run *in)
{
    return in->launch->tail ? in->parent : in;
}

/** Graphs that launch themselves or each other for ever: what the chain, or the siblings, have done so far counts. */
static bool is_endless(const struct grid_run *in)
{
    uint64_t limit = in->grid.machine->options.step_limit;
    return limit && in->parent->grid.instructions > limit;
}

static int launch_graph(struct warp *w, int lane, struct grid_run *in, struct device_graph *g, uint64_t stream)
{
    struct grid_run *chain = chain_of(in), *to = stream == GRAPH_FORGET ? in : in->launch->outer;
    bool tail = stream == GRAPH_TAIL;
    if (is_busy(in->grid.machine, in->family, g->handle, tail ? in : NULL) ||
        (tail ? chain->tails.count >= MAX_TAILS : in->fired >= MAX_FIRED))
        return NESTED_INVALID_VALUE;
    struct nested_launch *l = tail ? instance(chain, g, in->launch->outer) : instance(to, g, to);
    nested_keep(w, lane, l);
    if (tail) {
        enter_chain(chain, l);
        return NESTED_OK;
    }
    in->fired++;
    nested_queue(l);
    return NESTED_OK;
}

CALL(do_graph_launch)
{
    const struct nested_host *host = warp_machine(w)->nested_host;
    struct grid_run *of = graph_of(grid_run(w->block->grid));
    FOR_LANES(lane, w->mask)
    {
        uint64_t handle = ARGUMENT(0), stream = ARGUMENT(1);
        int error = !of ? NESTED_NOT_SUPPORTED : !handle ? NESTED_INVALID_VALUE : NESTED_OK;
        struct device_graph *g = error ? NULL : host->graph(handle, &error);
        if (error == NESTED_ILLEGAL)
            return fault_at(w, in, (int)lane, &(struct fault){.cause = CAUSE_NO_DEVICE_GRAPH, .space = SPACE_GENERIC, .address = handle, .facts.address = handle});
        if (!error && is_endless(of))
            return fault_at(w, in, (int)lane, &(struct fault){.cause = CAUSE_STEPS, .facts.number = warp_machine(w)->options.step_limit});
        if (!error && stream != GRAPH_TAIL && stream != GRAPH_FORGET && stream != GRAPH_SIBLING)
            error = NESTED_INVALID_VALUE;
        RETURN(error ? error : launch_graph(w, (int)lane, of, g, stream));
    }
    return in + 1;
}
