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
#include <sys/stat.h>
#include <sys/syscall.h>
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
    char *at = read_words(path, &bytes), *end = at + bytes;
    r->count = 0;
    while (at && at < end) {
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

/** In a run's process. */
static void become(const struct listed_run *run, pid_t parent, int printed)
{
    bool ok = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && dup2(printed, 1) == 1 && dup2(printed, 2) == 2 &&
              chdir(run->folder) == 0;
    for (char **e = run->environment; ok && *e; e++)
        ok = putenv(*e) == 0;
    if (!ok)
        _exit(1);
    if (printed > 2)
        close(printed);
}

/** Waits until the run has ended, or has printed something: then it is ended, for what it prints belongs to nobody here. */
static bool has_ended_well(pid_t run, int printed)
{
    int status = 0, ended = (int)syscall(SYS_pidfd_open, run, 0);
    struct pollfd fds[2] = {{ended, POLLIN, 0}, {printed, POLLIN, 0}};
    while (ended >= 0 && !(fds[0].revents & POLLIN) && !(fds[1].revents & POLLIN)) {
        if (fds[1].revents)
            fds[1].fd = -1; /* closed by all who had it */
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
    }
    bool by_itself = fds[0].revents & POLLIN && poll(&fds[1], fds[1].fd >= 0, 0) >= 0 && !(fds[1].revents & POLLIN);
    if (!by_itself)
        kill(run, SIGKILL);
    if (ended >= 0)
        close(ended);
    while (waitpid(run, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return by_itself && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool runs_fork(struct listed_run *run)
{
    int printed[2];
    double start = now();
    pid_t parent = getpid();
    run->begun = true;
    if (pipe2(printed, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        close(printed[0]);
        become(run, parent, printed[1]);
        return true;
    }
    close(printed[1]);
    if (child > 0 && has_ended_well(child, printed[0])) {
        printf("%s %.6f\n", run->number, now() - start);
        fflush(stdout);
    }
    close(printed[0]);
    return false;
}
