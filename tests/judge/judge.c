/**
 * @file judge.c
 * The pair suite: runs every case of the given .cu files over several seeds, children side by side,
 * prints what differs from the case line, and a closing line 'N passed, N failed'.
 *
 *   judge [-s SEEDS] [-k SCHEDULES] [-f FILTER] [-j JOBS] PTX_FOLDER FILE.cu…
 *   judge --launch PTX FILE.cu CASE        (what the children do)
 *
 * PTX_FOLDER holds NAME.ptx for each NAME.cu. FILTER picks cases whose name or file contains it.
 */
#include <assert.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"

#define CHILD_SECONDS 60
#define MAX_JOBS 64
#define PROBLEM_BYTES 2048

struct settings {
    int first, seeds, schedules, jobs;
    const char *filter, *folder;
};

/** A case's state over all its seeds. */
struct outcome {
    int failures, first_seed;
    char problem[PROBLEM_BYTES];  /**< of the first seed that failed */
};

/** One running child. */
struct child {
    pid_t pid;
    int which, seed;
};

static void name_file(const struct settings *s, char *out, size_t size, int slot, const char *end)
{
    snprintf(out, size, "%s/job%d.%s", s->folder, slot, end);
}

static void set_number(const char *variable, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(variable, text, 1);
}

/** In the child: becomes `judge --launch`. */
static void become_launch(const struct settings *s, const struct judge_case *c, int seed, int slot)
{
    char json[512], log[512], ptx[512], *copy = strdup(c->file);
    assert(copy);
    char *base = basename(copy);
    snprintf(ptx, sizeof ptx, "%s/%.*s.ptx", s->folder, (int)strcspn(base, "."), base);
    name_file(s, json, sizeof json, slot, "json");
    name_file(s, log, sizeof log, slot, "log");
    setenv("SOFTGPU_CHECK", "all", 1);
    setenv("SOFTGPU_JSON", json, 1);
    set_number("SOFTGPU_SEED", seed);
    set_number("SOFTGPU_SCHEDULES", c->schedules ? c->schedules : s->schedules);
    if (!freopen(log, "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(2);
    rlim_t seconds = getenv("SANITIZED") ? 10 * CHILD_SECONDS : CHILD_SECONDS; /* as all limits there (sanitize.sh) */
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds}); /* a busy machine gives it less */
    alarm(10 * (unsigned)seconds);
    execl("/proc/self/exe", "judge", "--launch", ptx, c->file, c->name, (char *)NULL);
    _exit(2);
}

static void start(const struct settings *s, const struct judge_case *c, struct child *child,
                  int slot)
{
    char json[512];
    name_file(s, json, sizeof json, slot, "json");
    unlink(json);
    fflush(stdout);
    child->pid = fork();
    assert(child->pid >= 0);
    if (child->pid == 0)
        become_launch(s, c, child->seed, slot);
}

/** Adds the first lines of what the child printed. */
static void add_log(const struct settings *s, int slot, char *out, size_t size)
{
    char path[512], text[256];
    name_file(s, path, sizeof path, slot, "log");
    FILE *f = fopen(path, "r");
    for (int i = 0; f && i < 4 && fgets(text, sizeof text, f); i++) {
        size_t used = strlen(out);
        if (used < size)
            snprintf(out + used, size - used, "    it said: %.*s\n", (int)strcspn(text, "\n"), text);
    }
    if (f)
        fclose(f);
}

static void finish(const struct settings *s, const struct judge_case *c, const struct child *child,
                   int slot, int status, struct outcome *o)
{
    char json[512], problem[PROBLEM_BYTES];
    int launched = WIFEXITED(status) && WEXITSTATUS(status) <= 2 ? WEXITSTATUS(status) : -1;
    name_file(s, json, sizeof json, slot, "json");
    if (compare_findings(c, json, launched, problem, sizeof problem))
        return;
    add_log(s, slot, problem, sizeof problem);
    if (!o->failures++) {
        o->first_seed = child->seed;
        memcpy(o->problem, problem, sizeof problem);
    }
}

