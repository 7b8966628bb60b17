/**
 * @file machine.c
 * The machine's life: options, modules, grids. What runs when is step.c's and schedule.c's.
 */
#include "execute/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/effects.h"
#include "base/mix.h"
#include "base/processors.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/grid_life.h"
#include "execute/nested.h"
#include "execute/occupancy.h"
#include "execute/quiet_global.h"
#include "execute/sm_part.h"
#include "execute/worker.h"
#include "report/reporter.h"

/** Bytes of the grid-sync workspace of a cooperative launch: the barrier word lies at +4. */
#define WORKSPACE_BYTES 64

/** Grids with fewer warps end before other host threads have begun. */
#define PARALLEL_WARPS 64

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

static void on_allocated(void *self, struct allocation *a)
{
    struct machine *m = self;
    if (a->kind == ALLOC_DEVICE_HEAP)
        m->heap_used += a->bytes;
    OBSERVE(&m->observers, allocated, a);
}

static void on_freed(void *self, struct allocation *a)
{
    struct machine *m = self;
    for (int i = 0; i < m->worker_count; i++)
        worker_forget(&m->workers[i]);
    if (m->looked_for.at && m->looked_for.at >= a->host && m->looked_for.at < a->host + a->bytes)
        machine_look_for(m, NULL, 0);
    if (a->kind == ALLOC_DEVICE_HEAP)
        m->heap_used -= a->bytes;
    OBSERVE(&m->observers, freed, a);
}

static int host_threads(const struct options *o)
{
    int n = o->threads > 0 ? o->threads : processors_allowed();
    return o->check ? 1 : n > 64 ? 64 : n;
}

struct machine *machine_create_again(const struct options *options, struct reporter *reporter)
{
    struct machine *m = must(calloc(1, sizeof *m));
    m->options = *options;
    if (m->options.step_limit == STEPS_UNSAID)
        m->options.step_limit = options->check ? STEPS_CHECKED : 0;
    if (!m->options.device)
        m->options.device = device_model_at(0);
    if (!m->options.devices)
        m->options.devices = 1;
    if (!m->options.out)
        m->options.out = stdout;
    m->checked = options->check || options->counters;
    m->memory = memory_create(m->options.device->memory_bytes, options->check);
    m->reporter = reporter;
    m->sms = must(calloc((size_t)m->options.device->sms * (size_t)m->options.devices, sizeof *m->sms));
    m->worker_count = host_threads(options);
    m->workers = must(aligned_alloc(_Alignof(struct worker), (size_t)m->worker_count * sizeof *m->workers));
    memset(m->workers, 0, (size_t)m->worker_count * sizeof *m->workers);
    for (int i = 0; i < m->worker_count; i++)
        m->workers[i].machine = m;
    machine_set_schedule(m, SCHEDULE_NATURAL, options->seed);
    memory_set_hooks(m->memory, on_allocated, on_freed, m);
    return m;
}

void machine_leave(struct machine *m)
{
    m->leaving = true;
}

bool machine_is_leaving(const struct machine *m)
{
    return m->leaving;
}

struct reporter *machine_end(struct machine *m)
{
    while (m->grids.count) {
        grid_abort(&m->grids.data[0]->grid, GRID_CANCELLED);
        grid_destroy(&m->grids.data[0]->grid);
    }
    observers_close(&m->observers);
    while (m->images.count)
        machine_unload(m, m->images.data[0].image);
    for (int i = 0; i < m->worker_count; i++) {
        for (int j = 0; j < m->workers[i].slots.count; j++)
            block_free(m->workers[i].slots.data[j]);
        LIST_FREE(&m->workers[i].slots);
    }
    memory_set_hooks(m->memory, NULL, NULL, NULL);
    free(m->workers);
    LIST_FREE(&m->grids);
    LIST_FREE(&m->residents);
    LIST_FREE(&m->images);
    struct reporter *reporter = m->reporter;
    memory_destroy(m->memory);
    free(m->sms);
    free(m);
    return reporter;
}

const struct options *machine_options(const struct machine *m)
{
    return &m->options;
}

void machine_set_compiler(struct machine *m, const struct compiler *c)
{
    m->compiler = c;
}

struct memory *machine_memory(struct machine *m)
{
    return m->memory;
}

struct reporter *machine_reporter(struct machine *m)
{
    return m->reporter;
}

uint64_t machine_steps(const struct machine *m)
{
    return m->clock;
}

struct observer_set *machine_observers(struct machine *m)
{
    return &m->observers;
}

void machine_set_schedule(struct machine *m, enum schedule_kind kind, uint64_t seed)
{
    m->schedule = kind;
    m->schedule_seed = seed;
    m->poll_cost = kind == SCHEDULE_PATIENT ? 1 : POLL_COST;
    m->random = seed * MIX_STEP + 0x632be59bd9b4e019ull;
    m->lowest_priority = -1;
    m->parks = m->waits_in_row = false;
    m->next_parked = 0, m->vain_turns = m->passed_over = 0;
    m->change_at = 0;
}

struct machine_point machine_point(const struct machine *m)
{
    struct machine_point p = {.grids_started = m->grids_started, .clock = m->clock,
                              .latest_clock = m->latest_clock, .held_clock = m->held_clock};
    memcpy(p.next_sm, m->next_sm, sizeof p.next_sm);
    return p;
}

void machine_return(struct machine *m, const struct machine_point *p)
{
    m->grids_started = p->grids_started;
    m->clock = p->clock;
    m->latest_clock = p->latest_clock;
    m->held_clock = p->held_clock;
    memcpy(m->next_sm, p->next_sm, sizeof m->next_sm);
}

