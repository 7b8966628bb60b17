/**
 * @file threads_beside.c
 * A thread of the program's that has waited for the device gives the others a little time first.
 *
 * All threads count as one, so that what one has waited for counts as known to all: how they synchronise among themselves is not
 * seen. So a thread that only happens to launch later than another has waited would be taken to come after it. Returning late is
 * always right: those that nothing makes wait come to their launches meanwhile, and those that do wait for this one are not early.
 */
#include <sys/stat.h>

#include "base/crew.h"
#include "base/threads.h"
#include "compile/compile.h"
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"

/** At most so long at a time, real time. */
#define BESIDE_MS 50
/** And in a program: some have threads that never rest. */
#define BESIDE_ALL_MS 500

bool host_has_other_threads(void)
{
    struct stat st;
    unsigned own = 1u + (unsigned)(compile_threads() + crew_threads() + runtime_threads());
    return runtime.host_threads > 1 || stat("/proc/self/task", &st) != 0 || st.st_nlink > 2u + own;
}

bool host_thread_runs(void)
{
    return runtime.client_runs ? runtime.client_runs() : threads_other_runs();
}

void host_threads_beside(void)
{
    static uint64_t spent;
    if (spent >= BESIDE_ALL_MS || runtime.host_threads < 2 || runtime.host_range || runtime.ending)
        return;
    uint64_t since = runtime_clock_ms(), now;
    do {
        runtime_wait_change(1);
        now = runtime_clock_ms();
    } while (now - since < BESIDE_MS && host_thread_runs());
    spent += now - since;
}
