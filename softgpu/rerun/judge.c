/**
 * @file judge.c
 * What is asked of a launch beside its runs: every execution of a small one, and whether what is doubted matters.
 */
#include "analyse/acts.h"
#include "analyse/effects.h"
#include "base/mix.h"
#include "execute/grid_life.h"
#include "options/options.h"
#include "report/reporter.h"
#include "rerun/bounds.h"
#include "rerun/lost_turns.h"
#include "rerun/rerun_state.h"
#include "rerun/shares.h"

/** A run in a fine schedule with newest values, drawn likewise. */
static void run_finely(struct rerun *r, struct replay *replay, int number)
{
    replay->kind = SCHEDULE_FINE;
    replay->seed = mix64((uint64_t)number);
    replay->older = false;
    replay_again(replay, true);
    r->drawn += replay_instructions(replay);
}

/** Is there a thread that looks, and then acts by what it saw? Another one may come between, which no execution by itself shows to be wrong. */
static bool acts_in_steps(const struct replay *replay)
{
    bool any = false;
    for (int i = 0; i < replay->count; i++)
        any |= acts_of(replay->configs[i]->kernel)->count > 0;
    return any;
}

/** Of several launches, the most that one of them is worth. */
static uint64_t most_points(const struct replay *replay)
{
    uint64_t most = 0;
    for (int i = 0; i < replay->count; i++) {
        uint64_t points = points_worth(replay->configs[i]->kernel);
        most = points > most ? points : most;
    }
    return most;
}

/** Is one of the launches worth drawn runs? */
static bool any_draws(const struct replay *replay)
{
    bool any = false;
    for (int i = 0; i < replay->count; i++)
        any |= draws_worth(replay->configs[i]->kernel);
    return any;
}

static uint64_t threads_of(const struct replay *replay)
{
    uint64_t threads = 0;
    for (int i = 0; i < replay->count; i++)
        threads += replay->grids[i]->blocks * replay->grids[i]->threads_per_block;
    return threads;
}

void advise_of_every_execution(struct rerun *r, struct replay *replay, int from)
{
    uint64_t points = most_points(replay), left = MODEL_POINTS - r->points;
    if (!r->adversary || r->options->exhaustive || !replay_done(replay) || replay->least > MODEL_INSTRUCTIONS || r->modelled >= MODEL_LAUNCHES ||
        !points || !left || threads_of(replay) > MODEL_LAUNCH_THREADS || reporter_count(machine_reporter(replay->machine), LEVEL_INFO) == from)
        return;
    r->modelled++;
    struct aside kept = step_aside(r, replay);
    r->points += advise_by_model(replay->machine, replay->configs, replay->count, kept.natural, left < points ? left : points, from);
    r->points = r->points > MODEL_POINTS ? MODEL_POINTS : r->points;
    step_back(r, replay, &kept);
}

/** Runs of a small launch, drawn finely, until one finds a conflict. *cut: not as many as it needs were left. @return what only ever
 *  cost a turn in all of them; NULL: nothing is known of that */
static struct lost_turns *run_small(struct rerun *r, struct replay *replay, const struct grid *natural, bool *cut)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t conflicts = reporter_conflicts(reporter), drawn = r->drawn;
    struct lost_turns *lost = lost_turns_begin(replay, natural);
    int run = 0;
    for (; run < SMALL_RUNS && r->drawn < SMALL_PROGRAM && reporter_conflicts(reporter) == conflicts; run++) {
        run_drawn(r, replay, SCHEDULE_FINE, run);
        r->drawn += replay_instructions(replay);
    }
    *cut = run < SMALL_RUNS && reporter_conflicts(reporter) == conflicts && r->drawn - drawn < SMALL_PROGRAM; /* alone it would have as few */
    lost_turns_stop(lost);
    if (run == SMALL_RUNS && reporter_conflicts(reporter) == conflicts)
        return lost;
    lost_turns_end(lost);
    return NULL;
}

static bool may_ask_model(const struct rerun *r, const struct replay *replay)
{
    return share_is_left(r, replay, SHARE_MODEL, (uint64_t)r->modelled, MODEL_LAUNCHES) && share_is_left(r, replay, SHARE_MODEL, r->points, MODEL_POINTS);
}

/** A thread by itself. */
static bool is_alone(const struct replay *replay)
{
    return threads_of(replay) == 1 && !kernel_launches(replay->configs[0]->kernel);
}

/** A doubt about which of two writes of the launch stays? */
static bool doubts_landing(const void *op, const struct finding *f)
{
    return f->cause == CAUSE_LANDS_LATER && f->level == LEVEL_WARNING && f->trail.known && f->trail.op == *(const uint64_t *)op;
}

