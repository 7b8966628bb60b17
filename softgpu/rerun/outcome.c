/**
 * @file outcome.c
 * See outcome.h. Runs whose result no other run had tell how much is still unseen (Good and Turing's estimate:
 * their share is the chance that the next run brings something new).
 */
#include "rerun/outcome.h"

#include <string.h>

#include "base/mix.h"
#include "execute/grid_life.h"
#include "rerun/lockstep.h"
#include "rerun/retrace.h"

#define MAX_RUNS 16
#define MAX_FINE_RUNS 32
/** Warp instructions that the runs for one question may take, unless two runs are more. */
#define MAX_INSTRUCTIONS (1ull << 22)

struct outcomes {
    uint64_t digest[MAX_FINE_RUNS];
    int times[MAX_FINE_RUNS];
    int count, runs;
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

/** Would another run hardly leave anything new? */
static bool are_all(const struct outcomes *o)
{
    int once = 0;
    for (int i = 0; i < o->count; i++)
        once += o->times[i] == 1;
    return once * 4 <= o->runs;
}

static int runs_for(uint64_t instructions, bool fine)
{
    uint64_t n = MAX_INSTRUCTIONS / (instructions + 1), most = fine ? MAX_FINE_RUNS : MAX_RUNS;
    return n > most ? (int)most : n < 2 ? 2 : (int)n;
}

/** Runs the launch with the newest values until it leaves `misled` too. @return false if it does not */
static bool is_left_by_others(struct replay *replay, uint64_t misled, int runs, struct outcomes *o)
{
    struct memory *memory = machine_memory(replay->machine);
    uint64_t seed = replay->seed;
    bool fine = replay->kind == SCHEDULE_FINE; /* what it leaves may need others between two accesses */
    for (int run = 0; run < runs; run++) {
        replay_again(replay, true);
        uint64_t left = memory_digest(memory, replay->start);
        if (left == misled)
            return true;
        note(o, left);
        replay->kind = fine && run % 4 ? SCHEDULE_FINE : run % 2 ? SCHEDULE_PCT : SCHEDULE_RANDOM;
        replay->seed = mix64(seed + (uint64_t)(run + 1) * MIX_STEP);
    }
    return false;
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
    memset(replay->grids, 0, sizeof replay->grids);
    memory_restore(memory, replay->start);
    for (int i = 0; needs && i < most && i < runs; i++) {
        replay->kind = in_step[i].kind;
        replay->seed = in_step[i].seed;
        replay_again(replay, true);
        uint64_t now = memory_digest(memory, replay->start);
        needs = now != misled && (i == 0 || now == honest);
        honest = now;
    }
    replay_drop(replay);
    *replay = last;
    memory_restore(memory, left);
    memory_snapshot_free(left);
    return needs;
}

/** Orders in which a warp comes first, and some in which lanes leave theirs. */
static const struct { enum schedule_kind kind; uint64_t seed; } out_of_turn[] = {
    {SCHEDULE_NATURAL, 0}, {SCHEDULE_BACKWARD, 0}, {SCHEDULE_FINE, 1}, {SCHEDULE_FINE, 2}, {SCHEDULE_FINE, 3}, {SCHEDULE_FINE, 4},
};

bool outcome_needs_turns(struct replay *replay)
{
    struct memory *memory = machine_memory(replay->machine);
    struct memory_snapshot *left = memory_save(memory);
    struct replay last = *replay;
    uint64_t in_turn = 0, backward = 0;
    memset(replay->grids, 0, sizeof replay->grids);
    memory_restore(memory, replay->start);
    bool needs = runs_for(replay_instructions(&last), false) >= MAX_RUNS / 2 && lockstep_leaves(replay, false, &in_turn) &&
                 lockstep_leaves(replay, true, &backward) && in_turn == backward, parts = false;
    for (size_t i = 0; needs && !parts && i < sizeof out_of_turn / sizeof out_of_turn[0]; i++) {
        replay->kind = out_of_turn[i].kind;
        replay->seed = out_of_turn[i].seed;
        replay_again(replay, true);
        parts = memory_digest(memory, replay->start) != in_turn;
    }
    if (replay->grids[0])
        replay_drop(replay);
    *replay = last;
    memory_restore(memory, left);
    memory_snapshot_free(left);
    return needs && parts;
}

bool outcome_needs_older_values(struct replay *replay)
{
    struct memory *memory = machine_memory(replay->machine);
    struct memory_snapshot *left = memory_save(memory);
    struct replay last = *replay;
    struct outcomes o = {0};
    uint64_t misled = memory_digest(memory, replay->start);
    memset(replay->grids, 0, sizeof replay->grids);
    memory_restore(memory, replay->start);
    bool others = is_left_by_others(replay, misled, runs_for(replay_instructions(&last), last.kind == SCHEDULE_FINE), &o);
    replay->kind = last.kind;
    replay->seed = last.seed;
    bool needs = !others && are_all(&o) && !retrace_leaves(replay, misled);
    replay_drop(replay);
    *replay = last;
    memory_restore(memory, left);
    memory_snapshot_free(left);
    return needs;
}
