/**
 * @file cases.c
 * The order of runs; see cases.h.
 */
#include "run/cases.h"

#include <stdlib.h>
#include <string.h>

#include "run/batch.h"
#include "run/originals.h"

#define FEW_RUNS 16

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
    struct child *together = batch_start(q, run);
    if (together)
        return together;
    const struct command_choice choice = plan_run(q, run, NULL);
    command_make(&run->command, q->runner, &choice);
    if (run->plan->spec->places && originals_take(q->runner, &run->command)) {
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
    for (int count; q->runner->wave && !plan_is_any_open(q);) {
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
            batches_end(q);
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
    if (batches_look(q))
        go_on(q);
    for (struct run *run; !child && (run = plan_choose(q)) && !(child = start(q, run));)
        go_on(q);
    return child;
}

static void done(void *ctx, struct child *c)
{
    struct cases *q = ctx;
    if (batch_done(q, c)) {
        go_on(q);
        return;
    }
    struct run *run = (struct run *)c; /* its first member */
    run->state = RUN_ENDED;
    sandbox_leave(&run->box);
    sandbox_leave(&run->device_box);
    if (run->plan->spec->places)
        originals_give(q->runner, &run->command, c);
    go_on(q);
}

/** nvcc, or what comes behind it, has ended. */
static void main_done(void *ctx)
{
    batches_stop(ctx);
}

static void idle(void *ctx)
{
    struct cases *q = ctx;
    int decided = 0;
    if (batches_look(q))
        go_on(q);
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
    *q = (struct cases){r, text_zalloc((size_t)count, sizeof *q->plans), count, {.next = next, .done = done, .main_done = main_done, .ctx = q}, NULL, false};
    for (int i = 0; i < count; i++) {
        q->plans[i].spec = specs[i];
        q->plans[i].record = records[i];
        q->plans[i].part = part_of(r->spec, specs[i]);
        make_plan(&q->plans[i], &number);
    }
    return q;
}

/** Do the references' runs wait until nvcc's two passes have ended? On two processors these fill both, and behind them one is idle while the host's compiler
 *  runs: a few runs are made in that time. */
static bool have_time_later(const struct cases *q)
{
    int runs = 0;
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        runs += (int)p->spec->seeds;
    return q->runner->spec->code == SPEC_HOST && q->runner->options->jobs == 2 && runs <= FEW_RUNS;
}

struct child_feed *cases_references(struct cases *q)
{
    q->references.patient = have_time_later(q);
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
    struct child_feed feed = {.next = next, .done = done, .idle = idle, .ctx = q};
    bool pairs = q->runner->build->server && !q->runner->gpu; /* who waits for the other, for a sandbox or in a sleep uses no processor */
    child_pool(&feed, q->runner->options->jobs + (pairs ? q->runner->options->more_pairs : 0));
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
