/**
 * @file outcome.c
 * See outcome.h. Runs whose result no other run had tell how much is still unseen (Good and Turing's estimate:
 * their share is the chance that the next run brings something new).
 */
#include "rerun/outcome.h"

#include <string.h>

#include "base/mix.h"
#include "execute/chooser.h"
#include "execute/grid_life.h"
#include "report/reporter.h"
#include "rerun/retrace.h"
#include "rerun/stragglers.h"

#define MAX_RUNS 16
#define MAX_FINE_RUNS 32
#define MOST_IN_STEP 256 /* threads that go in step one by one; */
#define MOST_BRIEFLY (1u << 20) /* up to MOST_CANDIDATES do, whose number times the launch's warp instructions is no more: each turn asks all where they stand */
#define MOST_OF_A_BLOCK (1u << 23) /* else those of a block do, and the blocks one by one, where its threads times the launch's warp instructions are no more */
#define MOST_OF_FIRST (1u << 21)   /* else, where whole warps have shown nothing, those of the first blocks do, as many as keep that product below */
#define MOST_ALONE 4096  /* warp instructions of a launch of more, of which each lane goes on alone nonetheless */
/** Warp instructions that the runs for one question may take, unless two runs are more. */
#define MAX_INSTRUCTIONS (1ull << 22)
/** Such a run may take so many times what the doubted one has taken, and so many more: beyond, it may never end. */
#define RUN_TIMES 8
#define RUN_MORE (1u << 16)
/** A run in which lanes go one by one takes so many times as many: together a lane for a warp. */
#define LANE_RUN_TIMES 4

struct outcomes {
    uint64_t digest[MAX_FINE_RUNS];
    int times[MAX_FINE_RUNS];
    int count, runs;
    bool cut;                /**< one was given up: what the launch leaves is not known */
};

static void note(struct outcomes *o, uint64_t digest)
{
    int i = 0;
    while (i < o->count && o->digest[i] != digest)
        i++;
    o->count += i == o->count;
    o->digest[i] = digest;
    o->times[i]++;
    o->runs++;
}

/** What one run alone has left. */
static int left_once(const struct outcomes *o)
{
    int once = 0;
    for (int i = 0; i < o->count; i++)
        once += o->times[i] == 1;
    return once;
}

/** Would another run hardly leave anything new? */
static bool are_all(const struct outcomes *o)
{
    return left_once(o) * 4 <= o->runs && !o->cut;
}

/** Will are_all() say no, whatever so many more runs leave? */
static bool are_never_all(const struct outcomes *o, int more)
{
    return (left_once(o) - more) * 4 > o->runs + more;
}

static int runs_for(uint64_t instructions, bool fine)
{
    uint64_t n = MAX_INSTRUCTIONS / (instructions + 1), most = fine ? MAX_FINE_RUNS : MAX_RUNS;
    return n > most ? (int)most : n < 2 ? 2 : (int)n;
}

/** Before runs that are made only to be compared with the last one, which took so many instructions. */
static void bound_runs(struct replay *replay, uint64_t took)
{
    uint64_t most = RUN_TIMES * took + RUN_MORE, limit = machine_options(replay->machine)->step_limit;
    if (limit && most > limit / 2) /* past that it would be the launch's that has no end */
        most = limit / 2;
    replay->most = replay->most && replay->most < most ? replay->most : most;
    replay->given_up = false;
}

/** Runs the launch with the newest values until it leaves `misled` too, or so much else that it does not matter. @return false if it does not */
static bool is_left_by_others(struct replay *replay, uint64_t misled, int runs, struct outcomes *o)
{
    struct memory *memory = machine_memory(replay->machine);
    uint64_t seed = replay->seed;
    bool fine = replay->kind == SCHEDULE_FINE; /* what it leaves may need others between two accesses */
    for (int run = 0; run < runs; run++) {
        replay_again(replay, true);
        o->cut = replay->given_up;
        if (o->cut)
            return false;
        uint64_t left = memory_digest(memory, replay->start);
        if (left == misled)
            return true;
        note(o, left);
        if (are_never_all(o, runs - run - 1))
            return false;
        replay->kind = fine && run % 4 ? SCHEDULE_FINE : run % 2 ? SCHEDULE_PCT : SCHEDULE_RANDOM;
        replay->seed = mix64(seed + (uint64_t)(run + 1) * MIX_STEP);
    }
    return false;
}

static uint64_t threads_of(const struct replay *replay)
{
    uint64_t threads = 0;
    for (int i = 0; i < replay->count; i++)
        threads += replay->grids[i]->blocks * replay->grids[i]->threads_per_block;
    return threads;
}

/** Orders of blocks and warps in which no lane leaves its warp; as many as are asked for where warps may exchange, too. */
static const struct { enum schedule_kind kind; uint64_t seed; } in_step[] = {
    {SCHEDULE_NATURAL, 0}, {SCHEDULE_BACKWARD, 0}, {SCHEDULE_PCT, 1}, {SCHEDULE_PCT, 2},
    {SCHEDULE_PCT, 3},     {SCHEDULE_PCT, 4},      {SCHEDULE_PCT, 5}, {SCHEDULE_PCT, 6},
};
#define ACROSS_WARPS 2

