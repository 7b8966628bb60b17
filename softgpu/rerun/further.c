/**
 * @file further.c
 * Runs of a launch that nobody asked for, beside the one that counts: what they find is found whichever seed there is.
 */
#include <stdlib.h>
#include <string.h>

#include "analyse/block_ways.h"
#include "analyse/effects.h"
#include "analyse/tries.h"
#include "base/mix.h"
#include "execute/grid_life.h"
#include "options/options.h"
#include "report/reporter.h"
#include "rerun/adversary.h"
#include "rerun/bounds.h"
#include "rerun/fence_ways.h"
#include "rerun/outcome.h"
#include "rerun/rerun_state.h"
#include "rerun/scouts.h"
#include "rerun/shares.h"

/** A run that is the same for every seed, with older values wherever the program relies on an order: do they matter? */
static void run_older(struct rerun *r, struct replay *replay, enum schedule_kind kind, uint64_t seed)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t op = replay->configs[0]->op;
    replay_run_older(replay, kind, seed);
    r->further += replay_instructions(replay);
    watch_again(r, replay);
    for (int across = 0; across < 2; across++) {
        enum finding_cause step = across ? CAUSE_WARPS_IN_STEP : CAUSE_IN_STEP;
        if (replay_done(replay) && reporter_doubts_order(reporter, op, step, false) && outcome_needs_step(replay, across))
            reporter_doubts_order(reporter, op, step, true);
    }
    if (replay_done(replay) && reporter_doubts_order(reporter, op, CAUSE_RELAXED, false) && outcome_needs_older_values(replay))
        reporter_doubts_order(reporter, op, CAUSE_RELAXED, true);
}

void run_drawn(struct rerun *r, struct replay *replay, enum schedule_kind kind, int number)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t op = replay->configs[0]->op;
    replay_run(replay, kind, mix64((uint64_t)number));
    r->further += replay_instructions(replay);
    watch_again(r, replay);
    if (replay_done(replay) && reporter_doubts_order(reporter, op, CAUSE_RELAXED, false) && outcome_needs_older_values(replay))
        reporter_doubts_order(reporter, op, CAUSE_RELAXED, true);
}

/** Has a run shown a read that relies on an order which does not exist, whether it was told or not? */
static bool is_doubted(const struct rerun *r, const struct replay *replay)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t op = replay->configs[0]->op;
    return reporter_doubts_order(reporter, op, CAUSE_RELAXED, false) || adversary_passed_over(r->adversary, op);
}

/** The runs that follow are made because an order is doubted. If it is only by luck so far, so is what they doubt. @return what was so before */
static bool runs_by_chance(const struct replay *replay)
{
    struct reporter *reporter = machine_reporter(replay->machine);
    return reporter_by_chance(reporter, reporter_doubts_by_chance(reporter, replay->configs[0]->op));
}

/** Older values everywhere may agree with each other: do some of them, drawn, matter? */
static void run_mixed(struct rerun *r, struct replay *replay)
{
    bool by_chance = runs_by_chance(replay);
    for (int run = 0; run < DOUBT_RUNS && replay_instructions(replay) <= DOUBT_LAUNCH && is_doubted(r, replay); run++)
        run_drawn(r, replay, SCHEDULE_RANDOM, run);
    reporter_by_chance(machine_reporter(replay->machine), by_chance);
}

/** Does the launch have threads that poll and give up after some tries, and is it short enough for runs in which they do? */
static bool may_give_up(const struct replay *replay)
{
    bool gives_up = false;
    uint64_t warps = 0;
    for (int i = 0; i < replay->count; i++) {
        warps += replay->grids[i]->blocks * replay->grids[i]->warps_per_block;
        gives_up |= function_counts_tries(replay->configs[i]->kernel);
    }
    return gives_up && warps <= PATIENT_WARPS && replay->least <= PATIENT_LAUNCH;
}

static void run_patient(struct rerun *r, struct replay *replay, uint64_t seed)
{
    replay_run(replay, SCHEDULE_PATIENT, seed);
    r->further += replay_instructions(replay);
    watch_again(r, replay);
}

/** The last block first, and the other way about, each until it waits: threads that give up do, whichever of two comes first. Of kernels that run at once
 *  the first has come first in the natural run; here the last does, whole. */
static void run_patiently(struct rerun *r, struct replay *replay)
{
    if (!replay_done(replay))
        return;
    bool gives_up = may_give_up(replay), several = replay->count > 1 && replay->least <= PATIENT_RUN;
    if (gives_up || several)
        run_patient(r, replay, 0);
    if (gives_up)
        run_patient(r, replay, 1);
}

static void run_strict(struct rerun *r, struct replay *replay, uint64_t seed)
{
    replay_run(replay, SCHEDULE_STRICT, seed);
    r->further += replay_instructions(replay);
    watch_again(r, replay);
}

