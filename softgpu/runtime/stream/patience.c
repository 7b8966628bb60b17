/**
 * @file patience.c
 * A kernel that only looks at memory is a deadlock when nobody is left to change it. While the host has not waited for the kernel it may
 * come yet, and do so, with a store, a copy or another kernel: such a kernel stands still. The host's patience is not known, so it has
 * bounds: of a host that asks again and again, and of one that does nothing that can be seen.
 */
#include "runtime/stream/patience.h"

#include "analyse/communication.h"
#include "execute/machine.h"
#include "runtime/state/runtime.h"

#define ASKING_MS 5000
#define ASKED 200      /* and so often: on a machine that is busy with other things the time alone says little */
#define SILENT_MS 30000

static bool host_goes_on;
static uint64_t stalled_since; /* 0: nothing stands still */
static int asked;              /* since then */

void patience_host_goes_on(bool goes_on)
{
    host_goes_on = goes_on;
}

bool patience_needed(const struct operation *kernel, enum drive drive)
{
    return !runtime.ending && (drive != DRIVE_WAIT || host_goes_on) && communication_of(kernel->config.kernel)->polls;
}

void patience_round(enum drive drive)
{
    bool waits = (drive == DRIVE_WAIT && !host_goes_on) || runtime.ending;
    if (waits || !machine_is_stalled(runtime.machine))
        stalled_since = 0;
    else if (!stalled_since) {
        stalled_since = runtime_clock_ms();
        asked = 0;
    }
    bool background = drive == DRIVE_BACKGROUND;
    asked += stalled_since && !background && asked < ASKED;
    bool too_long = stalled_since && runtime_clock_ms() - stalled_since > (background ? SILENT_MS : ASKING_MS) && (background || asked == ASKED);
    machine_set_awaited(runtime.machine, waits || too_long);
}
