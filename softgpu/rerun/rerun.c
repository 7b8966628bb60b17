/**
 * @file rerun.c
 * How often a launch runs, and what is made of each run.
 */
#include "rerun/rerun.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/effects.h"
#include "base/mix.h"
#include "execute/grid_life.h"
#include "options/options.h"
#include "report/progress.h"
#include "report/reporter.h"
#include "rerun/adversary.h"
#include "rerun/bounds.h"
#include "rerun/counts.h"
#include "rerun/interleaving.h"
#include "rerun/outcome.h"
#include "rerun/printed.h"
#include "rerun/replay.h"
#include "rerun/rerun_state.h"

void rerun_listen(struct rerun *r, const struct run_listener *how, void *self)
{
    r->listener = how;
    r->listening = self;
}

void rerun_copies(struct rerun *r, pid_t (*copy)(void))
{
    r->copy = copy;
}

static void tell_launch(const struct rerun *r, const struct grid_config *config, bool begins)
{
    if (r->listener)
        r->listener->launch(r->listening, config, begins);
}

struct rerun *rerun_open(const struct options *options)
{
    struct rerun *r = calloc(1, sizeof *r);
    assert(r);
    r->options = options;
    if (!options->exhaustive && !options->check) {
        r->output = stdout;
        return r;
    }
    r->output = printed_open(r);
    return r;
}

void rerun_close(struct rerun *r)
{
    if (!r)
        return;
    if (r->output != stdout)
        fclose(r->output);
    adversary_free(r->adversary);
    LIST_FREE(&r->held);
    hash_set_free(&r->looked_into);
    drawing_close(&r->drawing);
    free(r);
}

FILE *rerun_output(struct rerun *r)
{
    return r->output;
}

bool rerun_wanted(const struct rerun *r, struct machine *m)
{
    const struct options *o = r->options;
    const struct memory *memory = machine_memory(m);
    uint64_t used = memory_used(memory);
    if (o->exhaustive || (o->check && o->schedules > 1))
        return true;
    return o->check && used <= MAX_SINGLE_BYTES && (used + memory_locked(memory) <= MAX_COPIED_BYTES || memory_copied(memory) <= MAX_COPIED_BYTES);
}

/* ---- Runs in several schedules ---- */

/** One word that differs for each seed, launch and run. */
static uint64_t draw(uint64_t seed, uint64_t op, int run)
{
    return mix64(seed + op * MIX_STEP + (uint64_t)run * 0xd1b54a32d192ed03ull);
}

static enum schedule_kind kind_of_run(int run)
{
    if (run == 0)
        return SCHEDULE_NATURAL;
    return run % 2 ? SCHEDULE_PCT : SCHEDULE_RANDOM;
}

static void tell_run(const struct rerun *r, int number, bool begins)
{
    if (r->listener)
        r->listener->run(r->listening, number, kind_of_run(number), begins);
}

void watch_again(struct rerun *r, struct replay *replay)
{
    struct interleaving *w;
    bool was_muted = r->muted;
    r->muted = true;
    while (replay_instructions(replay) <= MAX_WATCHED &&
           (w = interleaving_begin(replay->machine, replay->configs[0]->op))) {
        replay_again(replay, false);
        interleaving_tell(w);
        interleaving_end(w, interleaving_doubts_order(w) && replay_done(replay) && outcome_needs_older_values(replay));
    }
    r->muted = was_muted;
}

void run_once(struct rerun *r, struct replay *replay, int run)
{
    bool by_chance = reporter_by_chance(machine_reporter(replay->machine), run > 0);
    tell_run(r, run, true);
    replay_run(replay, kind_of_run(run), draw(r->options->seed, replay->configs[0]->op, run));
    tell_run(r, run, false);
    if (!replay->stands)
        watch_again(r, replay);
    reporter_by_chance(machine_reporter(replay->machine), by_chance);
}

/** Does every thread do the same in every schedule, if nothing races? */
static bool is_determined(const struct replay *replay)
{
    const struct grid *g = replay->grids[0];
    return replay->count == 1 && !g->came_apart && g->cluster_blocks == 1 && !g->config.awaits &&
           kernel_is_determined(g->config.kernel);
}

/** Do all schedules show what the natural run has shown: nothing? `told`: what the reporter had been told before it. A
 *  debugger is shown every run. */
static bool is_settled(const struct rerun *r, const struct replay *replay, uint64_t told)
{
    return !r->listener && reporter_told(machine_reporter(replay->machine)) == told && is_determined(replay);
}

/** What the reporter held before the launch. */
struct told_before {
    uint64_t conflicts, told;
    int known, errors;
};

/** The natural run. @return false: it stands still, and need not come to an end */
static bool run_first(struct rerun *r, struct replay *replay)
{
    r->holds = replay->may_stand;
    run_once(r, replay, 0);
    printed_release(r, !replay->stands);
    replay->may_stand = false;
    return !replay->stands;
}

