/**
 * @file replay.c
 * Runs a launch, or several at once, and runs them again.
 */
#include "rerun/replay.h"

#include "execute/chooser.h"
#include "execute/grid_life.h"
#include "report/progress.h"
#include "report/reporter.h"
#include "rerun/adversary.h"
#include "rerun/bounds.h"
#include "rerun/no_way_out.h"

/** Warp instructions after which somebody who watches is told. */
#define SLICE (1u << 16)

uint64_t replay_instructions(const struct replay *r)
{
    uint64_t sum = 0;
    for (int i = 0; i < r->count; i++)
        sum += r->grids[i]->instructions;
    return sum;
}

bool replay_is_small(const struct replay *r)
{
    return replay_instructions(r) <= SMALL_LAUNCH || r->least <= FEW_INSTRUCTIONS;
}

static int count_in(const struct replay *r, enum grid_status status)
{
    int n = 0;
    for (int i = 0; i < r->count; i++)
        n += r->grids[i]->status == status;
    return n;
}

bool replay_done(const struct replay *r)
{
    return count_in(r, GRID_DONE) == r->count;
}

/** With a fault everything that runs ends. */
static void abort_running(struct replay *r, enum grid_status status)
{
    for (int i = 0; i < r->count; i++)
        if (r->grids[i]->status == GRID_RUNNING)
            grid_abort(r->grids[i], status);
}

/** Runs that let some wait for long are given up where they do. */
static uint64_t most_of_kind(const struct replay *r)
{
    return r->kind == SCHEDULE_PATIENT  ? PATIENT_RUN
           : r->kind == SCHEDULE_STRICT || r->kind == SCHEDULE_IN_STEP ? STRICT_TIMES * r->least + STRICT_MORE
                                        : UINT64_MAX;
}

/** What a run that is given up has shown stands; it is one beside the run that counts. */
static void give_up_long(struct replay *r)
{
    uint64_t took = replay_instructions(r);
    bool beyond = r->most && took > r->most;
    if (!beyond && took <= most_of_kind(r))
        return;
    r->given_up |= beyond && count_in(r, GRID_RUNNING);
    abort_running(r, GRID_CANCELLED);
}

static void run_grids(struct replay *r)
{
    struct no_way_out out = {0};
    for (int i = 0; i < r->count; i++)
        r->grids[i] = grid_start(r->machine, r->configs[i]);
    memory_save_rest(r->start, true);
    while (count_in(r, GRID_RUNNING)) {
        if (machine_step(r->machine, SLICE) == STEP_STUCK || no_way_out_met(&out, r))
            abort_running(r, GRID_DEADLOCK);
        else if (r->may_stand && machine_is_stalled(r->machine) && count_in(r, GRID_RUNNING))
            r->stands = true, abort_running(r, GRID_AGAIN);
        else if (count_in(r, GRID_RUNNING) + count_in(r, GRID_DONE) < r->count)
            abort_running(r, GRID_CANCELLED);
        else
            give_up_long(r);
        progress_tell(r->grids[0]->finished, r->grids[0]->blocks);
    }
    no_way_out_end(&out, r);
}

/** In a longer run threads wait for longer. */
static void note_length(struct replay *r)
{
    uint64_t took = replay_instructions(r);
    if (replay_done(r) && (!r->least || took < r->least))
        r->least = took;
}

static void run_to_end(struct replay *r, bool honest)
{
    bool chosen = r->kind == SCHEDULE_PCT || r->kind == SCHEDULE_RANDOM || r->kind == SCHEDULE_FINE || r->older;
    machine_set_schedule(r->machine, r->kind, r->seed);
    if (chosen)
        adversary_begin(r->adversary, r->seed, r->configs[0]->op,
                        honest                       ? SHOWS_NEWEST
                        : r->older                   ? SHOWS_OLDER
                        : r->kind == SCHEDULE_FINE   ? SHOWS_MOSTLY_OLDER
                                                     : SHOWS_DRAWN);
    run_grids(r);
    r->parked |= machine_has_parked(r->machine);
    note_length(r);
    if (chosen)
        adversary_end(r->adversary);
}

void replay_drop(struct replay *r)
{
    for (int i = 0; i < r->count; i++) {
        grid_destroy(r->grids[i]);
        r->grids[i] = NULL;
    }
}

/** Memory as before the launch, if it has run since. */
static void go_back(struct replay *r)
{
    if (!r->grids[0])
        return;
    replay_drop(r);
    memory_restore(machine_memory(r->machine), r->start);
}

/** A run whose findings do not count if it has to be made again. @return whether it has */
static bool run_tentatively(struct replay *r, bool quietly)
{
    struct reporter_mark *mark = reporter_mark(machine_reporter(r->machine));
    machine_let_quiet(r->machine, quietly);
    machine_set_awaited(r->machine, !r->may_stand, false);
    run_to_end(r, false);
    machine_set_awaited(r->machine, true, false);
    machine_let_quiet(r->machine, false);
    bool again = count_in(r, GRID_AGAIN) > 0;
    reporter_unmark(machine_reporter(r->machine), mark, again);
    return again;
}

/** The launch's first run: memory that it does not write may be read quietly. Where it does write there, what it has told counts no more, and it
 *  runs without. */
static void run_quietly(struct replay *r)
{
    if (!run_tentatively(r, true) || r->stands)
        return;
    go_back(r);
    machine_return(r->machine, &r->point);
    run_tentatively(r, false);
}

void replay_open(struct replay *r, struct machine *m, struct adversary *adversary,
                 const struct grid_config *const *configs, int count)
{
    *r = (struct replay){.machine = m, .adversary = adversary, .configs = configs, .count = count,
                         .start = memory_save_later(machine_memory(m))};
    machine_set_awaited(m, true, false);
}

void replay_undo(struct replay *r)
{
    go_back(r);
    machine_return(r->machine, &r->point);
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
    if (kind == SCHEDULE_NATURAL && !older)
        run_quietly(r);
    else
        run_to_end(r, false);
}

void replay_run(struct replay *r, enum schedule_kind kind, uint64_t seed)
{
    run(r, kind, seed, false);
}

void replay_run_older(struct replay *r, enum schedule_kind kind, uint64_t seed)
{
    run(r, kind, seed, true);
}

void replay_again(struct replay *r, bool honest)
{
    go_back(r);
    machine_return(r->machine, &r->point);
    run_to_end(r, honest);
}

void replay_chosen(struct replay *r, const struct chooser *how, void *self)
{
    go_back(r);
    machine_return(r->machine, &r->point);
    machine_set_schedule(r->machine, SCHEDULE_CHOSEN, 0);
    machine_set_chooser(r->machine, how, self);
    run_grids(r);
    machine_set_chooser(r->machine, NULL, NULL);
}

void replay_go_on(struct replay *r, const struct grid_config *config)
{
    const struct grid_config *const *configs = r->configs, *const rest[] = {config};
    replay_drop(r);
    machine_set_schedule(r->machine, SCHEDULE_NATURAL, 0);
    r->configs = rest;
    run_grids(r);
    r->configs = configs;
}
