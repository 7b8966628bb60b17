/**
 * @file cases.h
 * Running cases: for each input seed the reference (without checks) and the student's kernel (with
 * all checks, in as many schedules as the spec says), each in a process of its own, several at a
 * time.
 *
 * Runs are judged in the order of their numbers, whichever ends first, and a case stops at its
 * first failed run: so the same seed gives the same report. Where two cases of a part were ended by the time
 * limit or the step limit, its later ones are not run, and the message of their record says so: a loop that never
 * ends would else cost the limit in each.
 */
#ifndef GRADER_RUN_CASES_H
#define GRADER_RUN_CASES_H

#include "build/build.h"
#include "run/device.h"
#include "sandbox/child.h"
#include "record/record.h"

/** Where one run left its things. */
struct run_files {
    char *folder, *result, *findings, *counters, *timeline;
    char *about; /**< on a real GPU: what it is */
};

/** One finished pair of runs, to be judged. Where the case has places, both are the run of the original. */
struct run_pair {
    const struct spec_case *spec;
    struct record_case *record;
    const struct child *student, *reference;
    const struct run_files *student_files, *reference_files;
};

struct case_runner {
    const struct spec *spec;
    const struct build *build;
    const struct options *options;
    const char *scratch;
    uint32_t seed;
    const struct gpu *gpu; /**< runs go to this GPU; NULL: to softgpu */
    /** Judges a pair into `record`; false: the case is decided, no more runs of it. */
    bool (*judge)(void *ctx, const struct run_pair *pair);
    /** Called some times a second with how many of all cases are decided; may be NULL. */
    void (*progress)(void *ctx, int decided, int all);
    /** Once all cases that could run are decided: which can now; 0: none. NULL: all can from the beginning. */
    int (*wave)(void *ctx, struct record_case *const **ready);
    /** True: no other run begins; may be NULL. */
    bool (*is_over)(void *ctx);
    /** Did this case come to its end in an earlier grade? Then it will now, most likely. May be NULL. */
    bool (*ended_before)(void *ctx, const struct spec_case *spec);
    void *ctx;
};

/** Runs `count` cases; `specs[i]` belongs to `records[i]`. */
void cases_run(const struct case_runner *r, const struct spec_case *const *specs,
               struct record_case *const *records, int count);

/** The same in steps: `r`, and what `specs` and `records` point to, are the caller's until cases_close(). */
struct cases *cases_open(const struct case_runner *r, const struct spec_case *const *specs,
                         struct record_case *const *records, int count);
/** The runs of the references and of the lab's original alone, which need not wait until the student's file is compiled: they begin once
 *  the build has what they run (build->has_kits). */
struct child_feed *cases_references(struct cases *c);
/** Runs wave after wave. Where a processor would be idle, runs of those whose turn has not come begin: of the kit's own code, and as long as no case has failed the
 *  others; what turns out not to be wanted is ended, and judged by nobody. Of each part two cases run in their order; once these have ended, or for those that have ended
 *  in an earlier grade, the longest come first. */
void cases_go_on(struct cases *c);
void cases_close(struct cases *c);

/** The seed of the inputs of a case's n-th repetition, from the grade's seed. */
uint64_t cases_input_seed(uint32_t seed, const char *case_name, unsigned repetition);

#endif
