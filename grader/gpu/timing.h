/**
 * @file timing.h
 * Measuring what one performance entry asks for.
 *
 * A session is two processes: one in which the student's kernel and the reference run in turn, and one
 * with the reference alone, on the same inputs. The second one's results are what both of the first
 * are compared with, so a kernel that reached over to the reference beside it gains nothing.
 */
#ifndef GRADER_GPU_TIMING_H
#define GRADER_GPU_TIMING_H

#include "gpu/bands.h"
#include "run/cases.h"

#define TIMING_MAX_SESSIONS 3
#define TIMING_MAX_SAMPLES (TIMING_MAX_SESSIONS * 101)

/** Times in microseconds, of all sessions so far. */
struct timing {
    double ratio[TIMING_MAX_SAMPLES], student[TIMING_MAX_SAMPLES];
    double reference[TIMING_MAX_SAMPLES], alone[TIMING_MAX_SAMPLES];
    int count, sessions;
    double bandwidth; /**< bytes a second; 0: unknown */
};

enum timing_result {
    TIMING_DONE,
    TIMING_WRONG,  /**< the student's kernel failed while it was timed */
    TIMING_FAILED, /**< could not measure */
};

/**
 * Runs one session and adds its rounds.
 * @param message  why not, malloced, unless TIMING_DONE
 */
enum timing_result timing_session(struct timing *m, const struct case_runner *r,
                                  const struct spec_performance *p, char **message);
/** The medians so far, with the floor that the entry's bytes and the device set. */
struct speed_measured timing_summary(const struct timing *m, const struct spec *s,
                                     const struct spec_performance *p);

#endif
