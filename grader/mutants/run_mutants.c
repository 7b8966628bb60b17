/**
 * @file run_mutants.c
 * Worker processes, each of which takes the next mutant; see run_mutants.h.
 *
 * Processes, not threads: running cases (sandbox/child.h) reaps every child of its process. Outcomes
 * come back through shared memory, so which worker took which mutant changes nothing.
 */
#include "mutants/run_mutants.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/cases.h"
#include "sandbox/child.h"
#include "sandbox/sandbox.h"
#include "score/judge.h"
#include "score/score.h"

#define MAX_WORKERS 64

static void *shared(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

struct outcome *run_mutants_outcomes(int count)
{
    return shared(((size_t)count + 1) * sizeof(struct outcome));
}

void run_mutants_release(struct outcome *outcomes, int count)
{
    munmap(outcomes, ((size_t)count + 1) * sizeof(struct outcome));
}

/** A case's judge. */
struct judging {
    struct judge judge;
    struct reach *reach; /**< where to note what the case launches; NULL: nowhere */
    int number;
};

static bool judge_only(void *ctx, const struct run_pair *pair)
{
    const struct judging *j = ctx;
    if (j->reach)
        reach_note(j->reach, j->number, pair->student_files->counters);
    return judge_pair(&j->judge, pair);
}

/** What case `number` says about the mutant. */
static void take_case(struct outcome *out, const struct record_case *c, unsigned number)
{
    if (out->state == OUTCOME_CAUGHT && c->state != STATE_FAIL)
        return;
    if (out->state == OUTCOME_NONE) {
        snprintf(out->case_name, sizeof out->case_name, "%s", c->name);
        out->verdict = c->verdict;
    }
    if (c->state == STATE_FAIL) {
        out->state = OUTCOME_CAUGHT;
        out->caught_by |= number < MUTANT_CASES ? 1ull << number : 0;
    }
    if (c->state == STATE_UNJUDGED) {
        out->state = OUTCOME_UNJUDGED;
        snprintf(out->message, sizeof out->message, "%s", c->message ? c->message : "");
    }
}

static bool decided(const struct outcome *out, const struct mutant_runs *r)
{
    return out->state == OUTCOME_UNJUDGED || (out->state == OUTCOME_CAUGHT && !r->every_case);
}

void run_mutant(struct outcome *out, const struct mutant_runs *r, const char *ptx, const char *function,
                const char *folder)
{
    struct build build = *r->build;
    struct options options = *r->options;
    struct judging judging = {.judge = {.spec = r->spec, .build = &build}, .reach = function ? NULL : r->reach};
    struct record *record = score_start(r->spec, r->lab);
    char *path = text_format("%s/mutant.ptx", folder);
    double start = text_now();
    const struct case_runner runner = {.spec = r->spec, .build = &build, .options = &options,
                                       .scratch = folder, .seed = r->seed, .judge = judge_only,
                                       .ctx = &judging};
    if (r->spec->code == SPEC_HOST)
        build.ptx = path;
    else
        build.student = path;
    options.jobs = 1;
    *out = (struct outcome){0};
    if (!text_make_dirs(folder) || !text_write_file(path, ptx, strlen(ptx))) {
        out->state = OUTCOME_UNJUDGED;
        snprintf(out->message, sizeof out->message, "cannot write to %s: %s", folder,
                 strerror(errno));
    }
    unsigned number = 0;
    for (unsigned p = 0; p < r->spec->parts_count; p++)
        for (unsigned i = 0; i < r->spec->parts[p].cases_count && !decided(out, r); i++, number++) {
            const struct spec_case *spec = &r->spec->parts[p].cases[i];
            struct record_case *c = &record->parts[p].cases[i];
            if (spec->places ||
                (options.only && strcmp(options.only, c->name) && strcmp(options.only, c->id)) ||
                (function && !reach_shows(r->reach, (int)number, function)))
                continue;
            judging.number = (int)number;
            cases_run(&runner, &spec, &c, 1);
            take_case(out, c, number);
        }
    if (!out->state)
        out->state = OUTCOME_SURVIVED;
    out->seconds = text_now() - start;
    record_free(record);
    free(path);
}

static void work(struct outcome *outcomes, const struct mutant_runs *r, const struct ptx_text *p,
                 const struct mutant_list *m, int worker, atomic_int *next)
{
    char *folder = text_format("%s/mutants%d", r->scratch, worker);
    for (int i; (i = atomic_fetch_add(next, 1)) < m->count;) {
        if (outcomes[i].seconds < 0)
            continue;
        char *ptx = mutant_text(p, &m->list[i]);
        int function = p->list[m->list[i].statement].function;
        run_mutant(&outcomes[i], r, ptx, function < 0 ? "" : p->functions[function], folder);
        free(ptx);
    }
    free(folder);
}

static void show_progress(const struct outcome *outcomes, int count, const char *lab)
{
    int done = 0, wanted = 0;
    for (int i = 0; i < count; i++) {
        wanted += outcomes[i].seconds >= 0;
        done += outcomes[i].state != OUTCOME_NONE;
    }
    fprintf(stderr, "\r%s  %d of %d mutants\033[K", lab, done, wanted);
}

void run_mutants(struct outcome *outcomes, const struct mutant_runs *r, const struct ptx_text *p,
                 const struct mutant_list *m)
{
    pid_t workers[MAX_WORKERS];
    atomic_int *next = shared(sizeof *next);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = r->options->jobs ? r->options->jobs : (int)cores, left = 0;
    pid_t parent = getpid();
    fflush(NULL);
    for (int i = 0; i < count && i < MAX_WORKERS; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            if (child_ends_with(parent))
                work(outcomes, r, p, m, i, next);
            _exit(0);
        }
        if (pid > 0)
            workers[left++] = pid;
    }
    if (!left)
        work(outcomes, r, p, m, 0, next);
    while (left > 0) {
        int i = left - 1;
        if (waitpid(workers[i], NULL, isatty(2) ? WNOHANG : 0) == 0) {
            show_progress(outcomes, m->count, r->lab);
            usleep(200000);
        } else if (errno != EINTR) {
            left--;
        }
        errno = 0;
    }
    if (isatty(2))
        fprintf(stderr, "\r\033[K");
    munmap(next, sizeof *next);
}
