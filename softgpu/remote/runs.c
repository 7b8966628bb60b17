/**
 * @file runs.c
 * See runs.h.
 */
#include "remote/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_BYTES (1 << 20)

/** The file's text, never freed: environments point into it. NULL where it is too long, or does not end in a NUL. */
static char *read_words(const char *path, size_t *bytes)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0 && about.st_size <= MOST_BYTES)
        text = malloc((size_t)about.st_size);
    if (text) {
        *bytes = (size_t)about.st_size;
        if (read(fd, text, *bytes) != (ssize_t)*bytes || text[*bytes - 1])
            free(text), text = NULL;
    }
    if (fd >= 0)
        close(fd);
    return text;
}

/** Of the next run in the list: how many words its environment has; -1 where the list ends before. */
static int count_words(const char *at, const char *end)
{
    for (int count = 0; at < end; count++, at += strlen(at) + 1)
        if (!*at)
            return count;
    return -1;
}

static const char *take_word(char **at)
{
    const char *word = *at;
    *at += strlen(word) + 1;
    return word;
}

bool runs_read(struct runs *r, const char *path)
{
    size_t bytes = 0;
    char *at = read_words(path, &bytes);
    const char *end = at ? at + bytes : at;
    r->count = 0;
    while (at < end) {
        int words = count_words(at, end) - 2;
        char **environment = words >= 0 ? calloc((size_t)words + 1, sizeof *environment) : NULL;
        if (!environment || r->count == RUNS_MOST)
            return false;
        struct listed_run *run = &r->at[r->count++];
        *run = (struct listed_run){.environment = environment};
        run->number = take_word(&at);
        run->folder = take_word(&at);
        for (int i = 0; i < words; i++)
            environment[i] = (char *)take_word(&at);
        take_word(&at);
    }
    return r->count > 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/** How its forker hears that a run has ended: SIGCHLD is blocked there, and read. Ids of other processes are nothing that every sandbox lets act on. */
struct ends {
    int fd;
    sigset_t before;
};

static const struct ends *hear_of_ends(void)
{
    static struct ends ends = {.fd = -1};
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (ends.fd < 0 && sigprocmask(SIG_BLOCK, &child, &ends.before) == 0)
        ends.fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    return &ends;
}

/** In a run's process. */
static void become(const struct listed_run *run, pid_t parent, int printed, const struct ends *ends)
{
    bool ok = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && dup2(printed, 1) == 1 && dup2(printed, 2) == 2 &&
              chdir(run->folder) == 0 && sigprocmask(SIG_SETMASK, &ends->before, NULL) == 0;
    for (char **e = run->environment; ok && *e; e++)
        ok = putenv(*e) == 0;
    if (!ok)
        _exit(1);
    if (printed > 2)
        close(printed);
    close(ends->fd);
}

/** Looks at what the run prints, and waits for something to happen. */
static void wait_for_any(struct pollfd *printed, struct pollfd *ended)
{
    struct signalfd_siginfo end;
    struct pollfd both[2] = {*printed, *ended};
    if (printed->revents)
        both[0].fd = printed->fd = -1; /* closed by all who had it */
    poll(both, 2, -1);
    while (both[1].revents & POLLIN && read(ended->fd, &end, sizeof end) > 0)
        ;
    printed->revents = both[0].revents;
}

/** Waits until the run has ended. One that has printed something is ended, where that may be done: what it prints belongs to nobody here. */
static bool has_ended_well(pid_t run, int *out, int ends)
{
    struct pollfd printed = {*out, POLLIN, 0}, ended = {ends, POLLIN, 0};
    int status = 0;
    pid_t over = 0;
    while (!(printed.revents & POLLIN) && (over = waitpid(run, &status, WNOHANG)) == 0)
        wait_for_any(&printed, &ended);
    if (over > 0) {
        poll(&printed, 1, 0);
        return !(printed.revents & POLLIN) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    kill(run, SIGKILL);
    close(*out); /* else it might wait until somebody reads */
    *out = -1;
    while (waitpid(run, &status, 0) < 0 && errno == EINTR)
        ;
    return false;
}

bool runs_fork(struct listed_run *run)
{
    int printed[2];
    double start = now();
    pid_t parent = getpid();
    const struct ends *ends = hear_of_ends();
    run->begun = true;
    if (ends->fd < 0 || pipe2(printed, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        close(printed[0]);
        become(run, parent, printed[1], ends);
        return true;
    }
    close(printed[1]);
    if (child > 0 && has_ended_well(child, &printed[0], ends->fd)) {
        printf("%s %.6f\n", run->number, now() - start);
        fflush(stdout);
    }
    if (printed[0] >= 0)
        close(printed[0]);
    return false;
}
