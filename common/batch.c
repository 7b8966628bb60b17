/**
 * @file batch.c
 * Reading the list of runs, and forking; see batch.h.
 */
#include "batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "harness.h"

#define MAX_LIST (16l << 20)
#define MAX_WORDS 256

struct list {
    char *next, *end;
};

static struct list read_list(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = harness_malloc(MAX_LIST + 1);
    size_t bytes = f ? fread(text, 1, MAX_LIST, f) : 0;
    if (!f || !bytes || text[bytes - 1])
        harness_usage("%s is no list of runs", path);
    fclose(f);
    return (struct list){text, text + bytes};
}

static char *take_word(struct list *l)
{
    char *word = l->next;
    if (word >= l->end)
        harness_usage("the list of runs has no end");
    l->next += strlen(word) + 1;
    return word;
}

/** Words up to an empty one. */
static int take_words(struct list *l, char **words)
{
    int count = 0;
    while (*(words[count] = take_word(l)))
        if (++count == MAX_WORDS)
            harness_usage("a run has too many words");
    words[count] = NULL;
    return count;
}

void batch_take_arguments(int *argc, char ***argv)
{
    static char *words[MAX_WORDS + 1];
    if (*argc != 2 || strcmp((*argv)[1], BATCH_ARGUMENTS))
        return;
    struct list list = read_list("arguments");
    for (*argc = 0; list.next < list.end;) {
        if (*argc == MAX_WORDS)
            harness_usage("a run has too many words");
        words[(*argc)++] = take_word(&list);
    }
    *argv = words;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/** In a run's process. What it prints is nobody's: whoever fails is run again by itself. */
static void become(const char *folder, char **environment, pid_t parent)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    bool ok = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && null >= 0 &&
              dup2(null, 1) == 1 && dup2(null, 2) == 2 && chdir(folder) == 0;
    for (; ok && *environment; environment++)
        ok = putenv(*environment) == 0;
    if (!ok)
        _exit(HARNESS_USAGE);
}

static bool has_ended_well(pid_t run)
{
    int status;
    while (waitpid(run, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == HARNESS_OK;
}

void batch_begin(int *argc, char ***argv)
{
    static char *words[MAX_WORDS + 1], *environment[MAX_WORDS + 1];
    if (*argc != 5 || strcmp((*argv)[1], "--batch") || strcmp((*argv)[3], "--until"))
        return;
    struct list list = read_list((*argv)[2]);
    struct pollfd until = {atoi((*argv)[4]), 0, 0};
    pid_t parent = getpid();
    while (list.next < list.end && poll(&until, 1, 0) == 0) {
        char *number = take_word(&list), *folder = take_word(&list);
        int count = take_words(&list, words);
        take_words(&list, environment);
        double start = now();
        pid_t run = fork();
        if (run == 0) {
            become(folder, environment, parent);
            *argc = count;
            *argv = words;
            return;
        }
        if (run > 0 && has_ended_well(run)) {
            printf("%s %.6f\n", number, now() - start);
            fflush(stdout);
        }
    }
    _exit(HARNESS_OK);
}
