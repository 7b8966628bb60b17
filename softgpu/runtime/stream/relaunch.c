/**
 * @file relaunch.c
 * In check mode a kernel that is alone on the device is handed to rerun/, which runs it several times
 * from the same memory.
 */
#include "rerun/rerun.h"
#include "runtime/state/execution.h"
#include "runtime/state/operation.h"
#include "runtime/stream/relaunch.h"

static struct rerun *rerun;    /**< of the present machine */

FILE *relaunch_output(void)
{
    rerun_close(rerun);
    rerun = rerun_open(&runtime.options);
    return rerun_output(rerun);
}

bool relaunch_wanted(void)
{
    return rerun_wanted(rerun, runtime.machine);
}

void relaunch_run(struct operation *op)
{
    op->config.op = op->number;
    op->config.before = &op->before;
    op->config.params = op->params;
    op->config.by = op->by;
    op->config.start_clock = engine_start_clock(op);
    op->grid = rerun_launch(rerun, runtime.machine, &op->config);
    work_measure(op);
}
