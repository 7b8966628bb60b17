/**
 * @file builtin.c
 * vprintf, malloc, free, __assertfail: what nvcc declares `.extern .func` and the driver provides.
 */
#include "execute/builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/builtins.h"
#include "execute/access.h"
#include "execute/call.h"
#include "execute/engine.h"
#include "execute/fault.h"

/** cudaLimitMallocHeapSize's default. */
#define HEAP_LIMIT (8ull << 20)

static const struct insn *do_vprintf(struct warp *w, const struct insn *in,
                                     const struct call_desc *d)
{
    __atomic_store_n(&warp_machine(w)->printed, true, __ATOMIC_RELAXED);
    FOR_LANES(lane, w->mask)
    {
        int n = device_printf(w, (int)lane, call_argument(w, d, (int)lane, 0),
                              call_argument(w, d, (int)lane, 1));
        call_set_result(w, d, (int)lane, (uint32_t)n);
    }
    return in + 1;
}

bool machine_has_printed(const struct machine *m)
{
    return __atomic_load_n(&m->printed, __ATOMIC_RELAXED);
}

void machine_set_heap_limit(struct machine *m, uint64_t bytes)
{
    m->heap_limit = bytes;
}

struct allocation *builtin_allocate(struct warp *w, uint64_t bytes)
{
    struct machine *m = warp_machine(w);
    uint64_t limit = m->heap_limit ? m->heap_limit : HEAP_LIMIT;
    memory_choose(m->memory, w->worker->device);
    bool fits = bytes <= limit && m->heap_used <= limit - bytes;
    struct allocation *a = bytes && fits ? memory_alloc(m->memory, bytes, 16, ALLOC_DEVICE_HEAP, NULL) : NULL;
    m->heap_refused |= bytes && !a;
    return a;
}

static const struct insn *do_malloc(struct warp *w, const struct insn *in,
                                    const struct call_desc *d)
{
    FOR_LANES(lane, w->mask)
    {
        struct allocation *a = builtin_allocate(w, call_argument(w, d, (int)lane, 0));
        call_set_result(w, d, (int)lane, a ? a->base : 0);
    }
    return in + 1;
}

const struct insn *do_free(struct warp *w, const struct insn *in, const struct call_desc *d)
{
    struct machine *m = warp_machine(w);
    FOR_LANES(lane, w->mask)
    {
        uint64_t address = call_argument(w, d, (int)lane, 0);
        if (!address)
            continue;
        struct allocation *a = memory_find(m->memory, address);
        if (a && a->kind == ALLOC_DEVICE_HEAP && a->freed && a->base == address)
            return fault_at(w, in, (int)lane,
                            &(struct fault){.cause = CAUSE_FREED_TWICE, .space = SPACE_GLOBAL, .address = address});
        if (!a || a->kind != ALLOC_DEVICE_HEAP || a->base != address)
            return fault_at(w, in, (int)lane,
                            &(struct fault){.cause = CAUSE_NEVER_ALLOCATED, .space = SPACE_GLOBAL, .address = address,
                                            .facts.address = address});
        memory_free(m->memory, address);
    }
    return in + 1;
}

/** cudaGraphSetConditional(handle, value): the handle is the address of the value's cell. */
static const struct insn *do_set_condition(struct warp *w, const struct insn *in, const struct call_desc *d)
{
    struct memory *m = warp_machine(w)->memory;
    FOR_LANES(lane, w->mask)
    {
        uint64_t handle = call_argument(w, d, (int)lane, 0);
        uint32_t value = (uint32_t)call_argument(w, d, (int)lane, 1);
        struct allocation *a = memory_find(m, handle);
        if (!a || a->freed || a->base != handle || !a->name || strcmp(a->name, CONDITION_NAME) != 0)
            return fault_at(w, in, (int)lane,
                            &(struct fault){.cause = CAUSE_WILD, .space = SPACE_GENERIC,
                                            .facts = {.bytes = sizeof value, .address = handle}});
        memcpy(allocation_bytes(a), &value, sizeof value);
    }
    return in + 1;
}

/** __assertfail(message, file, line, function, char size): CUDA's words on stderr. */
static const struct insn *do_assertfail(struct warp *w, const struct insn *in,
                                        const struct call_desc *d)
{
    char message[256], file[256], function[256];
    const struct block *b = w->block;
    unsigned line = 0;
    FOR_LANES(lane, w->mask)
    {
        device_string(w, (int)lane, call_argument(w, d, (int)lane, 0), message, sizeof message);
        device_string(w, (int)lane, call_argument(w, d, (int)lane, 1), file, sizeof file);
        line = (unsigned)call_argument(w, d, (int)lane, 2);
        device_string(w, (int)lane, call_argument(w, d, (int)lane, 3), function, sizeof function);
        if (!b->grid->config.lone) /* else its values may be such as never come */
            fprintf(stderr,
                    "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                    line, function, b->id[0], b->id[1], b->id[2], w->thread_id[0][lane],
                    w->thread_id[1][lane], w->thread_id[2][lane], message);
    }
    return fault_at(w, in, __builtin_ctz(w->mask),
                    &(struct fault){.cause = CAUSE_ASSERTION,
                                    .facts = {.text = message, .file = file, .number = line}});
}

static const struct builtin {
    const char *name;
    const struct insn *(*run)(struct warp *w, const struct insn *in, const struct call_desc *d);
} builtins[] = {
#define BUILTIN(name, run) {#name, run},
#include "code/builtins.def"
#include "execute/worker.h"
};

#define BUILTIN_COUNT ((int)(sizeof builtins / sizeof builtins[0]))

static const struct builtin *find_builtin(const char *name)
{
    for (int i = 0; i < BUILTIN_COUNT; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

const struct insn *builtin_call(struct warp *w, const struct insn *in, const struct call_desc *d,
                                const char *name)
{
    const struct builtin *b = find_builtin(name);
    if (!b)
        return fault_at(w, in, __builtin_ctz(w->mask),
                        &(struct fault){.cause = CAUSE_UNKNOWN_FUNCTION, .facts.text = name});
    return b->run(w, in, d);
}
