/**
 * @file background.c
 * The thread that goes on with what has been issued while the host may be waiting for the device outside of CUDA.
 */
#include <time.h>

#include "execute/machine.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

/** The host counts as waiting elsewhere after this long without a call. */
#define BACKGROUND_AFTER_MS 30

static bool background_due(void)
{
    return runtime.queued && !runtime.waiting && !runtime.sticky &&
           (runtime.host_visible || runtime.host_functions || runtime.shared_outside) &&
           runtime_clock_ms() - runtime.last_call_ms >= BACKGROUND_AFTER_MS;
}

static void *background(void *unused)
{
    (void)unused;
    for (;;) {
        struct timespec nap = {0, 5000000};
        nanosleep(&nap, NULL);
        runtime_lock();
        bool stalled = false;
        while (background_due() && !stalled && engine_round(DRIVE_BACKGROUND)) {
            runtime_yield();
            stalled = runtime.machine && machine_is_stalled(runtime.machine);
        }
        runtime_unlock();
    }
    return NULL;
}

void engine_start_background(void)
{
    static bool started;
    if (!started && (runtime.host_visible || runtime.host_functions || runtime.shared_outside)) {
        started = true;
        runtime_start_thread(background);
    }
}
