/**
 * @file nested_calls.c
 * The device runtime's functions, as nvcc calls them in kernels that launch kernels: `__cudaCDP2…`. Errors are what an H200
 * returned (tests/runtime/cdp_facts.gpu.txt).
 */
#include <string.h>

#include "execute/builtin.h"
#include "execute/fault.h"
#include "execute/nested_call.h"
#include "execute/warp_run.h"
#include "report/reporter.h"

#define DEFAULT_PENDING 2048
/** Turns that threads without room for a launch give away in vain before it fails: what has been launched does not get on. */
#define PATIENCE 4096
#define PENDING_LIMIT 4 /* cudaLimitDevRuntimePendingLaunchCount */
#define NON_BLOCKING 1u
#define DISABLE_TIMING 2u

/* ---- Launches ---- */

static bool fits(const struct machine *m, const struct grid_config *c)
{
    const struct function *f = c->kernel;
    uint64_t threads = (uint64_t)c->block[0] * c->block[1] * c->block[2];
    if (!c->grid[0] || !c->grid[1] || !c->grid[2] || c->grid[0] > INT32_MAX || c->grid[1] > 65535 || c->grid[2] > 65535 ||
        !threads || c->block[0] > 1024 || c->block[1] > 1024 || c->block[2] > 64 ||
        threads > (uint64_t)m->nested_host->max_threads(f) ||
        c->dynamic_shared > (uint64_t)m->nested_host->max_dynamic_shared(f))
        return false;
    for (int i = 0; i < 3; i++)
        if ((f->req_threads[0] && c->block[i] != (f->req_threads[i] ? f->req_threads[i] : 1)) ||
            (f->cluster[0] && c->grid[i] % (f->cluster[i] ? f->cluster[i] : 1)))
            return false;
    return machine_occupancy(m, f, (int)threads, c->dynamic_shared) > 0;
}

static uint64_t parameter_buffer(struct warp *w, const struct function *kernel, struct grid_config *c)
{
    struct machine *m = warp_machine(w);
    struct grid_run *parent = grid_run(w->block->grid);
    c->kernel = (struct function *)kernel;
    c->device = parent->grid.config.device;
    c->part = NULL; /* on an H200, too, it is not bound to its parent's green context (tests/runtime/green_more_facts.cu) */
    c->op = parent->grid.config.op;
    c->by = parent->grid.config.by;
    c->before = &parent->grid.before;
    for (int i = 0; i < 3; i++)
        c->cluster[i] = kernel->cluster[0] ? (kernel->cluster[i] ? kernel->cluster[i] : 1) : 0;
    memory_choose(m->memory, c->device);
    struct allocation *a = memory_alloc(m->memory, kernel->param_bytes ? kernel->param_bytes : 8, 64, ALLOC_VARIABLE,
                                        "parameters of a launch");
    if (!a)
        return 0;
    struct nested_launch *l = nested_new(parent, c);
    l->buffer = a->base;
    *LIST_PUSH(&nested_family(parent)->filling) = l;
    return a->base;
}

CALL(do_parameter_buffer)
{
    FOR_LANES(lane, w->mask)
    {
        struct grid_config c = {0};
        const struct function *kernel = call_function_at(w, ARGUMENT(0));
        call_argument_bytes(w, d, (int)lane, 1, c.grid, sizeof c.grid);
        call_argument_bytes(w, d, (int)lane, 2, c.block, sizeof c.block);
        c.dynamic_shared = (uint32_t)ARGUMENT(3);
        bool good = warp_machine(w)->nested_host && kernel && kernel->is_entry && kernel->entry;
        if (good)
            c.kernel = (struct function *)kernel;
        good = good && fits(warp_machine(w), &c);
        uint64_t buffer = good ? parameter_buffer(w, kernel, &c) : 0;
        if (!buffer)
            nested_note(w, lane, NESTED_INVALID_CONFIGURATION);
        RETURN(buffer);
    }
    return in + 1;
}

static struct nested_launch *take_filled(struct warp *w, uint64_t buffer)
{
    struct nested_launches *all = &nested_family(grid_run(w->block->grid))->filling;
    for (int i = all->count - 1; i >= 0; i--)
        if (all->data[i]->buffer == buffer) {
            struct nested_launch *l = all->data[i];
            all->data[i] = all->data[--all->count];
            return l;
        }
    return NULL;
}

/* What the thread has written there is copied; the memory is given back. */
static void take_parameters(struct warp *w, struct nested_launch *l)
{
    struct memory *memory = warp_machine(w)->memory;
    uint32_t bytes = l->config.kernel->param_bytes;
    void *params = calloc(1, bytes ? bytes : 1);
    const void *from = memory_translate(memory, l->buffer, bytes ? bytes : 1);
    if (!params)
        abort();
    if (from)
        memcpy(params, from, bytes);
    l->config.params = params;
    memory_free(memory, l->buffer);
    worker_forget(w->worker);
}

/** Launches that may be outstanding. */
static int pending_limit(const struct machine *m, int device)
{
    uint64_t limit = DEFAULT_PENDING;
    if (m->nested_host)
        m->nested_host->limit(&limit, PENDING_LIMIT, device);
    return limit < INT32_MAX ? (int)limit : INT32_MAX;
}

/** Is there room for one more launch? Where there is none, others are to have a turn. */
static bool has_room(const struct warp *w, bool *wait)
{
    struct family *f = nested_family(grid_run(w->block->grid));
    bool room = f->outstanding < pending_limit(warp_machine(w), w->block->grid->config.device);
    *wait = !room && f->fruitless++ < PATIENCE;
    if (!room && warp_machine(w)->options.check && !warp_machine(w)->launches_told)
        report_incomplete(warp_machine(w)->reporter, INCOMPLETE_LAUNCHES);
    warp_machine(w)->launches_told |= !room;
    return room;
}

