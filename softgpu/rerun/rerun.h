/**
 * @file rerun.h
 * Check mode runs each launch several times from the same memory: the first run in natural order, the
 * others in schedules drawn from the seed, half of them random, half priority-based (PCT), in which the
 * adversary chooses what reads see. Findings of all runs add up; a run that made new ones is run once
 * more, and what the threads of each did is written down (interleaving.h). With --exhaustive a launch
 * runs in every way that the model allows (explore/explore.h).
 *
 * The room stands above check/ and execute/: it sets choosers and observers, and nothing calls it back.
 */
#ifndef SOFTGPU_RERUN_RERUN_H
#define SOFTGPU_RERUN_RERUN_H

#include <stdio.h>
#include <sys/types.h>

#include "execute/machine.h"

struct rerun;

/** Who is told which run is made (debug/). Runs that nobody is told of only look at an earlier one again. */
struct run_listener {
    /** A launch begins: the `run` calls that follow are its runs; or it has ended. */
    void (*launch)(void *self, const struct grid_config *config, bool begins);
    /** The launch's `number`-th run, from 0 on, begins or has ended. */
    void (*run)(void *self, int number, enum schedule_kind kind, bool begins);
};
/** `how` NULL: nobody. */
void rerun_listen(struct rerun *r, const struct run_listener *how, void *self);

/** How to copy this process, with the device as it is, for runs side by side: as fork() does. */
void rerun_copies(struct rerun *r, pid_t (*copy)(void));

/** For a machine that is yet to be made, with options->out = rerun_output(). `options` is kept. */
struct rerun *rerun_open(const struct options *options);
/** After the machine is gone. */
void rerun_close(struct rerun *r);
/** Where device printf goes: stdout, in the runs whose output counts. Never closed before rerun_close(). */
FILE *rerun_output(struct rerun *r);
/** Does a launch run more than once, as things stand? */
bool rerun_wanted(const struct rerun *r, struct machine *m);
/**
 * Runs a launch that is alone on the machine. Memory, faults and device printf are those of the last run
 * that --schedules asks for, the counts those of the natural run, which is as a GPU would split warps.
 * @return the grid, which has ended; the caller's to destroy
 */
struct grid *rerun_launch(struct rerun *r, struct machine *m, const struct grid_config *config);
/**
 * The same with several launches that begin at once, at most MAX_TOGETHER (replay.h), each config's `together` the first one's
 * operation: they run beside each other in all schedules. None may wait for what is not among them.
 * @param may_stand  unless that is yet to be issued: then they need not come to an end
 * @return false: they stand still, nothing has happened, and there are no grids. They are to run with what may come
 */
bool rerun_together(struct rerun *r, struct machine *m, const struct grid_config *const *configs, int count,
                    bool may_stand, struct grid **grids);

#endif
