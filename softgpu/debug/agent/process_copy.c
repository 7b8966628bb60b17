/**
 * @file process_copy.c
 * Going back: a copy of the process, made by fork(), is a state that can be gone on from, as often as is
 * wanted. It has all that the run depends on, the checkers' memory and the schedule's included.
 *
 * A kept copy sleeps. Awakened, it makes a process that runs. What copies write goes nowhere: the program has
 * written it already. They are the debugger's children, not the program's, which must not hear of them.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "debug/agent/state.h"
#include "debug/talk.h"

/** Instructions that are run again sooner than a copy is made: programs may have thousands of short launches. */
#define COPY_LEAST 2000

/** Gives `fd` a file description of its own: one that is read from goes on where it stands, what would be written
 *  goes nowhere. */
static void detach(int fd)
{
    char path[48];
    struct stat st;
    int flags = fcntl(fd, F_GETFL);
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (flags < 0 || fstat(fd, &st) != 0 || S_ISDIR(st.st_mode))
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool read_again = (flags & O_ACCMODE) == O_RDONLY && S_ISREG(st.st_mode);
    int mine = open(read_again ? path : "/dev/null", (read_again ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (mine < 0)
        agent_give_up();
    if (read_again && at > 0)
        lseek(mine, at, SEEK_SET);
    if (mine != fd) {
        dup3(mine, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
        close(mine);
    }
}

static void detach_all(int keep)
{
    int open_ones[1024], n = 0;
    DIR *d = opendir("/proc/self/fd");
    if (!d)
        agent_give_up();
    for (struct dirent *e; (e = readdir(d)) && n < 1024;) {
        int fd = atoi(e->d_name);
        if (e->d_name[0] != '.' && fd != keep && fd != dirfd(d))
            open_ones[n++] = fd;
    }
    closedir(d);
    for (int i = 0; i < n; i++)
        detach(open_ones[i]);
}

/** Has the program threads besides the one that we are in? */
static bool is_alone(void)
{
    struct stat st;
    return stat("/proc/self/task", &st) == 0 && st.st_nlink <= 3;
}

/** Ends with the debugger, whose child it is as soon as `before`, which made it, has gone. */
static void follow(pid_t before)
{
    const struct timespec moment = {.tv_nsec = 100000};
    for (int i = 0; i < 20000 && getppid() == before; i++)
        nanosleep(&moment, NULL);
    if (getppid() == before || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        agent_give_up();
}

/** In the new process: it is one of its own. */
static void settle(int fd, bool alone)
{
    close(agent.fd);
    agent.fd = fd;
    agent.is_copy = true;
    agent.alone = alone;
    agent.next_copy = UINT64_MAX;
    signal(SIGINT, SIG_IGN); /* a terminal's Ctrl-C is the debugger's business */
    detach_all(fd);
    if (!memory_separate(machine_memory(agent.machine)))
        agent_give_up();
}

/** Forks twice, so that the new process is nobody's child here. @return true in it, once it is settled; here `made` is
 *  its number, 0 if there is none */
static bool split(int mine, int theirs, pid_t *made)
{
    int ready[2];
    *made = 0;
    bool alone = agent.is_copy ? agent.alone : is_alone();
    if (pipe2(ready, O_CLOEXEC) != 0)
        return false;
    pid_t first = agent.copy();
    if (first == 0) {
        close(theirs);
        close(ready[0]);
        pid_t between = getpid(), second = agent.copy();
        if (second)
            _exit(second < 0);
        follow(between);
        settle(mine, alone);
        *made = getpid();
        if (write(ready[1], made, sizeof *made) != sizeof *made)
            agent_give_up();
        close(ready[1]);
        return true;
    }
    close(ready[1]);
    if (first > 0)
        waitpid(first, NULL, 0);
    if (read(ready[0], made, sizeof *made) != sizeof *made) /* it has its own memory now, or there is none */
        *made = 0;
    close(ready[0]);
    close(mine);
    return false;
}

bool copy_is_due(void)
{
    return !agent.is_copy && (!agent.last_copy || agent.count - agent.last_copy >= COPY_LEAST || !is_alone());
}

void copy_keep(void)
{
    int ends[2];
    pid_t pid;
    if (!talk_pair(ends))
        return;
    agent.last_copy = agent.count;
    uint64_t at = agent.count;
    if (split(ends[0], ends[1], &pid)) {
        agent_wait_as_copy();
        return;
    }
    talk_send(agent.fd, json_pack("{s:s,s:i,s:I,s:I,s:b}", "event", "copy", "pid", (int)pid, "at", (json_int_t)at, "runs",
                                  (json_int_t)agent.runs, "begins", at == agent.begin), ends[1]);
    close(ends[1]);
}

bool copy_awake(int fd)
{
    int nobody = dup(fd); /* split() closes the other end */
    pid_t pid;
    if (split(fd, nobody, &pid)) {
        return true;
    }
    close(nobody);
    return false;
}