/** The lanes from `lane` on come here again when others have had a turn. */
static const struct insn *wait_for_room(struct warp *w, const struct insn *in, unsigned lane)
{
    uint32_t rest = w->mask & ~((1u << lane) - 1);
    if (rest != w->mask) {
        warp_split(w, in, rest, in);
        return in + 1;
    }
    w->preempted = true;
    return warp_stop(w, in, in, GROUP_READY);
}

CALL(do_launch)
{
    FOR_LANES(lane, w->mask)
    {
        bool wait;
        if (!has_room(w, &wait) && wait)
            return wait_for_room(w, in, lane);
        struct nested_launch *l = take_filled(w, ARGUMENT(0));
        if (!l) {
            RETURN(nested_note(w, lane, NESTED_INVALID_VALUE));
            continue;
        }
        take_parameters(w, l);
        int error = !has_room(w, &wait) ? NESTED_PENDING : NESTED_OK;
        if (!error && !nested_launch(w, (int)lane, l, ARGUMENT(1)))
            error = NESTED_INVALID_HANDLE;
        if (error)
            nested_drop(l);
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}

/** A copy's or a fill's kernel, in a stream. */
static int launch_own(struct warp *w, unsigned lane, struct nested_launch *l, uint64_t stream)
{
    bool unused;
    if (!l)
        return NESTED_OK; /* of nothing */
    int error = !has_room(w, &unused) ? NESTED_PENDING : NESTED_OK;
    if (!error && !nested_launch(w, (int)lane, l, stream))
        error = NESTED_INVALID_HANDLE;
    if (error)
        nested_drop(l);
    return error;
}

CALL(do_memcpy_async)
{
    FOR_LANES(lane, w->mask)
    {
        uint64_t kind = ARGUMENT(3) & UINT32_MAX;
        int error = kind != 3 && kind != 4 ? NESTED_INVALID_DIRECTION /* neither device to device nor unsaid */
                                           : launch_own(w, lane, nested_copy(warp_machine(w), grid_run(w->block->grid), ARGUMENT(0),
                                                                             ARGUMENT(1), ARGUMENT(2)), ARGUMENT(4));
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}

CALL(do_memset_async)
{
    FOR_LANES(lane, w->mask)
    {
        struct nested_launch *l = nested_set(warp_machine(w), grid_run(w->block->grid), ARGUMENT(0), (int)ARGUMENT(1), ARGUMENT(2));
        RETURN(nested_note(w, lane, launch_own(w, lane, l, ARGUMENT(3))));
    }
    return in + 1;
}

/* ---- Streams and events ---- */

CALL(do_stream_create)
{
    FOR_LANES(lane, w->mask)
    {
        struct family *f = nested_family(grid_run(w->block->grid));
        int error = ARGUMENT(1) & UINT32_MAX & ~(uint64_t)NON_BLOCKING ? NESTED_INVALID_VALUE : NESTED_OK;
        struct nested_stream *s = error ? NULL : nested_stream_new(f);
        if (s && !nested_give(w, in, lane, ARGUMENT(0), s->handle = f->handles++, 8))
            return NULL;
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}

CALL(do_event_create)
{
    FOR_LANES(lane, w->mask)
    {
        struct family *f = nested_family(grid_run(w->block->grid));
        int error = (ARGUMENT(1) & UINT32_MAX) != DISABLE_TIMING ? NESTED_INVALID_VALUE : NESTED_OK;
        struct nested_stream *e = error ? NULL : nested_stream_new(f);
        if (e) {
            e->event = true;
            if (!nested_give(w, in, lane, ARGUMENT(0), e->handle = f->handles++, 8))
                return NULL;
        }
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}

/* A stream (not one of those with a name of their own) or an event; NULL with the error. */
static struct nested_stream *named(struct warp *w, uint64_t handle, bool event, int *error)
{
    if (handle == STREAM_TAIL || handle == STREAM_FORGET || (event && !handle)) {
        *error = NESTED_INVALID_VALUE;
        return NULL;
    }
    struct nested_stream *s = nested_stream(w->block, handle);
    if (!s || s->event != event)
        *error = NESTED_INVALID_HANDLE;
    return s && s->event == event ? s : NULL;
}

/* The first argument waits for the second; one of them is an event. */
static const struct insn *order(struct warp *w, const struct insn *in, const struct call_desc *d, bool event_waits)
{
    FOR_LANES(lane, w->mask)
    {
        int error = NESTED_OK;
        struct nested_stream *waits = named(w, ARGUMENT(0), event_waits, &error),
                             *first = named(w, ARGUMENT(1), !event_waits, &error);
        if (waits && first)
            nested_wait(waits, first);
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}

CALL(do_event_record)
{
    return order(w, in, d, true);
}

CALL(do_stream_wait)
{
    return order(w, in, d, false);
}

/* What has been launched to it, or waits for it, goes on. */
CALL(do_stream_destroy)
{
    FOR_LANES(lane, w->mask)
    {
        int error = NESTED_OK;
        uint64_t handle = ARGUMENT(0);
        struct nested_stream *s = handle <= STREAM_FORGET ? NULL : nested_stream(w->block, handle);
        if (s)
            s->handle = 0;
        else
            error = NESTED_INVALID_HANDLE;
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}