void judge_every_execution(struct rerun *r, struct replay *replay)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t took = replay_instructions(replay), threads = threads_of(replay), points = most_points(replay);
    uint64_t left = MODEL_POINTS - r->points, conflicts = reporter_conflicts(reporter);
    struct by_model_reach reach = {0};
    struct lost_turns *lost = NULL;
    bool few = replay_is_small(replay);
    int known = reporter_count(reporter, LEVEL_INFO);
    bool asked = replay->least <= (threads <= WALK_THREADS ? WALK_INSTRUCTIONS : MODEL_INSTRUCTIONS); /* whatever took longer has waited */
    points = replay->least <= MODEL_INSTRUCTIONS ? points : replay->least <= FEW_INSTRUCTIONS ? points / WALK_SHARE : points / WALK_SHARE / WALK_SHARE;
    bool by_model = asked && threads <= MODEL_LAUNCH_THREADS && points, cut = false;
    if (!r->adversary || r->options->exhaustive || !replay_done(replay) || (took > SMALL_LAUNCH && !asked) || is_alone(replay) ||
        (!points && !any_draws(replay)))
        return;
    if (by_model ? !may_ask_model(r, replay) : !share_is_left(r, replay, SHARE_DRAWN, r->drawn, SMALL_PROGRAM)) {
        share_missed(r, replay, by_model ? SHARE_MODEL : SHARE_DRAWN);
        return;
    }
    r->modelled += by_model;
    struct aside kept = step_aside(r, replay);
    if (by_model)
        r->points += judge_by_model(replay->machine, replay->configs, replay->count, kept.natural,
                                    left < points ? left : points, replay->least <= MODEL_INSTRUCTIONS, &reach);
    r->points = r->points > MODEL_POINTS ? MODEL_POINTS : r->points;
    machine_return(replay->machine, &replay->natural_end); /* what is drawn does not hang on how much the model has asked */
    bool doubted = reach.walked && reporter_doubts_order(reporter, replay->configs[0]->op, CAUSE_RELAXED, false);
    bool known_whole = reach.walked || reach.complete;
    bool by_chance = reporter_by_chance(reporter, known_whole); /* of what they doubt as well nothing comes; else it is no luck any more */
    if (few && (!reach.complete || doubted) && reporter_conflicts(reporter) == conflicts)
        lost = run_small(r, replay, kept.natural[0], &cut);
    bool finely = few && reach.complete && (replay->count > 1 || acts_in_steps(replay));
    for (int run = 0; run < FINE_RUNS && finely && reporter_conflicts(reporter) == conflicts; run++)
        run_finely(r, replay, run);
    reporter_by_chance(reporter, by_chance);
    if (few && replay->grids[0]) /* some run was made here, and may have doubted more */
        judge_turns(replay);
    if ((took > WARNED_LAUNCH && !lost) || reach.walked) /* of what only these runs doubt; where it is watched whether that costs no more than a turn, it is told else */
        reporter_dismiss_doubts(reporter, known, DOUBTS_ALL);
    if (known_whole || lost) /* nothing comes of it, or none of these runs has seen it: whether it was seen is luck */
        reporter_dismiss_chance(reporter, replay->configs[0]->op, false);
    if (few)
        reporter_dismiss_doubts(reporter, 0, DOUBTS_RETRIED);
    if (reach.complete) /* what any of its executions leaves, some interleaving leaves, or that is told */
        reporter_dismiss_if(reporter, doubts_landing, &replay->configs[0]->op);
    if (lost) /* what costs no more than a turn, where nothing else is known to come of it */
        reporter_dismiss_if(reporter, lost_turns_only, lost);
    lost_turns_end(lost);
    step_back(r, replay, &kept);
    cut |= by_model && !reach.complete && left < points && reporter_conflicts(reporter) == conflicts;
    (cut ? share_missed : share_taken)(r, replay, by_model ? SHARE_MODEL : SHARE_DRAWN);
}

void judge_lost_turns(struct rerun *r, struct replay *replay)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t took = replay_instructions(replay), conflicts = reporter_conflicts(reporter);
    int known = reporter_count(reporter, LEVEL_INFO), runs = took ? (int)(TURN_LAUNCH_ALL / took) : 0;
    runs = runs > TURN_RUNS ? TURN_RUNS : runs < 2 ? 2 : runs;
    if (!r->adversary || r->options->exhaustive || !replay_done(replay) || took <= SMALL_LAUNCH || took > FURTHER_LAUNCH || r->turned > TURN_PROGRAM ||
        !reporter_doubts_order(reporter, replay->configs[0]->op, CAUSE_RELAXED, false))
        return;
    struct aside kept = step_aside(r, replay);
    struct lost_turns *lost = lost_turns_begin(replay, kept.natural[0]);
    for (int run = 0; lost && run < runs + 2 && reporter_conflicts(reporter) == conflicts; run++) {
        if (run < 2) /* which have brought most doubts */
            replay_run_older(replay, run ? SCHEDULE_NATURAL : SCHEDULE_BACKWARD, 0);
        else
            replay_run(replay, SCHEDULE_FINE, mix64((uint64_t)run));
        r->turned += replay_instructions(replay);
        watch_again(r, replay);
    }
    lost_turns_stop(lost);
    reporter_dismiss_doubts(reporter, known, DOUBTS_ALL);
    if (lost && reporter_conflicts(reporter) == conflicts)
        reporter_dismiss_if(reporter, lost_turns_only, lost);
    lost_turns_end(lost);
    step_back(r, replay, &kept);
}

void look_for_late_acts(struct rerun *r, struct replay *replay, int errors)
{
    const struct reporter *reporter = machine_reporter(replay->machine);
    if (!r->adversary || r->options->exhaustive || !replay_done(replay) || !replay_is_small(replay) || !acts_in_steps(replay))
        return;
    if (!share_is_left(r, replay, SHARE_DRAWN, r->drawn, SMALL_PROGRAM)) {
        share_missed(r, replay, SHARE_DRAWN);
        return;
    }
    struct aside kept = step_aside(r, replay);
    for (int run = 0; run < FINE_RUNS && reporter_count(reporter, LEVEL_ERROR) == errors; run++)
        run_finely(r, replay, run);
    step_back(r, replay, &kept);
    share_taken(r, replay, SHARE_DRAWN);
}