bool outcome_needs_step(struct replay *replay, bool across_warps)
{
    struct memory *memory = machine_memory(replay->machine);
    struct memory_snapshot *left = memory_save(memory);
    struct replay last = *replay;
    uint64_t misled = memory_digest(memory, replay->start), honest = misled;
    int runs = runs_for(replay_instructions(&last), false), most = across_warps ? ACROSS_WARPS : (int)(sizeof in_step / sizeof in_step[0]);
    bool needs = true;
    bound_runs(replay, replay_instructions(&last));
    memset(replay->grids, 0, sizeof replay->grids);
    memory_restore(memory, replay->start);
    for (int i = 0; needs && i < most && i < runs; i++) {
        replay->kind = in_step[i].kind;
        replay->seed = in_step[i].seed;
        replay_again(replay, true);
        uint64_t now = memory_digest(memory, replay->start);
        needs = !replay->given_up && now != misled && (i == 0 || now == honest);
        honest = now;
    }
    replay_drop(replay);
    *replay = last;
    memory_restore(memory, left);
    memory_snapshot_free(left);
    return needs;
}

/** What a run with the newest values leaves. */
static uint64_t left_by(struct replay *replay, enum schedule_kind kind, uint64_t seed)
{
    replay->kind = kind;
    replay->seed = seed;
    replay_again(replay, true);
    return memory_digest(machine_memory(replay->machine), replay->start);
}

/** Do threads that go in step leave the same, from the first to the last and the other way about? */
static bool agree_by(struct replay *replay, enum step_order order, enum step_blocks blocks, uint64_t *left)
{
    uint64_t backward;
    return lockstep_leaves(replay, order, blocks, false, left) && lockstep_leaves(replay, order, blocks, true, &backward) && backward == *left;
}

/** The same for whole warps: in natural and in backward order, or else access by access. */
static bool warps_agree(struct replay *replay, uint64_t *left)
{
    *left = left_by(replay, SCHEDULE_NATURAL, 0);
    if (left_by(replay, SCHEDULE_BACKWARD, 0) == *left)
        return true;
    *left = left_by(replay, SCHEDULE_IN_STEP, 1);
    return replay_done(replay) && left_by(replay, SCHEDULE_IN_STEP, 0) == *left && replay_done(replay);
}

/** Who goes in step with whom. */
enum steps { STEPS_OF_ALL, STEPS_OF_A_BLOCK, STEPS_OF_WARPS };

/** Of a long launch, or one of very many threads, whole warps do: each turn asks all where they stand. */
static enum steps who_steps(const struct replay *replay, uint64_t threads, uint64_t instructions)
{
    if (threads <= MOST_IN_STEP || (threads <= MOST_CANDIDATES && threads * instructions <= MOST_BRIEFLY))
        return STEPS_OF_ALL;
    return replay->count == 1 && replay->configs[0]->block[0] * replay->configs[0]->block[1] * replay->configs[0]->block[2] * instructions <= MOST_OF_A_BLOCK
               ? STEPS_OF_A_BLOCK
               : STEPS_OF_WARPS;
}

/** The same in that order; where they do not by place, they may by count. Where that takes too long, as it does where blocks that go one by one wait for each
 *  other, warps may. */
static bool agree_in_step(struct replay *replay, enum step_order order, enum steps who, uint64_t *left)
{
    enum step_blocks blocks = who == STEPS_OF_A_BLOCK ? STEP_EACH_BLOCK : STEP_ALL_BLOCKS;
    if (who != STEPS_OF_WARPS && (agree_by(replay, order, blocks, left) || (order == STEP_BY_PLACE && agree_by(replay, STEP_BY_COUNT, blocks, left))))
        return true;
    return (who != STEPS_OF_ALL || replay->given_up) && warps_agree(replay, left);
}

/** Does a run in which a lane goes on alone as long as it can, or a warp, or in which lanes leave theirs by chance, leave something else? */
static bool parts_out_of_step(struct replay *replay, uint64_t in_step_left, bool lanes_alone)
{
    static const struct { enum schedule_kind kind; uint64_t seed; } runs[] = {
        {SCHEDULE_NATURAL, 0}, {SCHEDULE_BACKWARD, 0}, {SCHEDULE_PCT, 1},  {SCHEDULE_PCT, 2},  {SCHEDULE_PCT, 3},
        {SCHEDULE_PCT, 4},     {SCHEDULE_FINE, 1},     {SCHEDULE_FINE, 2}, {SCHEDULE_FINE, 3}, {SCHEDULE_FINE, 4},
    };
    bool parts = false;
    uint64_t left;
    for (int backward = 0; lanes_alone && backward < 2 && !parts; backward++)
        parts = lockstep_leaves(replay, STEP_ALONE, STEP_ALL_BLOCKS, backward, &left) && left != in_step_left;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0] && !parts; i++)
        parts = left_by(replay, runs[i].kind, runs[i].seed) != in_step_left;
    return parts;
}

