/**
 * @file threads_beside.c
 * A thread of the program's that has waited for the device gives the others a little time first.
 *
 * All threads count as one, so that what one has waited for counts as known to all: how they synchronise among themselves is not
 * seen. So a thread that only happens to launch later than another has waited would be taken to come after it. Returning late is
 * always right: those that nothing makes wait come to their launches meanwhile, and those that do wait for this one are not early.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crew.h"
#include "compile/compile.h"
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"

/** At most so long at a time, real time. */
#define BESIDE_MS 50
/** And in a program: some have threads that never rest. */
#define BESIDE_ALL_MS 500

/* Its state stands behind its name, which is in parentheses (proc(5)). */
static bool is_running(const char *thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return false;
    text[n] = 0;
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' && end[2] == 'R';
}

bool host_has_other_threads(void)
{
    struct stat st;
    unsigned own = 1u + (unsigned)(compile_threads() + crew_threads() + runtime_threads());
    return runtime.host_threads > 1 || stat("/proc/self/task", &st) != 0 || st.st_nlink > 2u + own;
}

bool host_thread_runs(void)
{
    DIR *d = opendir("/proc/self/task");
    bool any = false;
    if (!d)
        return false;
    for (const struct dirent *e; !any && (e = readdir(d));)
        any = e->d_name[0] != '.' && atoi(e->d_name) != gettid() && is_running(e->d_name);
    closedir(d);
    return any;
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