void machine_set_chooser(struct machine *m, const struct chooser *how, void *self)
{
    m->chooser.how = how;
    m->chooser.self = self;
    memset(m->workers[0].access.older, 0, sizeof m->workers[0].access.older);
}

void machine_set_nested_host(struct machine *m, const struct nested_host *host)
{
    m->nested_host = host;
}

bool machine_has_chooser(const struct machine *m)
{
    return m->chooser.how != NULL;
}

bool machine_resident(const struct machine *m, int i, const struct block **block, bool *stuck)
{
    if (i >= m->residents.count - m->first_resident)
        return false;
    const struct resident *r = &m->residents.data[m->first_resident + i];
    *block = r->block;
    *stuck = r->stuck;
    return true;
}

/** A zeroed workspace that no running grid uses. */
static uint64_t workspace_for(struct machine *m)
{
    bool taken = !m->workspace;
    for (int i = 0; i < m->grids.count; i++)
        taken |= m->grids.data[i]->grid.envreg_workspace == m->workspace;
    if (!taken) {
        memset(memory_translate(m->memory, m->workspace, WORKSPACE_BYTES), 0, WORKSPACE_BYTES);
        return m->workspace;
    }
    struct allocation *a =
        memory_alloc(m->memory, WORKSPACE_BYTES, 64, ALLOC_VARIABLE, "grid-sync workspace");
    if (!a)
        return 0;
    m->workspace = a->base;
    return a->base;
}

struct grid *grid_start(struct machine *m, const struct grid_config *config)
{
    return grid_start_nested(m, config, NULL);
}

struct grid *grid_start_nested(struct machine *m, const struct grid_config *config, struct nested_launch *launch)
{
    struct loaded_image *l = machine_loaded(m, config->kernel->image);
    assert(l && config->kernel->entry);
    struct grid_run *run = must(calloc(1, sizeof *run));
    struct grid *g = &run->grid;
    g->machine = m;
    g->config = *config;
    if (config->before)
        op_set_copy(&g->before, config->before);
    g->config.before = &g->before;
    size_t room = (config->kernel->param_bytes + 127u) & ~63u; /* aligned, so that sectors are counted alike in every run */
    g->params = memset(must(aligned_alloc(64, room)), 0, room);
    if (config->kernel->param_bytes)
        memcpy(g->params, config->params, config->kernel->param_bytes);
    g->config.params = g->params;
    g->blocks = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    g->threads_per_block = config->block[0] * config->block[1] * config->block[2];
    g->warps_per_block = (g->threads_per_block + WARP_LANES - 1) / WARP_LANES;
    g->cluster_blocks = config->cluster[0] ? config->cluster[0] * config->cluster[1] * config->cluster[2] : 1;
    g->shared_bytes = config->kernel->shared_bytes + config->dynamic_shared;
    g->status = g->blocks ? GRID_RUNNING : GRID_DONE;
    if (config->lone) {
        run->next_block = g->started = g->finished = config->lone->block;
        g->blocks = config->lone->block + 1;
        g->cluster_blocks = 1;    /* its mates are not there */
    }
    if (config->end_block) {
        run->next_block = g->started = g->finished = config->from_block;
        g->blocks = config->end_block;
    }
    run->constants = l->constants;
    run->room = ROOM_ANYWHERE;
    run->need = occupancy_need(m->options.device, config->kernel, (int)g->threads_per_block,
                               config->dynamic_shared);
    run->number = ++m->grids_started;
    run->made = ++m->grids_made;
    nested_attach(run, launch);
    int fit = machine_occupancy(m, config->kernel, (int)g->threads_per_block, config->dynamic_shared);
    run->first_round = (uint64_t)(fit > 0 ? fit : 1) * (uint64_t)sm_part_count(config->part, m->options.device->sms);
    if (!config->start_clock)
        g->config.start_clock = m->latest_clock;
    for (int i = 0; i < m->options.device->sms * m->options.devices; i++)
        if (m->sms[i].grid == g)
            m->sms[i].grid = NULL;
    run->schedule = m->schedule;
    run->strays = (m->schedule == SCHEDULE_RANDOM || m->schedule == SCHEDULE_FINE) && !kernel_asks_for_convergence(config->kernel);
    run->few_begin = m->schedule != SCHEDULE_NATURAL && kernel_takes_blocks(config->kernel);
    if (config->cooperative)
        g->envreg_workspace = workspace_for(m);
    run->parallel = m->worker_count > 1 && !launch && !config->cooperative && g->cluster_blocks == 1 &&
                    m->schedule == SCHEDULE_NATURAL && !m->checked && g->blocks > 1 &&
                    g->blocks * g->warps_per_block >= PARALLEL_WARPS &&
                    kernel_is_order_free(config->kernel);
    if (m->compiler)
        m->compiler->begins(m, config->kernel);
    *LIST_PUSH(&m->grids) = run;
    OBSERVE(&m->observers, grid_begin, g);
    quiet_global_begin(m, g);
    return g;
}

void grid_destroy(struct grid *g)
{
    struct machine *m = g->machine;
    assert(!grid_running(g));
    for (int i = 0; i < m->grids.count; i++)
        if (&m->grids.data[i]->grid == g) {
            memmove(&m->grids.data[i], &m->grids.data[i + 1],
                    (size_t)(m->grids.count - i - 1) * sizeof m->grids.data[0]);
            m->grids.count--;
            break;
        }
    op_set_free(&g->before);
    op_set_free(&g->after);
    op_set_free(&grid_run(g)->complete);
    LIST_FREE(&grid_run(g)->tails);
    free(g->uses);
    free(g->params);
    free(g);
}
