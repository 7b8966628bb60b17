/**
 * @file patience.c
 * A kernel that only looks at memory is a deadlock when nobody is left to change it. While the host has not waited for the kernel it may
 * come yet, and do so, with a store, a copy or another kernel: such a kernel stands still. The host's patience is not known, so it has
 * bounds: of a host that asks again and again, and of one that does nothing that can be seen. A thread that has waited, in a program that has
 * others, asks for them.
 */
#include "runtime/stream/patience.h"

#include "analyse/communication.h"
#include "execute/machine.h"
#include "runtime/memory/watched.h"
#include "runtime/state/runtime.h"

#define ASKING_MS 5000
#define ASKED 200      /* and so often: on a machine that is busy with other things the time alone says little */
#define SILENT_MS 30000

static bool host_goes_on;
static uint64_t stalled_since; /* 0: nothing stands still */
static int asked;              /* since then */
static bool polled;            /* a kernel that may look at memory until somebody has changed it has run in rounds */

void patience_host_goes_on(bool goes_on)
{
    host_goes_on = goes_on;
}

/** Has a host function begun that has not ended? */
static bool function_runs(void)
{
    const struct operation *o = runtime.host_functions ? runtime.queue_head : NULL;
    while (o && (o->kind != OP_HOST || o->state != OP_RUNNING))
        o = o->next;
    return o != NULL;
}

/** Whether threads of the program that do not wait here, or its host functions, may store what a kernel looks at, or issue what does. */
static bool others_may_come(void)
{
    return function_runs() || (!runtime.host_range && host_has_other_threads());
}

bool patience_needed(const struct operation *kernel, enum drive drive)
{
    bool polls = communication_of(kernel->config.kernel)->polls;
    return polls && !runtime.ending &&
           (drive != DRIVE_WAIT || host_goes_on || (runtime.host_visible && others_may_come() && watched_by_kernel(kernel)));
}

void patience_begins(const struct operation *kernel)
{
    polled |= communication_of(kernel->config.kernel)->polls;
}

bool patience_with_others(const struct operation *kernel)
{
    return communication_of(kernel->config.kernel)->polls && !runtime.ending && others_may_come();
}

bool patience_round(enum drive drive, bool more)
{
    bool waits = (runtime.ending || (drive == DRIVE_WAIT && !host_goes_on && !(polled && others_may_come()))) && !(polled && more);
    if (waits || !machine_is_stalled(runtime.machine))
        stalled_since = 0;
    else if (!stalled_since) {
        stalled_since = runtime_clock_ms();
        asked = 0;
    }
    bool background = drive == DRIVE_BACKGROUND;
    asked += stalled_since && !background && asked < ASKED;
    bool too_long = stalled_since && runtime_clock_ms() - stalled_since > (background ? SILENT_MS : ASKING_MS) && (background || asked == ASKED);
    machine_set_awaited(runtime.machine, waits || too_long, function_runs());
    return waits;
}

bool patience_stands(void)
{
    for (const struct operation *op = runtime.queue_head; op; op = op->next)
        if (op->kind == OP_KERNEL && op->stood && op->state != OP_DONE)
            return true;
    return runtime.running_grids && machine_is_stalled(runtime.machine);
}
