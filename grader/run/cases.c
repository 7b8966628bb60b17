/**
 * @file cases.c
 * The order of runs; see cases.h.
 */
#include "run/cases.h"

#include <stdlib.h>
#include <string.h>

#include "run/command.h"
#include "run/originals.h"

#define ENDLESS_ENOUGH 2 /* cases of a part that did not end: the later ones of the part are not waited for */

enum run_state { RUN_WAITING, RUN_STARTED, RUN_ENDED };

struct run {
    struct child child, device; /**< the device's process, in a host-code lab */
    struct command command;
    struct sandboxed box, device_box;
    struct plan *plan;
    struct run *reference; /**< whose result is expected of this one; NULL: none */
    bool is_reference;
    unsigned repetition;
    int number;
    enum run_state state;
};

/** One case's runs: for each repetition the reference, then the student's kernel; of a case with places, the
 *  lab's original alone. */
struct plan {
    const struct spec_case *spec;
    struct record_case *record;
    const struct spec_part *part;
    struct run *runs;
    int count, next_to_judge;
    bool ready;   /**< its turn has come: what it needs is met */
    bool decided;
    bool endless; /**< it failed by the time limit or the step limit */
};

struct cases {
    const struct case_runner *runner;
    struct plan *plans;
    int count;
    struct child_feed references;
    bool going_on; /**< the student's file is compiled */
};

static const struct spec_part *part_of(const struct spec *s, const struct spec_case *c)
{
    const struct spec_part *part = s->parts;
    while (c < part->cases || c >= part->cases + part->cases_count)
        part++;
    return part;
}

static void make_plan(struct plan *p, int *number)
{
    int each = p->spec->places ? 1 : 2;
    p->runs = text_zalloc((size_t)each * p->spec->seeds, sizeof *p->runs);
    for (; p->count < each * (int)p->spec->seeds; p->count++) {
        struct run *run = &p->runs[p->count];
        run->plan = p;
        run->is_reference = each == 2 && p->count % 2 == 0;
        run->reference = p->count % each ? run - 1 : NULL;
        run->repetition = (unsigned)(p->count / each);
        run->number = (*number)++;
    }
}

/** The device in a process of its own, at the other end of a socket. */
static void add_device(struct run *run)
{
    struct command *c = &run->command;
    run->device = (struct child){.argv = c->device.argv,
                                 .env = c->device.env,
                                 .folder = c->device.folder,
                                 .limits = c->device.limits,
                                 .share_fd = {c->device.sockets[1], c->device.lifeline[0]},
                                 .lifeline = c->device.lifeline[1]};
    sandbox_enter(&run->device_box, &c->device.view, &run->device);
    run->child.share_fd[0] = c->device.sockets[0];
    run->child.companion = &run->device;
}

/** NULL: it has ended, for its end was kept. */
static struct child *start(struct cases *q, struct run *run)
{
    const struct spec_case *spec = run->plan->spec;
    uint64_t input = cases_input_seed(spec->places ? 0 : q->runner->seed, spec->name, run->repetition);
    struct command_choice choice = {.spec_case = spec, .reference = run->is_reference,
                                    .input_seed = input, .device_seed = text_mix(input),
                                    .number = run->number};
    command_make(&run->command, q->runner, &choice);
    if (spec->places && originals_take(q->runner, &run->command)) {
        run->state = RUN_ENDED;
        return NULL;
    }
    run->child = (struct child){.argv = run->command.argv,
                                .env = run->command.env,
                                .folder = run->command.files.folder,
                                .disk = run->command.files.folder,
                                .limits = run->command.limits};
    sandbox_enter(&run->box, &run->command.view, &run->child);
    if (run->command.device.argv)
        add_device(run);
    run->state = RUN_STARTED;
    return &run->child;
}

static bool has_reference(const struct run *run)
{
    return !run->reference || run->reference->state == RUN_ENDED;
}

/** May the plan's longest run begin before those of the cases that come first? Not before enough cases of its part have come to an end: in a loop that
 *  never ends the others are not run. */
static bool is_known_to_end(const struct cases *q, const struct plan *p)
{
    int ended = 0;
    for (const struct plan *first = q->plans; first < q->plans + q->count; first++)
        ended += first->part == p->part && first->decided && !first->endless;
    return ended >= ENDLESS_ENOUGH;
}