/** What the last one comes by no run shows in which another one is the last: here each block is, but those that have been. */
static void run_each_last(struct rerun *r, struct replay *replay, uint64_t blocks)
{
    uint64_t conflicts = reporter_conflicts(machine_reporter(replay->machine)), spent = 0;
    for (uint64_t last = 1; last + 1 < blocks && last <= EACH_LAST_RUNS && spent < EACH_LAST_LAUNCH; last++) {
        run_strict(r, replay, STRICT_LAST + last);
        spent += replay_instructions(replay);
        if (reporter_conflicts(machine_reporter(replay->machine)) != conflicts)
            return;
    }
}

/** Which number a thread draws by an atomic, and what its later accesses meet then, hangs on who comes first; in backward order all draw before any goes on.
 *  Whoever draws the last one acts for all: where some blocks leave a fence out, one of these must have been the last, too. */
static void run_strictly(struct rerun *r, struct replay *replay)
{
    uint64_t conflicts = reporter_conflicts(machine_reporter(replay->machine)), blocks = replay->grids[0]->blocks, last;
    if (!replay->parked || replay->least > STRICT_LAUNCH)
        return;
    struct fence_ways *ways = fence_ways_begin(replay->machine, blocks);
    for (int first = 0; first < 2; first++) {
        run_strict(r, replay, (uint64_t)first);
        fence_ways_had_last(ways, first ? blocks - 1 : 0);
    }
    for (int i = 0; i < LAST_RUNS && reporter_conflicts(machine_reporter(replay->machine)) == conflicts && replay->count == 1 && fence_ways_next(ways, &last); i++) {
        run_strict(r, replay, STRICT_LAST + last);
        fence_ways_had_last(ways, last);
    }
    fence_ways_end(ways);
    if (reporter_conflicts(machine_reporter(replay->machine)) == conflicts && replay->count == 1 && function_orders_by_block(replay->configs[0]->kernel))
        run_each_last(r, replay, blocks);
}

void judge_turns(struct replay *replay)
{
    static const struct { enum finding_cause cause; enum step_order in_step; } doubts[] = {
        {CAUSE_TURN_AHEAD, STEP_BY_COUNT}, {CAUSE_SAME_PHASE, STEP_BY_PLACE}};
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t op = replay->configs[0]->op;
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
        if (reporter_doubts_to_judge(reporter, op, doubts[i].cause) > replay->judged[i] && outcome_needs_turns(replay, doubts[i].in_step))
            reporter_doubts_order(reporter, op, doubts[i].cause, true);
        replay->judged[i] = reporter_doubts_to_judge(reporter, op, doubts[i].cause);
    }
}

/* ---- Beside the run that counts */

struct aside step_aside(struct rerun *r, struct replay *replay)
{
    struct memory *memory = machine_memory(replay->machine);
    struct aside kept = {.after = memory_save(memory), .point = machine_point(replay->machine)};
    memcpy(kept.natural, replay->grids, sizeof kept.natural);
    memory_restore(memory, replay->start);
    machine_return(replay->machine, &replay->natural_end);
    memset(replay->grids, 0, sizeof replay->grids);
    r->muted = true;
    return kept;
}

void step_back(struct rerun *r, struct replay *replay, const struct aside *kept)
{
    r->muted = false;
    if (replay->grids[0])
        replay_drop(replay);
    memcpy(replay->grids, kept->natural, sizeof kept->natural);
    memory_restore(machine_memory(replay->machine), kept->after);
    machine_return(replay->machine, &kept->point);
    memory_snapshot_free(kept->after);
}

/* ---- Scouts */

struct scouting {
    struct rerun *rerun;
    struct replay *replay;
};

/** In a copy of this process: a drawn run. @return whether it adds nothing to what is known */
static bool scout(void *self, int number, uint64_t *took)
{
    const struct scouting *s = self;
    struct reporter *reporter = machine_reporter(s->replay->machine);
    uint64_t told = reporter_told(reporter);
    reporter_detach(reporter);
    machine_set_compiler(s->replay->machine, NULL); /* whose threads are not copied */
    run_once(s->rerun, s->replay, number + 1);
    *took = replay_instructions(s->replay);
    return reporter_told(reporter) == told && !is_doubted(s->rerun, s->replay) && replay_done(s->replay);
}

/** Warp instructions from which a launch is worth a copy of the process for each run. SOFTGPU_SCOUTED=N, for tests: so many. */
static uint64_t least_scouted(void)
{
    const char *said = getenv("SOFTGPU_SCOUTED");
    return said ? strtoull(said, NULL, 10) : SCOUTED_LAUNCH;
}

/** The drawn runs begin on other processors. */
static void send_scouts(struct rerun *r, struct replay *replay, struct scouts *scouts)
{
    struct scouting s = {r, replay};
    if (r->copy && !r->options->schedules && !r->listener && r->options->threads != 1)
        scouts_send(scouts, FURTHER_RUNS, machine_memory(replay->machine), r->copy, scout, &s);
}

