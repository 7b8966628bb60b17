/**
 * @file scouts.c
 * See scouts.h.
 */
#include "rerun/scouts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host_memory.h"
#include "base/processors.h"

/** Of the memory that is free, the part that all scouts may come to hold. */
#define FREE_PART 4

/** What a scout sends when it has its own memory, and when it has ended. */
struct scout_report {
    bool silent;
    uint64_t took;
};

/** Scouts for which there is memory: each may come to write all that this process holds. */
static int memory_for(int count)
{
    unsigned long whole, resident = 0;
    long available = sysconf(_SC_AVPHYS_PAGES);
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f)
        return 0;
    if (fscanf(f, "%lu %lu", &whole, &resident) != 2)
        resident = 0;
    fclose(f);
    unsigned long fit = available > 0 && resident ? (unsigned long)available / FREE_PART / resident : 0;
    return fit < (unsigned long)count ? (int)fit : count;
}

/** In the copy, which never returns. */
static void scout(int report, int number, pid_t parent, struct memory *memory, scout_run *run, void *self)
{
    struct scout_report r = {0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || !memory_separate(memory) ||
        write(report, &r, 1) != 1)
        _exit(1);
    host_memory_keep(8); /* where it gives up, this launch is run again alone */
    r.silent = run(self, number, &r.took);
    _exit(write(report, &r, sizeof r) != sizeof r);
}

static bool send_one(struct scouts *s, int number, int count, struct memory *memory, pid_t (*copy)(void), scout_run *run, void *self)
{
    int ends[2];
    char ready;
    int on = processor_here();
    pid_t here = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t process = copy();
    if (process == 0) {
        close(ends[0]);
        process_beside(on, number, count);
        scout(ends[1], number, here, memory, run, self);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    s->of[s->count].process = process;
    s->of[s->count++].report = ends[0];
    return read(ends[0], &ready, 1) == 1; /* else it has ended */
}

void scouts_send(struct scouts *s, int count, struct memory *memory, pid_t (*copy)(void), scout_run *run, void *self)
{
    *s = (struct scouts){0};
    if (processors_allowed() < 2 || memory_is_outside(memory))
        return;
    count = memory_for(count < MAX_SCOUTS ? count : MAX_SCOUTS);
    while (s->count < count && send_one(s, s->count, count, memory, copy, run, self))
        ;
}

/** Its end is waited for, so that none is left. */
static void dismiss(struct scouts *s, int number)
{
    close(s->of[number].report);
    s->of[number].report = -1;
    while (waitpid(s->of[number].process, NULL, 0) < 0 && errno == EINTR)
        ;
}

bool scouts_saw_nothing(struct scouts *s, int number, uint64_t *took)
{
    struct scout_report r;
    ssize_t got;
    if (number >= s->count || s->of[number].report < 0)
        return false;
    do
        got = read(s->of[number].report, &r, sizeof r);
    while (got < 0 && errno == EINTR);
    dismiss(s, number);
    if (got != sizeof r || !r.silent)
        return false;
    *took = r.took;
    return true;
}

void scouts_recall(struct scouts *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->of[i].report >= 0) {
            kill(s->of[i].process, SIGKILL);
            dismiss(s, i);
        }
}