/** The first run of a part that may begin. */
static struct run *first_of_part(const struct cases *q, const struct plan *of)
{
    for (struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count && p->part == of->part && p->ready && !p->decided; n++)
            if (p->runs[n].state == RUN_WAITING && has_reference(&p->runs[n]))
                return &p->runs[n];
    return NULL;
}

/** Of the runs that may begin, that of the case whose reference took longest, so that no long one is left for the end; before enough cases of its part
 *  have come to an end, the first of that part. Where no reference's time is wanted, or known yet, the first of all. */
static struct run *longest(const struct cases *q, struct run *first)
{
    struct run *best = first;
    for (struct plan *p = q->plans; p < q->plans + q->count && !q->runner->is_over; p++)
        for (int n = 0; n < p->count && p->ready && !p->decided; n++) {
            struct run *run = &p->runs[n];
            if (run->state == RUN_WAITING && run->reference && has_reference(run) && best->reference && has_reference(best) &&
                run->reference->child.seconds > best->reference->child.seconds)
                best = run;
        }
    if (best == first || is_known_to_end(q, best->plan))
        return best;
    struct run *before = first_of_part(q, best->plan);
    return before ? before : first;
}

/** The reference's, or the lab's original's: nothing of it is the student's, so it need not wait for the compiler. */
static bool is_the_kits(const struct run *run)
{
    return run->is_reference || run->plan->spec->places;
}

/** The first run that waits. `ready`: of the cases whose turn has come; `kits`: of the kit's own code. */
static struct run *first_waiting(const struct cases *q, bool ready, bool kits)
{
    for (struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count && !p->decided && (p->ready || !ready); n++)
            if (p->runs[n].state == RUN_WAITING && (is_the_kits(&p->runs[n]) || !kits))
                return &p->runs[n];
    return NULL;
}

static bool is_any_open(const struct cases *q)
{
    bool open = false;
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        open |= p->ready && !p->decided;
    return open;
}

/** Has no case failed yet? */
static bool goes_well(const struct cases *q)
{
    bool well = true;
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        well &= !p->ready || !p->decided || p->record->state == STATE_OK || record_is_open(p->record);
    return well;
}

/** While the last of those whose turn has come run, others begin: the kit's own, then such as will be wanted if nothing fails. */
static struct run *choose(const struct cases *q)
{
    if (!q->going_on) /* while nvcc runs */
        return q->runner->build->has_kits ? first_waiting(q, false, true) : NULL;
    if (q->runner->is_over && q->runner->is_over(q->runner->ctx))
        return NULL;
    struct run *run = first_waiting(q, true, false);
    if (run)
        run = longest(q, run);
    else if (is_any_open(q))
        run = first_waiting(q, false, true);
    if (!run && is_any_open(q) && goes_well(q))
        run = first_waiting(q, false, false);
    return run;
}

static void release(struct run *run)
{
    if (run->command.files.folder)
        text_remove_tree(run->command.files.folder);
    if (run->command.device.folder)
        text_remove_tree(run->command.device.folder);
    child_clear(&run->device);
    command_free(&run->command);
    child_clear(&run->child);
}

/** Whether the run that decided a case was ended by a limit of time: the clock's, or softgpu's of steps. */
static bool did_not_end(const struct run *run, const struct record_case *c)
{
    bool stepped = false;
    for (int i = 0; i < c->findings_count; i++)
        stepped |= c->findings[i].kind == VERDICT_STEP_LIMIT;
    return c->state == STATE_FAIL && (stepped || run->child.end == CHILD_TIME_LIMIT);
}

/** Judges what can be judged now, in order, and drops what need not be. */
static void judge_ready(struct cases *q, struct plan *p)
{
    while (!p->decided && p->next_to_judge < p->count) {
        struct run *run = &p->runs[p->next_to_judge];
        if (run->state != RUN_ENDED)
            return;
        if (!run->is_reference) {
            const struct run *reference = run->reference ? run->reference : run;
            struct run_pair pair = {p->spec,
                                    p->record,
                                    &run->child,
                                    &reference->child,
                                    &run->command.files,
                                    &reference->command.files};
            p->decided = !q->runner->judge(q->runner->ctx, &pair);
            p->endless = p->decided && did_not_end(run, p->record);
        }
        p->next_to_judge++;
    }
    p->decided = true;
}

/** Runs of a decided case that are on their way need not be waited for. */
static void stop(struct plan *p)
{
    for (int n = 0; n < p->count; n++)
        if (p->runs[n].state == RUN_STARTED)
            p->runs[n].child.limits.seconds = p->runs[n].device.limits.seconds = 0;
}

