/**
 * @file relaunch.c
 * In check mode a kernel that is alone on the device is handed to rerun/, which runs it several times
 * from the same memory.
 */
#include "debug/agent/agent.h"
#include "rerun/rerun.h"
#include "runtime/code/function.h"
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

void relaunch_debug(void)
{
    debug_attach(runtime.machine, rerun, runtime_copy);
}

bool relaunch_wanted(void)
{
    return rerun_wanted(rerun, runtime.machine);
}

void relaunch_run(struct operation *op)
{
    launch_configure(op);
    op->grid = rerun_launch(rerun, runtime.machine, &op->config);
    work_measure(op);
}
