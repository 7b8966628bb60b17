/**
 * @file nested.c
 * See nested.h: what waits for what, when launches begin, and when grids are complete.
 */
#include "execute/nested.h"

#include <stdio.h>
#include <string.h>

#include "execute/device_graph.h"
#include "execute/grid_life.h"
#include "execute/node_update.h"
#include "execute/worker.h"
#include "report/reporter.h"
#include "report/words/words.h"

/** Grids that an H200 runs at once (compute capability 9.0). */
#define MAX_RUNNING 128
#define FIRST_HANDLE 0x1000u

/* ---- Launches ---- */

struct nested_launch *nested_new(struct grid_run *parent, const struct grid_config *config)
{
    struct nested_launch *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->refs = 1;
    l->machine = parent->grid.machine;
    l->parent = parent;
    l->config = *config;
    return l;
}

static struct nested_launch *launch_ref(struct nested_launch *l)
{
    if (l)
        l->refs++;
    return l;
}

static void drop_all(struct nested_launches *list)
{
    for (int i = 0; i < list->count; i++)
        nested_drop(list->data[i]);
    LIST_FREE(list);
}

void nested_drop(struct nested_launch *l)
{
    if (!l || --l->refs)
        return;
    struct observer_set *set = &l->machine->observers;
    for (int i = 0; i < set->slots; i++)
        if (l->kept[i])
            set->hooks[i]->launch_forgotten(set->self[i], l->kept[i]);
    drop_all(&l->after);
    LIST_FREE(&l->followers);
    op_set_free(&l->complete);
    device_graph_drop(l->config.graph);
    free((void *)(uintptr_t)l->config.params);
    free(l);
}

static void remove_launch(struct nested_launches *list, const struct nested_launch *l)
{
    for (int i = 0; i < list->count; i++)
        if (list->data[i] == l) {
            memmove(&list->data[i], &list->data[i + 1], (size_t)(list->count - i - 1) * sizeof *list->data);
            list->count--;
            return;
        }
}

/* What observers kept of the launch, for something else, too. */
static void inherit(struct machine *m, void **kept, const struct nested_launch *from)
{
    struct observer_set *set = &m->observers;
    for (int i = 0; i < set->slots; i++)
        if (from->kept[i])
            set->hooks[i]->launch_after(set->self[i], &kept[i], from->kept[i]);
}

void nested_after(struct nested_launch *l, struct nested_launch *earlier)
{
    if (!earlier)
        return;
    *LIST_PUSH(&l->after) = launch_ref(earlier);
    if (!earlier->done) {
        l->awaited++;
        *LIST_PUSH(&earlier->followers) = l;
    }
    inherit(l->machine, l->kept, earlier);
}

/* ---- Families ---- */

struct family *nested_family(struct grid_run *run)
{
    if (run->family)
        return run->family;
    struct family *f = run->family = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->root = run;
    op_set_add(&run->complete, 1);
    f->members = 1;
    f->handles = FIRST_HANDLE;
    return f;
}

void nested_attach(struct grid_run *run, struct nested_launch *l)
{
    struct grid *g = &run->grid;
    g->member = 1;
    if (!l)
        return;
    run->parent = l->parent;
    run->launch = l;
    run->family = l->parent->family;
    g->parent = &l->parent->grid;
    g->member = ++run->family->members;
    inherit(g->machine, g->inherited, l);
    if (!g->machine->checked)
        return;
    op_set_copy(&g->after, l->tail ? &l->parent->complete : &g->parent->after);
    for (int i = 0; i < l->after.count; i++)
        op_set_join(&g->after, &l->after.data[i]->complete);
    op_set_copy(&run->complete, &g->after);
    op_set_add(&run->complete, g->member);
}

/* Its parameters are copied by the grid; what it waited for is of no more use. */
static void begin(struct machine *m, struct nested_launch *l)
{
    l->parent->family->running++;
    if (l->config.node && m->checked)
        report_incomplete_once(m->reporter, INCOMPLETE_NODES);
    node_state_apply(m, &l->config);
    grid_start_nested(m, &l->config, l);
    free((void *)(uintptr_t)l->config.params);
    l->config.params = NULL;
    drop_all(&l->after);
}

static void begin_ready(struct machine *m, struct family *f)
{
    while (f->running < MAX_RUNNING && f->ready.count)
        begin(m, nested_pop_ready(f));
}

/* What waited for it may begin, if it waits for nothing else. */
static void let_followers(struct family *f, struct nested_launch *l)
{
    for (int i = 0; i < l->followers.count; i++) {
        struct nested_launch *next = l->followers.data[i], *last;
        if (--next->awaited)
            continue;
        f->waiting.data[next->place] = last = f->waiting.data[--f->waiting.count];
        last->place = next->place;
        nested_push_ready(f, next);
    }
    LIST_FREE(&l->followers);
}

static bool begin_tail(struct machine *m, struct grid_run *run)
{
    if (!run->tails.count)
        return false;
    struct nested_launch *l = run->tails.data[0];
    remove_launch(&run->tails, l);
    run->over = true;
    run->front = 0;
    run->open++;
    begin(m, l);
    return true;
}

/* What it did counts as its parent's. */
static void add_up(struct grid *to, const struct grid *from)
{
    to->instructions += from->instructions;
    to->lane_instructions += from->lane_instructions;
    to->loads += from->loads;
    to->moved += from->moved;
    for (int i = 0; i < COUNTER_COUNT; i++)
        to->counters[i] += from->counters[i];
}