/** What is left when the other blocks have run behind the first ones. @return false: they did not come to their end */
static bool rest_leaves(struct replay *replay, const struct grid_config *rest, uint64_t *left)
{
    replay_go_on(replay, rest);
    *left = memory_digest(machine_memory(replay->machine), replay->start);
    return replay_done(replay);
}

/** Do the first blocks of the launch, as many as can go in step thread by thread, leave something else when they do not, and does it stay when the others have run? */
static bool first_blocks_need_turns(struct replay *replay, const struct replay *last, enum step_order order)
{
    const struct grid *g = last->grids[0];
    uint64_t of_a_block = replay_instructions(last) / g->blocks + 1, few = MOST_OF_FIRST / (of_a_block * g->threads_per_block), in_turn = 0, left = 0;
    if (last->count != 1 || g->cluster_blocks > 1 || !few || few >= g->blocks || runs_for(replay_instructions(last), false) < MAX_RUNS / 2)
        return false;
    struct grid_config first = *last->configs[0], rest = first;
    const struct grid_config *configs[] = {&first};
    first.end_block = rest.from_block = few;
    rest.end_block = g->blocks;
    replay->configs = configs;
    bool replays = reporter_replay(machine_reporter(replay->machine), true); /* who waits for the others waits for ever */
    bool needs = agree_in_step(replay, order, STEPS_OF_A_BLOCK, &in_turn) && parts_out_of_step(replay, in_turn, few * of_a_block <= MOST_ALONE) && replay_done(replay) &&
                 rest_leaves(replay, &rest, &left) && agree_in_step(replay, order, STEPS_OF_A_BLOCK, &in_turn) && rest_leaves(replay, &rest, &in_turn) && left != in_turn;
    reporter_replay(machine_reporter(replay->machine), replays);
    return needs;
}

bool outcome_needs_turns(struct replay *replay, enum step_order order)
{
    struct memory *memory = machine_memory(replay->machine);
    struct memory_snapshot *left = memory_save(memory);
    struct replay last = *replay;
    uint64_t in_turn = 0, threads = threads_of(replay);
    bound_runs(replay, LANE_RUN_TIMES * replay_instructions(&last));
    memset(replay->grids, 0, sizeof replay->grids);
    memory_restore(memory, replay->start);
    enum steps who = who_steps(&last, threads, replay_instructions(&last));
    bool needs = runs_for(replay_instructions(&last), false) >= MAX_RUNS / 2 && agree_in_step(replay, order, who, &in_turn) &&
                 parts_out_of_step(replay, in_turn, threads <= MOST_IN_STEP || replay_instructions(&last) <= MOST_ALONE);
    needs = needs || (who == STEPS_OF_WARPS && first_blocks_need_turns(replay, &last, order));
    if (replay->grids[0])
        replay_drop(replay);
    *replay = last;
    memory_restore(memory, left);
    memory_snapshot_free(left);
    return needs;
}

/** The runs of threads that come late with what they write, which are the same for all that is asked of a launch. */
static void run_late(struct replay *replay)
{
    struct late_results *l = &replay->late;
    bool replays = reporter_replay(machine_reporter(replay->machine), true);
    l->known = true;
    for (int kind = 0, kinds = stragglers_may_fail(replay) ? LATE_KINDS : 1; kind < kinds; kind++)
        for (int run = 0; run < LATE_RUNS; run++)
            l->count[kind] += stragglers_leave(replay, (uint64_t)run, kind, &l->left[kind][l->count[kind]]);
    reporter_replay(machine_reporter(replay->machine), replays);
}

/** Does one of those leave `misled`, too, or do they go on to leave ever new results? */
static bool is_left_late(struct replay *replay, uint64_t misled)
{
    bool is = false;
    if (threads_of(replay) > MOST_STRAGGLERS)
        return false;
    if (!replay->late.known)
        run_late(replay);
    for (int kind = 0; kind < LATE_KINDS && !is; kind++) {
        struct outcomes o = {0};
        for (int i = 0; i < replay->late.count[kind]; i++) {
            is |= replay->late.left[kind][i] == misled;
            note(&o, replay->late.left[kind][i]);
        }
        is |= !are_all(&o);
    }
    return is;
}

bool outcome_needs_older_values(struct replay *replay)
{
    struct memory *memory = machine_memory(replay->machine);
    struct memory_snapshot *left = memory_save(memory);
    struct replay last = *replay;
    struct outcomes o = {0};
    uint64_t misled = memory_digest(memory, replay->start);
    bound_runs(replay, replay_instructions(&last));
    memset(replay->grids, 0, sizeof replay->grids);
    memory_restore(memory, replay->start);
    bool others = is_left_by_others(replay, misled, runs_for(replay_instructions(&last), last.kind == SCHEDULE_FINE), &o);
    replay->kind = last.kind;
    replay->seed = last.seed;
    bool needs = !others && are_all(&o) && !retrace_leaves(replay, misled) && !is_left_late(replay, misled);
    last.late = replay->late;
    replay_drop(replay);
    *replay = last;
    memory_restore(memory, left);
    memory_snapshot_free(left);
    return needs;
}
