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
#define FEW_PAIRS 4 /* so many at least where there are: what is saved is a sandbox a run, what the others wait for is some runs */
#define MOST_PAIRS 8
#define SHORT 0.05         /* seconds of a run's reference */
#define PAIRS_SECONDS 3    /* for all of a batch: whoever takes longer is run by itself, with its own limit */
#define LATE 16 /* runs that begin together while a student's do, for all processors: who waits for one waits for those before it */

/** One process that forks for each run. */
struct forker {
    struct sandboxed box;
    struct sandbox_view view;
    char *folder, *list, *argv[MAX_ARGS], *env[MAX_ARGS];
};

struct batch {
    struct child child; /* its first member */
    struct child device;
    struct batch *next;
    struct forker program, devices; /**< the latter of pairs only */
    bool pairs; /**< of the student's program and its device */
    struct run **runs;
    int count;
    size_t seen; /**< of its output */
    int lifeline;
};

/** Of a student's host code: a run that will not take long, as far as one can tell. Of one that does not end all others of its batch would have to be
 *  made again. */
static bool is_short(const struct cases *q, const struct run *run)
{
    const struct run *reference = run->reference;
    return q->runner->build->server && reference && reference->state == RUN_ENDED && reference->child.seconds < SHORT &&
           plan_is_known_to_end(q, run->plan);
}

/** Of one sort with `first`, and due as it is? */
static bool may_join(const struct cases *q, const struct run *run, const struct run *first)
{
    return run->state == RUN_WAITING && !run->alone && run->is_reference == first->is_reference && (run->plan->ready || !first->plan->ready) &&
           !run->plan->decided && (run->is_reference || is_short(q, run));
}

static int count_waiting(const struct cases *q, const struct run *first)
{
    int waiting = 0;
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count; n++)
            waiting += may_join(q, &p->runs[n], first);
    return waiting;
}

/** How many begin together. */
static int share_of(const struct cases *q, const struct run *first)
{
    int jobs = q->runner->options->jobs;
    if (!first->is_reference) {
        int each = (count_waiting(q, first) + jobs - 1) / jobs;
        return each < FEW_PAIRS ? FEW_PAIRS : each < MOST_PAIRS ? each : MOST_PAIRS;
    }
    if (q->going_on || jobs < 2)
        return LATE / (jobs > 1 ? jobs : 2);
    return (count_waiting(q, first) + jobs - 2) / (jobs - 1); /* one runs nvcc */
}

static void put_word(struct text *list, const char *word)
{
    text_add(list, word, strlen(word) + 1);
}

static void put_words(struct text *list, char *const *words)
{
    for (; *words; words++)
        put_word(list, *words);
}

/** Limits of all from those of one more. */
static void add_limits(struct child_limits *all, const struct child_limits *its, bool first)
{
    double seconds = all->seconds + its->seconds;
    unsigned disk = all->disk_kib + its->disk_kib, output = all->output_kib + 1;
    unsigned cpu = all->cpu_seconds > its->cpu_seconds ? all->cpu_seconds : its->cpu_seconds;
    unsigned file = all->file_kib > its->file_kib ? all->file_kib : its->file_kib;
    if (first || its->memory_mib > all->memory_mib)
        *all = *its;
    all->cpu_seconds = cpu;
    all->file_kib = file;
    all->seconds = seconds;
    all->disk_kib = disk;
    all->output_kib = output;
}

/** @param argv  NULL: not in this sort of list */
static void put_entry(struct text *list, int number, const char *folder, char *const *argv, char *const *env)
{
    char *word = text_format("%d", number);
    put_word(list, word);
    put_word(list, folder);
    if (argv) {
        put_words(list, argv);
        put_word(list, "");
    }
    put_words(list, env);
    put_word(list, "");
    free(word);
}

static void put_arguments(const struct command *c)
{
    struct text words = {0};
    char *path = text_format("%s/arguments", c->files.folder);
    put_words(&words, c->argv);
    if (!text_write_file(path, words.data, words.len))
        abort();
    text_free(&words);
    free(path);
}

static void put_run(struct batch *b, struct cases *q, struct text *list, struct text *devices, struct run *run)
{
    struct command *c = &run->command;
    struct command_choice choice = plan_run(q, run, b->program.folder);
    choice.devices = b->devices.folder;
    command_make(c, q->runner, &choice);
    put_entry(list, b->count, c->files.folder, b->pairs ? NULL : c->argv, c->env);
    if (b->pairs) {
        put_entry(devices, b->count, c->device.folder, NULL, c->device.env);
        put_arguments(c);
        add_limits(&b->device.limits, &c->device.limits, !b->count);
    }
    add_limits(&b->child.limits, &c->limits, !b->count);
    b->runs[b->count++] = run;
    run->state = RUN_STARTED;
    run->child.end = CHILD_EXITED;
}

/** Chooses runs, `first` and others whose turn has come as its has, and puts them into the list. */
static void fill(struct batch *b, struct cases *q, struct run *first, int most)
{
    struct text list = {0}, devices = {0};
    b->runs = text_zalloc((size_t)most, sizeof *b->runs);
    put_run(b, q, &list, &devices, first);
    for (struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count && b->count < most; n++)
            if (may_join(q, &p->runs[n], first))
                put_run(b, q, &list, &devices, &p->runs[n]);
    if (!text_write_file(b->program.list, list.data, list.len) ||
        (b->pairs && !text_write_file(b->devices.list, devices.data, devices.len)))
        abort();
    text_free(&list);
    text_free(&devices);
}

static void set_words(struct forker *f, char *const argv[MAX_ARGS], char *const env[MAX_ARGS])
{
    memcpy(f->argv, argv, sizeof f->argv);
    memcpy(f->env, env, sizeof f->env);
}

