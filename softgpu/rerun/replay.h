/**
 * @file replay.h
 * One launch, or several that begin at once, run as often as is wanted from the same memory. A schedule and what the
 * adversary chooses in it follow from a seed, so any of the runs can be made again.
 */
#ifndef SOFTGPU_RERUN_REPLAY_H
#define SOFTGPU_RERUN_REPLAY_H

#include "execute/machine.h"
#include "memory/snapshot.h"

struct adversary;

/** Launches that run at once, at most. */
#define MAX_TOGETHER 8

/** What runs in which threads come late with their writes have left (stragglers.h); those of each kind are compared with each other. */
#define LATE_RUNS 16
#define LATE_KINDS 2
struct late_results {
    uint64_t left[LATE_KINDS][LATE_RUNS];
    int count[LATE_KINDS];             /**< of those that have come to their end */
    bool known;                        /**< they have been made */
};

struct replay {
    struct machine *machine;
    struct adversary *adversary;       /**< NULL: reads return the newest value; not owned */
    const struct grid_config *const *configs;
    int count;                         /**< of launches */
    struct memory_snapshot *start;     /**< memory before the launch */
    struct grid *grids[MAX_TOGETHER];  /**< of the last run, which have ended; NULL before the first */
    bool may_stand;                    /**< others may still change what a launch looks at, or issue what does: the natural run need not end */
    bool stands;                       /**< it has not: it only looks at memory that nothing changes. Its grids have ended as GRID_AGAIN */
    bool parked;                       /**< a run in backward order has held a warp behind an atomic */
    int judged[2];                     /**< doubts about who is ahead, of either kind, that have been found to change nothing */
    uint64_t least;                    /**< warp instructions of the shortest run so far that came to its end */
    uint64_t most;                     /**< warp instructions after which a run is given up; 0: never */
    bool given_up;                     /**< one was */
    struct machine_point natural_end;  /**< of the natural run: where what is made beside the runs by the seed begins, the same for every seed */
    struct late_results late;
    /* The schedule of the last run. */
    enum schedule_kind kind;
    uint64_t seed;
    bool older;                        /**< every read that the program relies on for order returns an older value */
    struct machine_point point;
};

/** Begins with memory as it is now. The caller keeps `configs` and, in the end, the grids. */
void replay_open(struct replay *r, struct machine *m, struct adversary *adversary,
                 const struct grid_config *const *configs, int count);
/** Memory, the machine and what has been told are as before the first run; there are no grids. Only where that run stands. */
void replay_undo(struct replay *r);
/** Forgets the start; schedules are natural again. */
void replay_close(struct replay *r);
/** A run from the start: the launch ends as this one does. */
void replay_run(struct replay *r, enum schedule_kind kind, uint64_t seed);
/** The same; wherever the program relies on an order, reads return an older value. */
void replay_run_older(struct replay *r, enum schedule_kind kind, uint64_t seed);
/** The last run once more. With `honest`, reads that the program relies on for order return the newest
 *  value. */
void replay_again(struct replay *r, bool honest);
struct chooser;
/** The launch once more, a lane at a time, in the order that `how` chooses (SCHEDULE_CHOSEN); the last run stays the one that
 *  replay_again() makes. */
void replay_chosen(struct replay *r, const struct chooser *how, void *self);
/** After a run of some of a launch's blocks: those of `config` in natural order, which find what it has left. The next run begins from the start again. */
void replay_go_on(struct replay *r, const struct grid_config *config);
/** Warp instructions of the last run. */
uint64_t replay_instructions(const struct replay *r);
/** Is it small enough for runs that nobody asked for, if only in the shortest of its runs? What others take longer they wait. */
bool replay_is_small(const struct replay *r);
/** Have all launches of the last run come to their end? */
bool replay_done(const struct replay *r);
/** Releases the grids of the last run. */
void replay_drop(struct replay *r);

#endif
