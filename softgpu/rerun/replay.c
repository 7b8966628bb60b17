/**
 * @file replay.c
 * Runs a launch, and runs it again.
 */
#include "rerun/replay.h"

#include "execute/grid_life.h"
#include "report/progress.h"

/** Warp instructions after which somebody who watches is told. */
#define SLICE (1u << 16)

static void run_to_end(struct replay *r, bool honest)
{
    bool chosen = r->kind == SCHEDULE_PCT || r->kind == SCHEDULE_RANDOM || r->kind == SCHEDULE_FINE || r->older;
    machine_set_schedule(r->machine, r->kind, r->seed);
    if (chosen)
        adversary_begin(r->adversary, r->seed, r->config->op,
                        honest                       ? SHOWS_NEWEST
                        : r->older                   ? SHOWS_OLDER
                        : r->kind == SCHEDULE_FINE   ? SHOWS_MOSTLY_OLDER
                                                     : SHOWS_DRAWN);
    r->grid = grid_start(r->machine, r->config);
    while (r->grid->status == GRID_RUNNING) {
        if (machine_step(r->machine, SLICE) == STEP_STUCK)
            grid_abort(r->grid, GRID_DEADLOCK);
        progress_tell(r->grid->finished, r->grid->blocks);
    }
    if (chosen)
        adversary_end(r->adversary);
}

/** Memory as before the launch, if it has run since. */
static void go_back(struct replay *r)
{
    if (!r->grid)
        return;
    grid_destroy(r->grid);
    r->grid = NULL;
    memory_restore(machine_memory(r->machine), r->start);
}

void replay_open(struct replay *r, struct machine *m, struct adversary *adversary,
                 const struct grid_config *config)
{
    *r = (struct replay){.machine = m, .adversary = adversary, .config = config,
                         .start = memory_save(machine_memory(m))};
}

void replay_close(struct replay *r)
{
    machine_set_schedule(r->machine, SCHEDULE_NATURAL, 0);
    memory_snapshot_free(r->start);
    r->start = NULL;
}

static void run(struct replay *r, enum schedule_kind kind, uint64_t seed, bool older)
{
    go_back(r);
    r->kind = kind;
    r->seed = seed;
    r->older = older;
    r->point = machine_point(r->machine);
    run_to_end(r, false);
}

void replay_run(struct replay *r, enum schedule_kind kind, uint64_t seed)
{
    run(r, kind, seed, false);
}

void replay_run_older(struct replay *r, enum schedule_kind kind)
{
    run(r, kind, 0, true);
}

void replay_again(struct replay *r, bool honest)
{
    go_back(r);
    machine_return(r->machine, &r->point);
    run_to_end(r, honest);
}
