/**
 * @file bounds.h
 * How much of a program is run again that nobody asked to: runs, and the size of the launches.
 */
#ifndef SOFTGPU_RERUN_BOUNDS_H
#define SOFTGPU_RERUN_BOUNDS_H

/** Memory up to which a single run keeps a copy of its start, so that it can be watched again; and how much of it may have to be copied for each
 *  launch, as it is not followed page by page. */
#define MAX_SINGLE_BYTES (256u << 20)
#define MAX_COPIED_BYTES (16u << 20)
/** Warp instructions of a run beyond which it is not watched again. */
#define MAX_WATCHED (1ull << 26)
/** Runs in other schedules that nobody asked for. */
#define FURTHER_RUNS 2
/** Runs with older values drawn, where an order is doubted: as many, of launches up to so many warp instructions. */
#define DOUBT_RUNS 8
#define DOUBT_LAUNCH (1ull << 11)
/** Runs so drawn of a launch as small with strong accesses, where nothing has been found and the model could not be asked
 *  to the end. */
#define SMALL_RUNS 48
#define SMALL_LAUNCH (1ull << 11)
/** Warp instructions of all such runs; and of a launch beyond which they only look for what is an error: what a retry makes good
 *  is too often doubted there. */
#define SMALL_PROGRAM (1ull << 21)
#define WARNED_LAUNCH (1ull << 9)
/** Of longer launches with doubts, so many at most, and two at least; up to FURTHER_LAUNCH, and warp instructions of all of a launch's, and of a program's. */
#define TURN_RUNS 16
#define TURN_LAUNCH_ALL (1ull << 21)
#define TURN_PROGRAM (1ull << 22)
/** Runs so drawn, with newest values, of several launches at once where the model has nothing to say: an update that rests on
 *  what another kernel has changed since is one of its interleavings. */
#define FINE_RUNS 16
/** Warp instructions up to which a launch has them, and those of all launches together. */
#define FURTHER_LAUNCH (1ull << 20)
/** Up to which the one from the last to the first is made, where threads hear of each other by more than barriers and nothing has been found. */
#define BACKWARD_LAUNCH (1ull << 22)
#define FURTHER_PROGRAM (1ull << 25)
/** Warp instructions from which a launch's drawn runs are made side by side, each in a copy of the process. */
#define SCOUTED_LAUNCH (1ull << 14)
/** Launches with threads that poll and give up, which are run with patience: warp instructions, and warps. */
#define PATIENT_LAUNCH (1ull << 14)
#define PATIENT_WARPS 64
/** In which threads draw numbers by atomics, with runs in which the first, or the last, by number always comes first. */
#define STRICT_LAUNCH (1ull << 16)
/** And where blocks leave out fences that those which came last in these have come by, so many at most in which one of them does. */
#define LAST_RUNS 4
/** Where the code says that what the last one does may hang on its number, each block is the last in one, up to so many, and so many warp instructions in all. */
#define EACH_LAST_RUNS 256
#define EACH_LAST_LAUNCH (1ull << 20)
/** Warp instructions after which such a run is given up, so many times those of the shortest, and so many more: who waits there for whoever comes last. */
#define STRICT_TIMES 8
#define STRICT_MORE 4096
/** Warp instructions after which a patient run is given up: who waits without giving up is patient, too. */
#define PATIENT_RUN (1ull << 18)
/** Launches of which every execution is asked: so small, so many a program; points of the searches of all. */
#define MODEL_INSTRUCTIONS 256
/** Up to so many their interleavings and late writes are walked, all the same: states are fewer than executions, and most of them may be work of a thread's own. */
#define WALK_INSTRUCTIONS (1u << 16)
#define FEW_INSTRUCTIONS 1024 /* beyond which it is worth less */
#define WALK_THREADS 4 /* where the launch has no more: with many, states are too many, too */
#define WALK_SHARE 8 /* of the points, for such a launch's executions */
#define MODEL_LAUNCH_THREADS 1024
#define MODEL_LAUNCHES 64
#define MODEL_POINTS 250000
/** Warp instructions after which a run that nobody asked for is given up, so many times those of the shortest, and so many more: with older values,
 *  or in another order, it may never end. More than no_way_out.c waits for. */
#define BESIDE_TIMES 16
#define BESIDE_MORE (1ull << 21)
/** And of one that somebody asked for, beside the first. */
#define ASKED_TIMES 64
#define ASKED_MORE (1ull << 23)

/** What a run that need not count may print, in bytes, before it is shown for all that. */
#define MAX_HELD (1 << 20)

#endif