/* A grid that a thread has launched is complete. */
static void completed(struct machine *m, struct grid_run *run)
{
    struct nested_launch *l = run->launch;
    struct grid_run *parent = run->parent;
    struct family *f = run->family;
    l->done = true;
    if (m->checked) {
        l->complete = run->complete;
        run->complete = (struct op_set){0};
        op_set_join(&parent->complete, &l->complete);
    }
    add_up(&parent->grid, &run->grid);
    parent->open--;
    f->outstanding--;
    f->fruitless = 0;
    grid_destroy(&run->grid);
    let_followers(f, l);
    nested_drop(l);
    begin_ready(m, f);
}

bool nested_ran(struct machine *m, struct grid_run *run)
{
    if (run->parent) {
        run->family->running--;
        begin_ready(m, run->family);
    }
    while (!run->open && !begin_tail(m, run)) {
        struct grid_run *parent = run->parent;
        run->grid.status = GRID_DONE;
        step_end_grid(m, run);
        if (!parent)
            return true;
        completed(m, run);
        if (parent->grid.finished < parent->grid.blocks)
            return false;
        run = parent;
    }
    return false;
}

struct grid_run *nested_failed(struct grid_run *run)
{
    if (!run->parent)
        return run;
    struct grid_run *root = run->family->root;
    root->grid.status = run->grid.status;
    char name[160];
    put_plain(name, sizeof name, run->grid.config.kernel->name);
    snprintf(root->fault, sizeof root->fault, "kernel %s, launched from it: %.280s", name, run->fault);
    return root;
}

void nested_close(struct machine *m, struct grid_run *run)
{
    struct family *f = run->family;
    if (!f || f->root != run)
        return;
    for (int i = m->grids.count - 1; i >= 0; i--) { /* children behind their parents */
        struct grid_run *r = m->grids.data[i];
        if (r == run || r->family != f)
            continue;
        r->grid.status = GRID_CANCELLED;
        step_end_grid(m, r);
        for (int k = 0; k < r->tails.count; k++)
            nested_drop(r->tails.data[k]);
        r->tails.count = 0;
        nested_drop(r->launch);
        r->launch = NULL;
    }
    for (int i = 0; i < run->tails.count; i++)
        nested_drop(run->tails.data[i]);
    run->tails.count = 0;
    for (int i = 0; i < f->filling.count; i++)
        memory_free(m->memory, f->filling.data[i]->buffer);
    drop_all(&f->filling);
    drop_all(&f->ready);
    drop_all(&f->waiting);
    for (int i = 0; i < f->streams.count; i++) {
        nested_drop(f->streams.data[i]->last);
        drop_all(&f->streams.data[i]->waits);
        free(f->streams.data[i]);
    }
    LIST_FREE(&f->streams);
    for (int i = m->grids.count - 1; i >= 0; i--)
        if (m->grids.data[i] != run && m->grids.data[i]->family == f)
            grid_destroy(&m->grids.data[i]->grid);
    run->family = NULL;
    run->open = 0;
    free(f);
}

/* ---- Streams and events ---- */

struct nested_stream *nested_stream_new(struct family *f)
{
    struct nested_stream *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    *LIST_PUSH(&f->streams) = s;
    return s;
}

struct nested_stream *nested_stream(struct block *b, uint64_t handle)
{
    struct family *f = nested_family(grid_run(b->grid));
    if (handle <= 2) { /* as cudaStreamLegacy and cudaStreamPerThread are */
        if (!b->stream)
            b->stream = nested_stream_new(f);
        return b->stream;
    }
    for (int i = 0; i < f->streams.count; i++)
        if (f->streams.data[i]->handle == handle)
            return f->streams.data[i];
    return NULL;
}

void nested_wait(struct nested_stream *to, const struct nested_stream *from)
{
    if (to->event) {
        nested_drop(to->last);
        for (int i = 0; i < to->waits.count; i++)
            nested_drop(to->waits.data[i]);
        to->last = NULL;
        to->waits.count = 0;
    }
    if (from->last)
        *LIST_PUSH(&to->waits) = launch_ref(from->last);
    for (int i = 0; i < from->waits.count; i++)
        *LIST_PUSH(&to->waits) = launch_ref(from->waits.data[i]);
}

static void enter_stream(struct nested_stream *s, struct nested_launch *l)
{
    nested_after(l, s->last);
    for (int i = 0; i < s->waits.count; i++)
        nested_after(l, s->waits.data[i]);
    drop_all(&s->waits);
    nested_drop(s->last);
    s->last = launch_ref(l);
}

void nested_keep(struct warp *w, int lane, struct nested_launch *l)
{
    struct family *f = nested_family(l->parent);
    struct observer_set *set = &l->machine->observers;
    for (int i = 0; i < set->slots; i++)
        if (set->hooks[i]->launches)
            l->kept[i] = set->hooks[i]->launches(set->self[i], w, lane);
    l->config.start_clock = 0;
    l->turn = ++f->turns;
    f->outstanding++;
}

void nested_queue(struct nested_launch *l)
{
    struct family *f = nested_family(l->parent);
    l->parent->open++;
    l->place = f->waiting.count;
    if (l->awaited)
        *LIST_PUSH(&f->waiting) = l;
    else
        nested_push_ready(f, l);
    begin_ready(l->machine, f);
}

bool nested_launch(struct warp *w, int lane, struct nested_launch *l, uint64_t handle)
{
    bool own = handle == STREAM_TAIL || handle == STREAM_FORGET;
    struct nested_stream *s = own ? NULL : nested_stream(w->block, handle);
    if (!s && !own)
        return false;
    nested_keep(w, lane, l);
    if (handle == STREAM_TAIL) {
        l->tail = true;
        *LIST_PUSH(&l->parent->tails) = l;
        return true;
    }
    if (s)
        enter_stream(s, l);
    nested_queue(l);
    return true;
}
