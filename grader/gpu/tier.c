/**
 * @file tier.c
 * See tier.h.
 */
#include "gpu/tier.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "gpu/timing.h"
#include "score/judge.h"
#include "score/score.h"

#define MAX_CASES (26 * 64)
#define PARALLEL 4 /* runs for results alone; what is timed has the GPU to itself */

struct tier {
    struct case_runner runner;
    struct judge judge;
    struct record *record;
};

static bool judge_result(void *ctx, const struct run_pair *pair)
{
    struct tier *t = ctx;
    struct gpu_about about;
    if (!t->record->gpu && gpu_read_about(&about, pair->reference_files->about)) {
        t->record->gpu =
            text_format("%s%s", t->runner.gpu->stand_in ? "stand-in: " : "", about.name);
        free(about.name);
        t->record->gpu_reaches_host = about.host_reachable;
    }
    return judge_pair(&t->judge, pair);
}

/** What the shadow, a record of the GPU's runs alone, says about a case. */
static void take(struct record_case *c, struct record_case *shadow)
{
    bool passed = record_is_open(shadow); /* no run of it failed */
    c->gpu = passed ? STATE_OK : shadow->state;
    c->gpu_verdict = shadow->verdict;
    c->gpu_seconds = shadow->seconds;
    c->gpu_message = shadow->message;
    shadow->message = NULL;
}

/** All cases; after the first, only if the GPU could run that one. */
static void run_cases(struct tier *t)
{
    const struct spec_case *specs[MAX_CASES];
    struct record_case *mine[MAX_CASES], *shadows[MAX_CASES];
    struct record *shadow = score_start(t->runner.spec, t->record->folder);
    int count = 0;
    for (int p = 0; p < t->record->parts_count; p++)
        for (int i = 0; i < t->record->parts[p].cases_count; i++)
            if (t->record->parts[p].cases[i].state != STATE_NOT_TRIED &&
                !t->runner.spec->parts[p].cases[i].places) {
                specs[count] = &t->runner.spec->parts[p].cases[i];
                shadows[count] = &shadow->parts[p].cases[i];
                mine[count++] = &t->record->parts[p].cases[i];
            }
    cases_run(&t->runner, specs, shadows, count ? 1 : 0);
    if (count && shadows[0]->state == STATE_UNJUDGED) {
        t->record->gpu_message = text_dup(shadows[0]->message);
        count = 0;
    } else if (count > 1) {
        cases_run(&t->runner, specs + 1, shadows + 1, count - 1);
    }
    for (int i = 0; i < count; i++)
        take(mine[i], shadows[i]);
    record_free(shadow);
}

static void describe(struct record_performance *q, const struct spec_performance *p,
                     const struct speed_measured *m, const struct speed_judgement *j)
{
    static const char *const words[] = {
        [SPEED_JUDGED] = NULL,
        [SPEED_INCONCLUSIVE] = "inconclusive: too much noise to tell one band from the next",
        [SPEED_DISTURBED] = "inconclusive: the reference's time beside this kernel is not its time "
                            "alone",
        [SPEED_BELOW_FLOOR] = "too fast to be true: memory cannot move so many bytes in that time",
        [SPEED_REFERENCE_BELOW] =
            "the reference is faster than the floor: lab.yaml states too many "
            "bytes_per_element",
    };
    q->has_value = true;
    q->ratio = m->ratio.median;
    q->low = m->ratio.low;
    q->high = m->ratio.high;
    q->us = m->student;
    q->reference_us = m->reference;
    q->floor_us = m->floor;
    q->earned = p->points * j->credit / 100;
    q->possible = p->points * j->possible / 100;
    q->state = j->verdict == SPEED_BELOW_FLOOR ? STATE_FAIL
               : j->verdict != SPEED_JUDGED    ? STATE_UNJUDGED
               : j->credit == 100              ? STATE_OK
                                               : STATE_FAIL;
    q->message = words[j->verdict] ? text_dup(words[j->verdict]) : NULL;
}

/** One entry: sessions until it is clear, at most TIMING_MAX_SESSIONS. */
static void measure(struct tier *t, const struct spec_performance *p, struct record_performance *q)
{
    struct timing *m = text_zalloc(1, sizeof *m);
    struct speed_judgement j = {SPEED_INCONCLUSIVE, 0, 0};
    enum timing_result result = TIMING_DONE;
    while (m->sessions < TIMING_MAX_SESSIONS && result == TIMING_DONE &&
           (j.verdict == SPEED_INCONCLUSIVE || j.verdict == SPEED_DISTURBED)) {
        result = timing_session(m, &t->runner, p, &q->message);
        if (result != TIMING_DONE)
            break;
        struct speed_measured summary = timing_summary(m, t->runner.spec, p);
        j = speed_judge(p, &summary);
        free(q->message);
        describe(q, p, &summary, &j);
        q->rounds = m->count;
    }
    if (result != TIMING_DONE) {
        q->state = result == TIMING_WRONG ? STATE_FAIL : STATE_UNJUDGED;
        q->has_value = false;
        q->earned = q->possible = 0;
    }
    free(m);
}

static void run_speed(struct tier *t)
{
    for (int i = 0; i < t->record->performance_count && t->record->gpu; i++) {
        struct record_performance *q = &t->record->performance[i];
        const struct record_case *c = record_find(t->record, q->case_name);
        if (t->record->partial && c->state == STATE_NOT_TRIED)
            continue;
        if (c->state == STATE_OK && c->gpu == STATE_OK)
            measure(t, &t->runner.spec->performance[i], q);
        else
            q->message = text_format("not timed: needs the case \"%s\" to be right on both tiers",
                                     c->hidden ? "hidden" : c->title);
    }
}

void gpu_tier(const struct case_runner *runner, const struct kit *k, struct record *record)
{
    struct tier t = {
        *runner, {.spec = runner->spec, .build = runner->build, .on_gpu = true}, record};
    struct options options = *runner->options;
    char *path = text_format("%s/gpu.lock", k->build);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    options.jobs = options.jobs && options.jobs < PARALLEL ? options.jobs : PARALLEL;
    t.runner.options = &options;
    t.runner.judge = judge_result;
    t.runner.ctx = &t;
    t.runner.progress = NULL;
    run_cases(&t);
    run_speed(&t);
    if (lock >= 0)
        close(lock);
    free(path);
}
