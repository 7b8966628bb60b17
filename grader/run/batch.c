/**
 * @file batch.c
 * Lists of runs, and what has become of them; see batch.h.
 */
#include "run/batch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ARGS 8
#define LATE 16 /* runs that begin together while a student's do, for all processors: who waits for one waits for those before it */

struct batch {
    struct child child; /* its first member */
    struct batch *next;
    struct sandboxed box;
    struct sandbox_view view;
    struct run **runs;
    int count;
    char *folder, *list, *argv[MAX_ARGS], *env[MAX_ARGS];
    size_t seen; /**< of its output */
    int lifeline;
};

static bool may_join(const struct run *run)
{
    return run->state == RUN_WAITING && run->is_reference && !run->alone;
}

/** How many begin together. */
static int share_of(const struct cases *q)
{
    int jobs = q->runner->options->jobs, waiting = 0;
    if (q->going_on || jobs < 2)
        return LATE / (jobs > 1 ? jobs : 2);
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count; n++)
            waiting += may_join(&p->runs[n]);
    return (waiting + jobs - 2) / (jobs - 1); /* one runs nvcc */
}

static void put_word(struct text *list, const char *word)
{
    text_add(list, word, strlen(word) + 1);
}

static void put_run(struct batch *b, struct cases *q, struct text *list, struct run *run)
{
    struct command *c = &run->command;
    const struct command_choice choice = plan_run(q, run, b->folder);
    command_make(c, q->runner, &choice);
    char *number = text_format("%d", b->count);
    put_word(list, number);
    put_word(list, c->files.folder);
    for (int i = 0; c->argv[i]; i++)
        put_word(list, c->argv[i]);
    put_word(list, "");
    for (int i = 0; c->env[i]; i++)
        put_word(list, c->env[i]);
    put_word(list, "");
    free(number);
    struct child_limits *all = &b->child.limits, *its = &c->limits;
    double seconds = all->seconds + its->seconds;
    unsigned disk = all->disk_kib + its->disk_kib, output = all->output_kib + 1;
    if (!b->count || its->memory_mib > all->memory_mib)
        *all = *its;
    all->cpu_seconds = its->cpu_seconds > all->cpu_seconds ? its->cpu_seconds : all->cpu_seconds;
    all->file_kib = its->file_kib > all->file_kib ? its->file_kib : all->file_kib;
    all->seconds = seconds;
    all->disk_kib = disk;
    all->output_kib = output;
    b->runs[b->count++] = run;
    run->state = RUN_STARTED;
    run->child.end = CHILD_EXITED;
}

/** Chooses runs, `first` and others whose turn has come as its has, and puts them into the list. */
static void fill(struct batch *b, struct cases *q, struct run *first, int most)
{
    struct text list = {0};
    b->runs = text_zalloc((size_t)most, sizeof *b->runs);
    put_run(b, q, &list, first);
    for (struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count && b->count < most && !p->decided && (p->ready || !first->plan->ready); n++)
            if (may_join(&p->runs[n]))
                put_run(b, q, &list, &p->runs[n]);
    if (!text_write_file(b->list, list.data, list.len))
        abort();
    text_free(&list);
}

static void set_command(struct batch *b, const struct build *build, int until)
{
    const bool host = build->server != NULL;
    char *argv[MAX_ARGS] = {text_dup(host ? build->reference : build->harness), text_dup("--batch"), text_dup(b->list), text_dup("--until"),
                            text_format("%d", until)};
    char *env[MAX_ARGS] = {text_dup("PATH=/usr/bin:/bin"), text_dup("LC_ALL=C"), text_format("LD_LIBRARY_PATH=%s", build->own_library)};
    memcpy(b->argv, argv, sizeof argv);
    memcpy(b->env, env, sizeof env);
    b->view = (struct sandbox_view){.read = {build->reference, build->own_library, b->list, host ? NULL : build->harness},
                                    .write = {b->folder}, .own = true};
}

struct child *batch_start(struct cases *q, struct run *first)
{
    int most = share_of(q), until[2];
    if (!may_join(first) || most < 2 || q->runner->gpu || q->runner->is_over || pipe2(until, O_CLOEXEC))
        return NULL;
    struct batch *b = text_zalloc(1, sizeof *b);
    b->folder = text_format("%s/references%d", q->runner->scratch, first->number);
    b->list = text_format("%s.list", b->folder);
    b->lifeline = until[1];
    fill(b, q, first, most);
    set_command(b, q->runner->build, until[0]);
    b->child.argv = b->argv;
    b->child.env = b->env;
    b->child.folder = b->child.disk = b->folder;
    b->child.share_fd[0] = until[0];
    sandbox_enter(&b->box, &b->view, &b->child);
    b->next = q->batches;
    q->batches = b;
    return &b->child;
}

/** A line of its output, for each run that has ended well. */
static bool look(struct batch *b)
{
    bool any = false;
    for (const char *line; (line = text_str(&b->child.out) + b->seen) && strchr(line, '\n'); b->seen += strcspn(line, "\n") + 1) {
        char *end;
        long number = strtol(line, &end, 10);
        if (end == line || number < 0 || number >= b->count || b->runs[number]->state != RUN_STARTED)
            continue;
        b->runs[number]->state = RUN_ENDED;
        b->runs[number]->child.seconds = strtod(end, NULL);
        any = true;
    }
    return any;
}

bool batches_look(struct cases *q)
{
    bool any = false;
    for (struct batch *b = q->batches; b; b = b->next)
        any |= look(b);
    return any;
}

static void stop(struct batch *b)
{
    if (b->lifeline > 2)
        close(b->lifeline);
    b->lifeline = -1;
}

void batches_stop(struct cases *q)
{
    for (struct batch *b = q->batches; b; b = b->next)
        stop(b);
}

void batches_end(struct cases *q)
{
    for (struct batch *b = q->batches; b; b = b->next)
        b->child.limits.seconds = 0;
}

/** Those that follow the last that ended well have not begun, if it was stopped; all others of which it says nothing are made by themselves. */
static void give_back(struct batch *b)
{
    bool stopped = b->lifeline < 0 && b->child.end == CHILD_EXITED && b->child.code == 0;
    int begun = b->count;
    while (stopped && begun > 0 && b->runs[begun - 1]->state == RUN_STARTED)
        begun--;
    for (int i = 0; i < b->count; i++)
        if (b->runs[i]->state == RUN_STARTED) {
            command_free(&b->runs[i]->command);
            b->runs[i]->state = RUN_WAITING;
            b->runs[i]->alone = i < begun;
        }
}

bool batch_done(struct cases *q, const struct child *c)
{
    struct batch **at = &q->batches;
    while (*at && &(*at)->child != c)
        at = &(*at)->next;
    struct batch *b = *at;
    if (!b)
        return false;
    *at = b->next;
    look(b);
    give_back(b);
    stop(b);
    sandbox_leave(&b->box);
    child_clear(&b->child);
    for (int i = 0; i < MAX_ARGS; i++) {
        free(b->argv[i]);
        free(b->env[i]);
    }
    free(b->folder);
    free(b->list);
    free(b->runs);
    free(b);
    return true;
}