/** Do threads of the launch hear of each other by more than barriers of the whole block and their warp's meetings? */
static bool any_hears(const struct replay *replay)
{
    for (int i = 0; i < replay->count; i++)
        if (!kernel_hears_nothing(replay->configs[i]->kernel))
            return true;
    return false;
}

/** From the last to the first; and in the natural order, where that leaves doubts. */
static void run_with_older(struct rerun *r, struct replay *replay)
{
    static const enum finding_cause doubts[] = {CAUSE_IN_STEP, CAUSE_WARPS_IN_STEP, CAUSE_TURN_AHEAD, CAUSE_SAME_PHASE};
    struct reporter *reporter = machine_reporter(replay->machine);
    run_older(r, replay, SCHEDULE_BACKWARD, 0);
    bool doubted = is_doubted(r, replay);
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        doubted |= reporter_doubts_order(reporter, replay->configs[0]->op, doubts[i], false);
    bool by_chance = runs_by_chance(replay);
    if (doubted)
        run_older(r, replay, SCHEDULE_NATURAL, 0);
    if (replay->parked && replay_instructions(replay) <= STRICT_LAUNCH && reporter_doubts_order(reporter, replay->configs[0]->op, CAUSE_RELAXED, false))
        run_older(r, replay, SCHEDULE_BACKWARD, BACKWARD_UNDRAWN); /* whoever draws last has fenced first */
    reporter_by_chance(reporter, by_chance);
}

/** A launch that is too long for all of the further runs: what the natural order hides the other way about shows. */
static void look_backward(struct rerun *r, struct replay *replay)
{
    struct aside kept = step_aside(r, replay);
    run_with_older(r, replay);
    judge_turns(replay);
    step_back(r, replay, &kept);
}

/** Has a thread of the launch done what a GPU ends it by? */
static bool is_faulty(const struct replay *replay)
{
    bool faulty = false;
    for (int i = 0; i < replay->count; i++) {
        enum grid_status s = replay->grids[i]->status;
        faulty |= s == GRID_ILLEGAL_ADDRESS || s == GRID_MISALIGNED || s == GRID_ASSERT || s == GRID_TRAP || s == GRID_NO_PEER || s == GRID_ILLEGAL_INSTRUCTION;
    }
    return faulty;
}

/** The natural run has ended in a fault, before whoever should have come first had its turn: it may be the victim of a race, which shows where that one does. */
static void look_past_fault(struct rerun *r, struct replay *replay)
{
    const struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t conflicts = reporter_conflicts(reporter);
    struct aside kept = step_aside(r, replay);
    for (uint64_t first = 0; first < 2 && reporter_conflicts(reporter) == conflicts; first++)
        run_patient(r, replay, first);
    step_back(r, replay, &kept);
}

void look_further(struct rerun *r, struct replay *replay, uint64_t told)
{
    const struct grid *natural = replay->grids[0];
    struct reporter *reporter = machine_reporter(replay->machine);
    uint64_t took = replay_instructions(replay);
    if (took > BACKWARD_LAUNCH || (replay->count == 1 && natural->blocks * natural->threads_per_block == 1 && !kernel_launches(natural->config.kernel)))
        return;
    if (is_faulty(replay))
        look_past_fault(r, replay);
    if (!replay_done(replay))
        return;
    if (!share_is_left(r, replay, SHARE_FURTHER, r->further, FURTHER_PROGRAM)) {
        if (reporter_told(reporter) == told && any_hears(replay))
            share_missed(r, replay, SHARE_FURTHER);
        return;
    }
    if (took > FURTHER_LAUNCH) {
        if (reporter_told(reporter) == told && any_hears(replay))
            look_backward(r, replay);
        share_taken(r, replay, SHARE_FURTHER);
        return;
    }
    bool is_long = took >= least_scouted();
    struct aside kept = step_aside(r, replay);
    struct scouts scouts = {0};
    if (is_long && reporter_told(reporter) == told && !is_doubted(r, replay))
        send_scouts(r, replay, &scouts);
    run_with_older(r, replay);
    run_mixed(r, replay);
    run_patiently(r, replay);
    run_strictly(r, replay);
    for (int run = 1; run <= FURTHER_RUNS && !r->options->schedules; run++) {
        took = 0;
        bool silent = reporter_told(reporter) == told && scouts_saw_nothing(&scouts, run - 1, &took);
        if (!silent) {
            machine_return(replay->machine, &kept.point); /* as the scouts, whichever runs came before */
            run_once(r, replay, run);
            took = replay_instructions(replay);
        }
        r->further += took;
    }
    scouts_recall(&scouts);
    judge_turns(replay);
    step_back(r, replay, &kept);
    share_taken(r, replay, SHARE_FURTHER);
}
