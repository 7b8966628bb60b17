/**
 * @file watched.c
 * Which memory that host and device share is in use by operations that nobody has waited for.
 */
#include "runtime/memory/watched.h"

#include <string.h>

#include "execute/device_graph.h"
#include "report/reporter.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/value_op.h"

#define PAGE 4096ull

/** An operation that no host thread has waited for. */
struct pending {
    uint64_t op;
    struct allocation *allocation;
};

static struct watched_list memory_watched;
static LIST(struct pending) pending;

struct watched_list *watched_all(void)
{
    return &memory_watched;
}

struct watched *watched_of(const struct allocation *a)
{
    for (int i = 0; a && i < memory_watched.count; i++)
        if (memory_watched.data[i].allocation == a)
            return &memory_watched.data[i];
    return NULL;
}

struct watched *watched_with(struct allocation *a)
{
    if (!watched_of(a))
        *LIST_PUSH(&memory_watched) = (struct watched){.allocation = a};
    return watched_of(a);
}

struct allocation *shared_at(uint64_t address)
{
    struct allocation *a = runtime.machine ? memory_find(machine_memory(runtime.machine), address) : NULL;
    return a && a->front && !a->freed ? a : NULL;
}

struct watched *watched_at(uint64_t address)
{
    for (int i = 0; i < memory_watched.count; i++) {
        const struct allocation *a = memory_watched.data[i].allocation;
        uint64_t pages = (a->bytes + PAGE - 1) / PAGE * PAGE;
        if (!a->freed && address - a->base < pages)
            return &memory_watched.data[i];
    }
    return NULL;
}

static void note_user(const struct operation *op, struct allocation *a)
{
    if (!a)
        return;
    for (int i = pending.count - 1; i >= 0 && pending.data[i].op == op->number; i--)
        if (pending.data[i].allocation == a)
            return;
    watched_with(a);
    *LIST_PUSH(&pending) = (struct pending){.op = op->number, .allocation = a};
}

static void note_variable(void *self, struct allocation *a)
{
    if (a->name && a->front && !a->freed)
        note_user(*(const struct operation **)self, a);
}

/** What the program does in memory of its own that is mapped into the device is not seen: said once. */
static void note_registered(uint64_t address)
{
    static bool said;
    const struct allocation *a = said ? NULL : memory_find(machine_memory(runtime.machine), address);
    if (!a || a->freed || a->kind != ALLOC_REGISTERED)
        return;
    said = true;
    report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_REGISTERED);
}

/** A kernel may use whatever its arguments point to; pointers within structures behind pointers are not
 *  followed. */
static void note_arguments(const struct operation *op, const uint8_t *params, uint32_t bytes)
{
    for (uint32_t at = 0; params && at + 8 <= bytes; at += 8) {
        uint64_t value;
        memcpy(&value, params + at, sizeof value);
        note_user(op, shared_at(value));
        note_registered(value);
    }
}

static void note_kernel(const struct operation *op)
{
    const struct device_graph *g = op->config.graph;
    note_arguments(op, op->params, op->config.kernel->param_bytes);
    for (int i = 0; g && i < g->nodes.count; i++)
        note_arguments(op, g->nodes.data[i].config.params, g->nodes.data[i].config.kernel->param_bytes);
    memory_each(machine_memory(runtime.machine), note_variable, &op);
}

void watched_note(const struct operation *op)
{
    if (op->kind == OP_KERNEL) {
        note_kernel(op);
    } else if (op->kind == OP_COPY) {
        note_user(op, shared_at(op->copy.dst));
        note_user(op, shared_at(op->copy.src));
    } else if (op->kind == OP_SET) {
        note_user(op, shared_at(op->set.dst));
    } else if (op->kind == OP_VALUE) {
        for (int i = 0; i < op->values->count; i++)
            note_user(op, shared_at(op->values->step[i].address));
    }
}

bool watched_by_kernel(const struct operation *op)
{
    for (int i = 0; i < pending.count; i++)
        if (pending.data[i].op == op->number && !pending.data[i].allocation->freed)
            return true;
    for (uint32_t at = 0; op->params && at + 8 <= op->config.kernel->param_bytes; at += 8) {
        uint64_t value;
        memcpy(&value, op->params + at, sizeof value);
        const struct allocation *a = memory_find(machine_memory(runtime.machine), value);
        if (a && !a->freed && a->kind == ALLOC_REGISTERED)
            return true;
    }
    return false;
}

/** Has everybody on the host waited for it: the program's threads, and the functions that are still to run? */
static bool known_to_all(uint64_t op)
{
    if (!op_set_has(&runtime.host_done, op))
        return false;
    const struct operation *o = runtime.host_functions ? runtime.queue_head : NULL;
    while (o && (o->kind != OP_HOST || op_set_has(&o->before, op)))
        o = o->next;
    return !o;
}

void watched_count_users(void)
{
    int kept = 0;
    for (int i = 0; i < memory_watched.count; i++)
        memory_watched.data[i].users = 0;
    for (int i = 0; i < pending.count; i++) {
        struct pending p = pending.data[i];
        if (p.allocation->freed || known_to_all(p.op))
            continue;
        pending.data[kept++] = p;
        watched_of(p.allocation)->users++;
    }
    pending.count = kept;
}

void watched_forget(void)
{
    memory_watched.count = pending.count = 0;
}
