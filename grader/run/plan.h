/**
 * @file plan.h
 * Inside of cases.h: the runs of a grade, and which is next.
 */
#ifndef GRADER_RUN_PLAN_H
#define GRADER_RUN_PLAN_H

#include "run/cases.h"
#include "run/command.h"

#define ENDLESS_ENOUGH 2 /* cases of a part that did not end: the later ones of the part are not waited for */

enum run_state { RUN_WAITING, RUN_STARTED, RUN_ENDED };

struct run {
    struct child child, device; /**< the device's process, in a host-code lab */
    struct command command;
    struct sandboxed box, device_box;
    struct plan *plan;
    struct run *reference; /**< whose result is expected of this one; NULL: none */
    bool is_reference;
    bool alone; /**< not in a batch (batch.h) */
    unsigned repetition;
    int number;
    enum run_state state;
};

/** One case's runs: for each repetition the reference, then the student's kernel; of a case with places, the
 *  lab's original alone. */
struct plan {
    const struct spec_case *spec;
    struct record_case *record;
    const struct spec_part *part;
    struct run *runs;
    int count, next_to_judge;
    bool ready;   /**< its turn has come: what it needs is met */
    bool decided;
    bool endless; /**< it failed by the time limit or the step limit */
};

struct cases {
    const struct case_runner *runner;
    struct plan *plans;
    int count;
    struct child_feed references;
    struct batch *batches; /**< those that run */
    bool going_on; /**< the student's file is compiled */
};

/** Has the turn of a case come that is not decided? */
bool plan_is_any_open(const struct cases *q);
/** Are the plan's runs known to end? Enough cases of its part have come to an end, or it has in an earlier grade. Others are run one by one, the first of
 *  a part first: behind two that do not end none is run any more. */
bool plan_is_known_to_end(const struct cases *q, const struct plan *p);
/** The run that begins next: while nvcc runs one of the kit's own code. While the last of those whose turn has come run, others begin: the kit's own, then such as will
 *  be wanted if nothing fails. NULL: none for now. */
struct run *plan_choose(const struct cases *q);
/** What a run is: with the same inputs each time. @param together  a batch's folder; NULL: by itself */
struct command_choice plan_run(const struct cases *q, const struct run *run, const char *together);

#endif
