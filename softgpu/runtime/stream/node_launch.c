/**
 * @file node_launch.c
 * See node_launch.h. What an H200 does: tests/runtime/device_update_facts.cu.
 */
#include "runtime/stream/node_launch.h"

#include <string.h>

#include "execute/node_update.h"
#include "execute/observer.h"
#include "report/reporter.h"
#include "runtime/state/runtime.h"

/** At least so many bytes of parameters fit into any node, whatever kernel it gets later. */
#define LEAST_ROOM 4096u

cudaError_t node_make_updatable(struct operation *op)
{
    uint32_t bytes = op->config.kernel->param_bytes, room = bytes > LEAST_ROOM ? bytes : LEAST_ROOM;
    if (op->config.node)
        return cudaSuccess;
    if (runtime.host_range) /* the handle comes back in the program's own attribute, and would not get there */
        return runtime_unsupported("a kernel node that kernels update, with the device in another process,");
    if (op->config.cooperative)
        return runtime_unsupported("a cooperative kernel node that kernels update");
    struct memory *m = machine_memory(runtime.machine);
    memory_choose(m, op->device);
    struct allocation *a = memory_alloc(m, sizeof(struct node_state) + room, 256, ALLOC_VARIABLE, NODE_STATE_NAME);
    if (!a)
        return cudaErrorMemoryAllocation;
    op->config.node = a->base;
    memset(allocation_bytes(a), 0, sizeof(struct node_state) + room);
    node_state_at(runtime.machine, a->base)->room = room;
    return cudaSuccess;
}

bool node_has_room(uint64_t node, const struct operation *op)
{
    const struct node_state *s = node_state_at(runtime.machine, node);
    return !s || op->config.kernel->param_bytes <= s->room;
}

void node_writes_add(struct node_writes **all, const struct operation *op, bool enabled)
{
    const struct node_state *now = node_state_at(runtime.machine, op->config.node);
    uint32_t bytes = op->config.kernel->param_bytes;
    struct node_state *s = malloc(sizeof *s + bytes);
    if (!*all)
        *all = calloc(1, sizeof **all);
    if (!s || !*all || !now)
        abort();
    *s = (struct node_state){.ready = 1, .param_bytes = bytes, .room = now->room, .enabled = enabled};
    memcpy(s->cluster, op->config.cluster, sizeof s->cluster);
    memcpy(s->grid, op->config.grid, sizeof s->grid);
    memcpy(s + 1, op->params, bytes);
    *LIST_PUSH(&(*all)->list) = (struct node_write){op->config.node, s};
}

void node_writes_free(struct node_writes *all)
{
    for (int i = 0; all && i < all->list.count; i++)
        free(all->list.data[i].state);
    if (all)
        LIST_FREE(&all->list);
    free(all);
}

static uint64_t changes(const struct node_state *s)
{
    return sizeof *s - NODE_STATE_CHANGES + s->param_bytes;
}

void node_writes_do(const struct node_writes *all, const struct operation *op)
{
    for (int i = 0; all && i < all->list.count; i++) {
        const struct node_write *w = &all->list.data[i];
        const struct node_state *s = w->state;
        void *to = node_state_at(runtime.machine, w->node);
        if (!to)
            continue;
        if (op && runtime.options.check) {
            struct host_op h = {.op = op->number, .name = op->name, .before = &op->before, .waited = &runtime.host_done,
                                .write_base = w->node, .write_bytes = sizeof *s + s->param_bytes, .by = op->by,
                                .defines = true};
            OBSERVE(machine_observers(runtime.machine), host_op, &h);
        }
        memcpy(to, s, sizeof *s + s->param_bytes);
    }
}

/* The kernels for whose triggers it has waited: updates before these are seen. Which those are is not followed. */
static void after_triggers(const struct operation *op, struct op_set *before)
{
    bool any = op->prerequisite != NULL;
    if (any)
        op_set_add(before, op->prerequisite->number);
    for (int i = 0; i < op->early.count; i++)
        if (op->early.data[i].point == EARLY_TRIGGER) {
            op_set_add(before, op->early.data[i].kernel->number);
            any = true;
        }
    if (any)
        report_incomplete_once(machine_reporter(runtime.machine), INCOMPLETE_TRIGGERS);
}

/* A step of its own, which the kernel comes after: so the kernel itself may update the node for the next launch. */
static void observe(struct operation *op, const struct node_state *s)
{
    struct op_set known = {0}, before = {0};
    uint64_t number = runtime.next_op++;
    op_set_copy(&before, &op->before);
    after_triggers(op, &before);
    struct host_op h = {.op = number, .name = "a launch of a node", .before = &before, .waited = &runtime.host_done,
                        .read_base = op->config.node + NODE_STATE_CHANGES, .read_bytes = changes(s), .by = op->by};
    OBSERVE(machine_observers(runtime.machine), host_op, &h);
    op_set_add(&op->before, number);
    op_set_add(&known, number);
    operations_learn(op->number, &known);
    op_set_free(&known);
    op_set_free(&before);
}

void node_launch(struct operation *op)
{
    const struct node_state *s = op->config.node ? node_state_at(runtime.machine, op->config.node) : NULL;
    if (!s)
        return;
    if (runtime.options.check)
        observe(op, s);
    node_state_apply(runtime.machine, &op->config);
}
