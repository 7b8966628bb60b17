/**
 * @file relaunch.c
 * In check mode a kernel that is alone on the device, or several that may communicate, are handed to rerun/, which runs them
 * several times from the same memory.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/crew.h"
#include "compile/compile.h"
#include "debug/agent/agent.h"
#include "rerun/rerun.h"
#include "runtime/code/function.h"
#include "runtime/state/execution.h"
#include "runtime/state/operation.h"
#include "runtime/stream/beside.h"
#include "runtime/stream/last.h"
#include "runtime/stream/patience.h"
#include "runtime/stream/relaunch.h"
#include "runtime/stream/together.h"

static struct rerun *rerun;    /**< of the present machine */

/** Copies the process for a run beside others. A copy has one thread, so the program must not have more; and its end is
 *  told to whoever waits for children or listens to SIGCHLD, so nobody else may. @return as fork() does */
static pid_t copy_beside(void)
{
    struct stat st;
    struct sigaction heard;
    if (stat("/proc/self/task", &st) != 0 || st.st_nlink > 3u + (unsigned)(compile_threads() + crew_threads()) ||
        sigaction(SIGCHLD, NULL, &heard) != 0 || (heard.sa_flags & SA_SIGINFO) || heard.sa_handler != SIG_DFL)
        return -1;
    return runtime_copy();
}

FILE *relaunch_output(void)
{
    rerun_close(rerun);
    rerun = rerun_open(&runtime.options);
    rerun_copies(rerun, copy_beside);
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

/** They only look at what something else may still change, that waits or that another thread is to issue: they begin once more, in rounds, beside that. */
static void let_stand(struct operation **ops, int count)
{
    for (int i = 0; i < count; i++) {
        ops[i]->state = OP_QUEUED;
        ops[i]->stood = true;
        runtime.running_grids--;
        operation_unref(ops[i]);
    }
}

static void run(struct operation **ops, int count)
{
    bool may_stand = false;
    const struct grid_config *configs[MAX_TOGETHER] = {NULL};
    struct grid *grids[MAX_TOGETHER] = {NULL};
    for (int i = 0; i < count; i++) {
        operation_ref(ops[i]);
        ops[i]->state = OP_RUNNING;
        runtime.running_grids++;
        launch_configure(ops[i]);
        ops[i]->config.together = count > 1 ? ops[0]->number : 0;
        ops[i]->config.last = count == 1 && operation_is_last(ops[i]);
        configs[i] = &ops[i]->config;
        may_stand |= patience_with_others(ops[i]) || beside_waits(ops[i]);
    }
    if (!rerun_together(rerun, runtime.machine, configs, count, may_stand, grids)) {
        let_stand(ops, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        ops[i]->grid = grids[i];
        work_measure(ops[i]);
    }
    for (int i = 0; i < count; i++) {
        if (ops[i]->state == OP_RUNNING) /* a fault ends all */
            engine_grid_ended(ops[i]);
        operation_unref(ops[i]);
    }
}

static int by_number(const void *a, const void *b)
{
    const struct operation *const *x = a, *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

void relaunch_run(struct operation *op)
{
    run(&op, 1);
}

bool relaunch_together(struct operation *op)
{
    struct operation *ops[MAX_TOGETHER];
    int count = runtime.options.exhaustive ? 1 : together_find(op, ops);
    if (count == 1)
        return false;
    qsort(ops, (size_t)count, sizeof ops[0], by_number);
    run(ops, count);
    return true;
}