/** Waits for one child, and takes note of it. @return its slot */
static int reap(const struct settings *s, const struct judge_case *cases, struct child *children,
                struct outcome *outcomes)
{
    for (;;) {
        int status;
        pid_t pid = wait(&status);
        assert(pid > 0);
        for (int i = 0; i < s->jobs; i++) {
            if (children[i].pid != pid)
                continue;
            finish(s, &cases[children[i].which], &children[i], i, status,
                   &outcomes[children[i].which]);
            children[i].pid = 0;
            return i;
        }
    }
}

static bool wanted(const struct settings *s, const struct judge_case *c)
{
    return !s->filter || strstr(c->name, s->filter) || strstr(c->file, s->filter);
}

static void run_all(const struct settings *s, const struct judge_case *cases, int count,
                    struct outcome *outcomes)
{
    struct child children[MAX_JOBS] = {0};
    int running = 0;
    for (int i = 0; i < count; i++) {
        for (int seed = s->first; wanted(s, &cases[i]) && seed < s->first + s->seeds; seed++) {
            int slot = 0;
            if (running == s->jobs) {
                slot = reap(s, cases, children, outcomes);
                running--;
            }
            while (children[slot].pid)
                slot++;
            children[slot] = (struct child){.which = i, .seed = seed};
            start(s, &cases[i], &children[slot], slot);
            running++;
        }
    }
    for (; running; running--)
        reap(s, cases, children, outcomes);
}

static int report(const struct settings *s, const struct judge_case *cases, int count,
                  const struct outcome *outcomes)
{
    int passed = 0, failed = 0;
    for (int i = 0; i < count; i++) {
        if (!wanted(s, &cases[i]))
            continue;
        if (!outcomes[i].failures) {
            passed++;
            continue;
        }
        failed++;
        printf("%s:%d: %s: wrong with %d of %d seeds, first with seed %d\n%s", cases[i].file,
               cases[i].line, cases[i].name, outcomes[i].failures, s->seeds,
               outcomes[i].first_seed, outcomes[i].problem);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}

static int launch_main(const char *ptx, const char *file, const char *name)
{
    struct judge_case *cases = NULL;
    int count = 0;
    if (cases_read(file, &cases, &count) != 0)
        return 2;
    int status = 2;
    for (int i = 0; i < count; i++)
        if (!strcmp(cases[i].name, name))
            status = launch_case(ptx, &cases[i]);
    free(cases);
    return status;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: judge [-b FIRST_SEED] [-s SEEDS] [-k SCHEDULES] [-f FILTER] [-j JOBS] PTX_FOLDER "
            "FILE.cu...\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct settings s = {
        .first = 1, .seeds = 3, .schedules = 6, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    struct judge_case *cases = NULL;
    int count = 0, option;
    if (argc == 5 && !strcmp(argv[1], "--launch"))
        return launch_main(argv[2], argv[3], argv[4]);
    while ((option = getopt(argc, argv, "b:s:k:f:j:")) != -1) {
        switch (option) {
        case 'b': s.first = atoi(optarg); break;
        case 's': s.seeds = atoi(optarg); break;
        case 'k': s.schedules = atoi(optarg); break;
        case 'f': s.filter = *optarg ? optarg : NULL; break;
        case 'j': s.jobs = atoi(optarg); break;
        default: return usage();
        }
    }
    if (optind + 2 > argc || s.seeds < 1 || s.schedules < 1 || s.jobs < 1)
        return usage();
    if (s.jobs > MAX_JOBS)
        s.jobs = MAX_JOBS;
    s.folder = argv[optind];
    for (int i = optind + 1; i < argc; i++)
        if (cases_read(argv[i], &cases, &count) != 0)
            return 2;
    struct outcome *outcomes = calloc((size_t)count + 1, sizeof *outcomes);
    assert(outcomes);
    run_all(&s, cases, count, outcomes);
    int status = report(&s, cases, count, outcomes);
    free(outcomes);
    free(cases);
    return status;
}
