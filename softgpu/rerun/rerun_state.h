/**
 * @file rerun_state.h
 * Private to rerun/: what is kept over all launches, and the runs of one launch that nobody asked for.
 */
#ifndef SOFTGPU_RERUN_RERUN_STATE_H
#define SOFTGPU_RERUN_RERUN_STATE_H

#include "base/hash_set.h"
#include "rerun/explore/by_model.h"
#include "rerun/replay.h"
#include "rerun/rerun.h"

struct rerun {
    const struct options *options;
    FILE *output;
    struct drawing drawing;       /**< of what --exhaustive finds */
    bool muted;                   /**< what the present run prints does not count */
    bool holds;                   /**< it may not count: it is kept until that is known, */
    LIST(char) held;              /**< here */
    struct adversary *adversary;  /**< made with the first launch */
    uint64_t further;             /**< warp instructions of runs that nobody asked for, */
    uint64_t drawn;               /**< and of those of small launches, */
    uint64_t turned;              /**< and of those that ask which doubts only cost a turn */
    int modelled;                 /**< launches of which every execution was asked, */
    uint64_t points;              /**< and the points of those searches */
    struct hash_set looked_into;  /**< launches for which there was as much of each share as they needed (shares.h) */
    const struct run_listener *listener; /**< NULL: nobody is told */
    void *listening;
    pid_t (*copy)(void);          /**< copies the process; NULL: nobody may */
};

/** Tells all outcomes. Memory is left as one plain run leaves it. */
void explore_launch(struct rerun *r, struct replay *replay);

/** The run that counts, while others are made. */
struct aside {
    struct grid *natural[MAX_TOGETHER];
    struct memory_snapshot *after;
    struct machine_point point;
};
/** From here to step_back() runs are made that do not count. */
struct aside step_aside(struct rerun *r, struct replay *replay);
/** Memory, the grids and what they printed are again as they were. */
void step_back(struct rerun *r, struct replay *replay, const struct aside *kept);

/** The launch's run number `run`, from 0 on; what it finds is watched again. */
void run_once(struct rerun *r, struct replay *replay, int run);
/** Watches what the run has found, in the same run again; leaves memory as that run left it. */
void watch_again(struct rerun *r, struct replay *replay);
/** A run with older values drawn by `number`, the same for every seed: does it leave what newest values cannot? */
void run_drawn(struct rerun *r, struct replay *replay, enum schedule_kind kind, int number);
/** Threads that are a turn ahead, whichever run has shown one. */
void judge_turns(struct replay *replay);
/* judge.c */
/** Small launches with strong accesses: every execution is asked, so that what is found does not hang on what the runs
 *  happened to show; where they are too many, more runs are drawn. */
void judge_every_execution(struct rerun *r, struct replay *replay);
/** Races that only runs with older values have shown: what mends them hangs on all executions, not on the one that was met. `from`: findings
 *  before those of the launch. */
void advise_of_every_execution(struct rerun *r, struct replay *replay, int from);
/** A launch that is too long to be asked as the small ones are: drawn runs show which doubted values only ever cost a turn. */
void judge_lost_turns(struct rerun *r, struct replay *replay);
/** Stores of one value that race, a warning, end the search for conflicts; whether a thread acts too late is asked all the same. `errors`: so many were
 *  found before the launch. */
void look_for_late_acts(struct rerun *r, struct replay *replay, int errors);

/* further.c */
/** Looks for findings that other schedules bring: first those that do not hang on the seed, and where nobody has asked
 *  for schedules, drawn ones. `told`: what the reporter had been told before the launch. */
void look_further(struct rerun *r, struct replay *replay, uint64_t told);

#endif