/** One more run that is asked for. Where it is given up, for by what it was shown it may never end, the first one is made again: what the launch leaves
 *  is what a run leaves that has ended. */
static void run_another(struct rerun *r, struct replay *replay, int run)
{
    bool some_given_up = replay->given_up;
    replay->given_up = false;
    replay->most = ASKED_TIMES * replay->least + ASKED_MORE;
    run_once(r, replay, run);
    replay->most = 0;
    if (replay->given_up)
        replay_run(replay, kind_of_run(0), draw(r->options->seed, replay->configs[0]->op, 0));
    replay->given_up |= some_given_up;
}

/** All runs that are asked for; a fault is the launch's outcome. @return whether the natural one has found a conflict */
static bool run_all(struct rerun *r, struct replay *replay, const struct told_before *before)
{
    struct grid natural[MAX_TOGETHER] = {0};
    int runs = r->options->schedules ? r->options->schedules : 1;
    bool plain = false;
    for (int run = 0; run < runs && (run == 0 || replay_done(replay)); run++) {
        r->muted = run + 1 < runs;
        progress_run(run + 1, runs);
        if (run)
            run_another(r, replay, run);
        else if (!run_first(r, replay))
            break;
        if (run == 0)
            replay->natural_end = machine_point(replay->machine);
        plain |= run == 0 && reporter_conflicts(machine_reporter(replay->machine)) != before->conflicts;
        for (int i = 0; i < replay->count; i++)
            if (run == 0)
                counts_begin(&natural[i], replay->grids[i]);
            else
                counts_keep_most(&natural[i], replay->grids[i]);
    }
    r->muted = false;
    for (int i = 0; i < replay->count; i++) {
        if (!replay->stands)
            counts_copy(replay->grids[i], &natural[i]);
        free(natural[i].uses);
    }
    progress_run(0, 0);
    return plain;
}

/** What nobody has asked for. `plain`: the natural run has found a conflict. */
static void judge_further(struct rerun *r, struct replay *replay, const struct told_before *before, bool plain)
{
    replay->most = BESIDE_TIMES * replay->least + BESIDE_MORE;
    if (r->options->schedules != 1 && !is_settled(r, replay, before->told))
        look_further(r, replay, before->told);
    bool wanted = rerun_wanted(r, replay->machine);
    if (wanted && reporter_conflicts(machine_reporter(replay->machine)) == before->conflicts && !is_determined(replay))
        judge_every_execution(r, replay);
    else if (wanted && !plain)
        advise_of_every_execution(r, replay, before->known);
    if (wanted && reporter_conflicts(machine_reporter(replay->machine)) != before->conflicts &&
        reporter_count(machine_reporter(replay->machine), LEVEL_ERROR) == before->errors)
        look_for_late_acts(r, replay, before->errors);
    if (wanted && reporter_conflicts(machine_reporter(replay->machine)) == before->conflicts)
        judge_lost_turns(r, replay);
    reporter_dismiss_chance(machine_reporter(replay->machine), replay->configs[0]->op, true); /* the thread may write there again, later */
    reporter_dismiss_doubts(machine_reporter(replay->machine), 0, DOUBTS_UNLESS_BITING);
    reporter_dismiss_told(machine_reporter(replay->machine));
    if (replay->given_up)
        report_incomplete_of(machine_reporter(replay->machine), INCOMPLETE_ENDLESS, replay->configs[0]->kernel->name);
}

bool rerun_together(struct rerun *r, struct machine *m, const struct grid_config *const *configs, int count,
                    bool may_stand, struct grid **grids)
{
    struct replay replay;
    const struct reporter *reporter = machine_reporter(m);
    struct told_before before = {reporter_conflicts(reporter), reporter_told(reporter), reporter_count(reporter, LEVEL_INFO), reporter_count(reporter, LEVEL_ERROR)};
    if (!r->adversary)
        r->adversary = adversary_new(m);
    tell_launch(r, configs[0], true);
    replay_open(&replay, m, r->adversary, configs, count);
    replay.may_stand = may_stand;
    progress_begin(configs[0]->kernel->name, r->options->progress);
    if (r->options->exhaustive)
        explore_launch(r, &replay);
    bool plain = run_all(r, &replay, &before);
    if (replay.stands)
        replay_undo(&replay);
    else
        judge_further(r, &replay, &before, plain);
    progress_end();
    memcpy(grids, replay.grids, (size_t)count * sizeof *grids);
    replay_close(&replay);
    tell_launch(r, configs[0], false);
    return !replay.stands;
}

struct grid *rerun_launch(struct rerun *r, struct machine *m, const struct grid_config *config)
{
    struct grid *grid;
    return rerun_together(r, m, &config, 1, false, &grid) ? grid : NULL;
}
