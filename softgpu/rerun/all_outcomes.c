/**
 * @file all_outcomes.c
 * --exhaustive: every outcome of a launch.
 */
#include "analyse/effects.h"
#include "report/reporter.h"
#include "rerun/explore/by_model.h"
#include "rerun/explore/explore.h"
#include "rerun/rerun_state.h"

/** By runs, each with decisions of its own, where the model cannot enumerate the launch: `why`. */
static void explore_by_runs(struct rerun *r, struct replay *replay, enum incomplete_cause why)
{
    struct explorer *x = explore_begin(replay->machine);
    r->muted = true;
    do
        replay_run(replay, SCHEDULE_CHOSEN, 0);
    while (explore_next(x));
    r->muted = false;
    explore_end(x, replay->configs[0]->kernel->name, why, stdout);
}

void explore_launch(struct rerun *r, struct replay *replay)
{
    if (kernel_launches(replay->configs[0]->kernel)) {
        report_incomplete(machine_reporter(replay->machine), INCOMPLETE_NESTED);
        return;
    }
    r->muted = true;
    if (r->options->draw_path && !r->drawing.out)
        drawing_open(&r->drawing, r->options->draw_path);
    enum incomplete_cause why =
        explore_by_model(replay->machine, replay->configs[0], &(struct outcomes_out){stdout, &r->drawing});
    r->muted = false;
    if (why)
        explore_by_runs(r, replay, why);
}