/** What has become of the cases before `p` of its part: how many did not end, and of how many that is not known yet. */
static int endless_before(const struct cases *q, const struct plan *p, int *open)
{
    int endless = 0;
    *open = 0;
    for (const struct plan *before = q->plans; before < p; before++)
        if (before->part == p->part && before->ready) {
            endless += before->endless;
            *open += !before->decided;
        }
    return endless;
}

/** In the order of the cases, whichever has ended first: which are left out is the same however many run at a time. */
static void judge_all(struct cases *q)
{
    for (struct plan *p = q->plans; p < q->plans + q->count; p++) {
        int open, endless = endless_before(q, p, &open);
        if (p->decided || !p->ready)
            continue;
        if (endless >= ENDLESS_ENOUGH) {
            p->record->message = text_dup("not run: two cases before it did not end");
            p->decided = true;
        } else if (endless + open < ENDLESS_ENOUGH) {
            judge_ready(q, p);
        }
        if (p->decided)
            stop(p);
    }
}

/** The next wave, if all of the last is decided; after the last one nothing that runs is wanted. */
static void take_wave(struct cases *q)
{
    struct record_case *const *ready;
    for (int count; q->runner->wave && !is_any_open(q);) {
        count = q->runner->wave(q->runner->ctx, &ready);
        for (struct plan *p = q->plans; p < q->plans + q->count; p++) {
            for (int n = 0; n < count; n++)
                if (p->record == ready[n]) {
                    p->ready = true;
                    p->record->runs = (int)p->spec->seeds;
                }
            if (!count)
                stop(p);
        }
        if (!count)
            return;
        judge_all(q);
    }
}

/** Some run has ended. */
static void go_on(struct cases *q)
{
    judge_all(q);
    if (q->going_on)
        take_wave(q);
}

static struct child *next(void *ctx)
{
    struct cases *q = ctx;
    struct child *child = NULL;
    for (struct run *run; !child && (run = choose(q)) && !(child = start(q, run));)
        go_on(q);
    return child;
}

static void done(void *ctx, struct child *c)
{
    struct cases *q = ctx;
    struct run *run = (struct run *)c; /* its first member */
    run->state = RUN_ENDED;
    sandbox_leave(&run->box);
    sandbox_leave(&run->device_box);
    if (run->plan->spec->places)
        originals_give(q->runner, &run->command, c);
    go_on(q);
}

static void idle(void *ctx)
{
    const struct cases *q = ctx;
    int decided = 0;
    for (int i = 0; i < q->count; i++)
        decided += q->plans[i].ready && q->plans[i].decided;
    if (q->runner->progress)
        q->runner->progress(q->runner->ctx, decided, q->count);
}

struct cases *cases_open(const struct case_runner *r, const struct spec_case *const *specs,
                         struct record_case *const *records, int count)
{
    struct cases *q = text_zalloc(1, sizeof *q);
    int number = 0;
    *q = (struct cases){r, text_zalloc((size_t)count, sizeof *q->plans), count, {next, done, NULL, q}, false};
    for (int i = 0; i < count; i++) {
        q->plans[i].spec = specs[i];
        q->plans[i].record = records[i];
        q->plans[i].part = part_of(r->spec, specs[i]);
        make_plan(&q->plans[i], &number);
    }
    return q;
}

struct child_feed *cases_references(struct cases *q)
{
    return &q->references;
}

void cases_go_on(struct cases *q)
{
    q->going_on = true;
    for (struct plan *p = q->plans; p < q->plans + q->count && !q->runner->wave; p++) {
        p->ready = true;
        p->record->runs = (int)p->spec->seeds;
    }
    judge_all(q); /* what need not run */
    take_wave(q);
    struct child_feed feed = {next, done, idle, q};
    child_pool(&feed, q->runner->options->jobs);
    q->going_on = false;
}

void cases_close(struct cases *q)
{
    for (int i = 0; q && i < q->count; i++) {
        for (int n = 0; n < q->plans[i].count; n++)
            release(&q->plans[i].runs[n]);
        free(q->plans[i].runs);
    }
    if (q)
        free(q->plans);
    free(q);
}

void cases_run(const struct case_runner *r, const struct spec_case *const *specs,
               struct record_case *const *records, int count)
{
    struct cases *q = cases_open(r, specs, records, count);
    cases_go_on(q);
    cases_close(q);
}