static void set_references(struct batch *b, const struct build *build, int until)
{
    const bool host = build->server != NULL;
    char *argv[MAX_ARGS] = {text_dup(host ? build->reference : build->harness), text_dup("--batch"), text_dup(b->program.list), text_dup("--until"),
                            text_format("%d", until)};
    char *env[MAX_ARGS] = {text_dup("PATH=/usr/bin:/bin"), text_dup("LC_ALL=C"), text_format("LD_LIBRARY_PATH=%s", build->own_library)};
    set_words(&b->program, argv, env);
    b->program.view = (struct sandbox_view){.read = {build->reference, build->own_library, b->program.list, host ? NULL : build->harness},
                                            .write = {b->program.folder}, .own = true};
    b->child.share_fd[0] = until;
}

/** The student's program, and the process that plays the devices of all its runs. */
static void set_pairs(struct batch *b, const struct build *build, const int sockets[2], const int lifeline[2])
{
    char *argv[MAX_ARGS] = {text_dup(build->student), text_dup("--arguments-of-folder")};
    char *env[MAX_ARGS] = {text_dup("PATH=/usr/bin:/bin"), text_dup("LC_ALL=C"), text_format("LD_LIBRARY_PATH=%s", build->library),
                           text_format("SOFTGPU_RUNS=%s", b->program.list), text_format("SOFTGPU_REMOTE=%d", sockets[0])};
    char *device_argv[MAX_ARGS] = {text_dup(build->server), text_dup("--serve"), text_format("%d,%d", sockets[1], lifeline[0]), text_dup("--runs"),
                                   text_dup(b->devices.list), text_dup(build->student)};
    char *device_env[MAX_ARGS] = {text_dup("PATH=/usr/bin:/bin"), text_dup("LC_ALL=C"), text_dup("SOFTGPU_CACHE=off")};
    set_words(&b->program, argv, env);
    set_words(&b->devices, device_argv, device_env);
    b->program.view = (struct sandbox_view){.read = {build->student, build->library, b->program.list}, .write = {b->program.folder}, .untrusted = true};
    b->devices.view = (struct sandbox_view){.read = {build->server, build->student, b->devices.list, build->ptx}, .write = {b->devices.folder}};
    b->child.share_fd[0] = sockets[0];
    b->device.share_fd[0] = sockets[1];
    b->device.share_fd[1] = lifeline[0];
    b->device.lifeline = lifeline[1];
    b->child.limits.seconds = PAIRS_SECONDS;
    b->device.limits.seconds = 2 * PAIRS_SECONDS;
    b->child.companion = &b->device;
}

static void enter(struct forker *f, struct child *c)
{
    c->argv = f->argv;
    c->env = f->env;
    c->folder = f->folder;
    sandbox_enter(&f->box, &f->view, c);
}

static void leave(struct forker *f, struct child *c)
{
    sandbox_leave(&f->box);
    child_clear(c);
    for (int i = 0; i < MAX_ARGS; i++) {
        free(f->argv[i]);
        free(f->env[i]);
    }
    free(f->folder);
    free(f->list);
}

struct child *batch_start(struct cases *q, struct run *first)
{
    const struct build *build = q->runner->build;
    bool references = first->is_reference;
    int most = share_of(q, first), until[2], sockets[2];
    if (!may_join(q, first, first) || most < 2 || q->runner->gpu || q->runner->is_over)
        return NULL;
    if (references ? pipe2(until, O_CLOEXEC) != 0 : !command_connect(sockets, until))
        return NULL;
    struct batch *b = text_zalloc(1, sizeof *b);
    b->pairs = !references;
    b->program.folder = text_format("%s/%s%d", q->runner->scratch, references ? "references" : "together", first->number);
    b->program.list = text_format("%s.list", b->program.folder);
    if (b->pairs) {
        b->devices.folder = text_format("%s.devices", b->program.folder);
        b->devices.list = text_format("%s.list", b->devices.folder);
    }
    fill(b, q, first, most);
    if (b->pairs) {
        set_pairs(b, build, sockets, until);
        enter(&b->devices, &b->device);
    } else {
        b->lifeline = until[1];
        set_references(b, build, until[0]);
    }
    enter(&b->program, &b->child);
    b->child.disk = b->program.folder;
    b->next = q->batches;
    q->batches = b;
    return &b->child;
}

/** Has the run's device told, too, that it has ended well? */
static bool has_ended(const struct batch *b, long number)
{
    const char *line = text_str(&b->device.out);
    for (; line && strchr(line, '\n'); line = strchr(line, '\n') + 1)
        if (strtol(line, NULL, 10) == number)
            return true;
    return !b->pairs;
}

/** A line of its output, for each run that has ended well. */
static bool look(struct batch *b)
{
    bool any = false;
    for (const char *line; (line = text_str(&b->child.out) + b->seen) && strchr(line, '\n'); b->seen += strcspn(line, "\n") + 1) {
        char *end;
        long number = strtol(line, &end, 10);
        if (end == line || number < 0 || number >= b->count || b->runs[number]->state != RUN_STARTED || !has_ended(b, number))
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
        any |= !b->pairs && look(b); /* what a student's run has left is looked at once nothing of it can act any more */
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
        b->child.limits.seconds = b->device.limits.seconds = 0;
}

/** Those that follow the last that ended well have not begun, if it was stopped; all others of which it says nothing are made by themselves. */
static void give_back(struct batch *b)
{
    bool stopped = !b->pairs && b->lifeline < 0 && b->child.end == CHILD_EXITED && b->child.code == 0;
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
    leave(&b->program, &b->child);
    leave(&b->devices, &b->device);
    free(b->runs);
    free(b);
    return true;
}
