/**
 * @file class.c
 * The loop over a class; see class.h.
 */
#include "class/class.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "class/results.h"
#include "class/slurm.h"
#include "grade.h"
#include "record/record_json.h"
#include "report/progress_line.h"
#include "report/report.h"
#include "sandbox/child.h"

#define MAX_RECORD (16u << 20)

struct worker {
    pid_t pid;
    int index;
};

static char *record_path(const struct class *c, const struct submission *s)
{
    return text_format("%s/records/%s.json", c->report, s->name);
}

/** A record that an earlier call left, if it is about the same source, spec and tools. */
static struct record *earlier(const struct class *c, const struct submission *s,
                              const char *source, const struct record *now)
{
    const char *why;
    size_t len;
    struct trouble t = {0};
    char *path = record_path(c, s), *json = text_read_file(path, MAX_RECORD, &len, &why);
    struct record *r = json ? record_from_json(json, len, &t) : NULL;
    free(json);
    free(path);
    bool same = r && r->source_hash == text_hash(TEXT_HASH_START, source, strlen(source)) &&
                r->spec_hash == now->spec_hash && r->harness_hash == now->harness_hash &&
                r->softgpu_hash == now->softgpu_hash && r->seed == c->seed &&
                (c->device != DEVICE_GPU || r->gpu || r->gpu_message) &&
                !strcmp(r->sandbox, now->sandbox);
    if (same)
        return r;
    record_free(r);
    return NULL;
}

/** In the worker: grades one submission and leaves its record and page. */
static int grade_one(const struct kit *k, const struct options *o, const char *lab,
                     const struct class *c, const struct submission *s, const char *source)
{
    struct options mine = *o;
    struct trouble t = {0};
    char *file = text_format("%s/%s", c->folder, s->path);
    mine.device = c->device;
    mine.file = file;
    mine.source = source;
    mine.seed = c->seed;
    mine.has_seed = true;
    mine.jobs = 1;
    progress_line_silence();
    struct record *r = grade_lab(k, &mine, lab, &t);
    if (!r)
        return 2;
    char *path = record_path(c, s), *json = record_to_json(r);
    char *page = text_format("%s/pages/%s.html", c->report, s->name);
    struct text html = {0};
    struct report_style style = {0};
    report_html(&html, r, &style);
    bool ok = text_write_file(page, text_str(&html), html.len) &&
              text_write_file(path, json, strlen(json)); /* the record last: it means "done" */
    text_free(&html);
    free(page);
    free(path);
    free(json);
    free(file);
    record_free(r);
    return ok ? 0 : 2;
}

/** The record that says what this grader is: grading's own view of spec, harness and tools. */
static struct record *identity(const struct kit *k, const struct options *o, const char *lab,
                               struct trouble *t)
{
    struct options probe = *o;
    probe.solution = true;
    probe.file = NULL;
    probe.only = NULL;
    probe.jobs = o->jobs;
    probe.device = DEVICE_SOFTGPU;
    struct record *r = grade_lab(k, &probe, lab, t);
    if (r && r->earned != r->points) {
        trouble_set(t, "the lab's own solution gets %d/%d here, so nothing is graded", r->earned,
                    r->points);
        trouble_todo(t, "run: ./grade %s --solution", r->lab);
        record_free(r);
        return NULL;
    }
    return r;
}

/** One seed for the class, kept in the report folder so that a resumed call has the same. */
static bool class_seed(struct class *c, const struct options *o, const struct record *identity,
                       struct trouble *t)
{
    char *path = text_format("%s/seed", c->report);
    const char *why;
    size_t len;
    char *kept = text_read_file(path, 64, &len, &why);
    if (o->has_seed)
        c->seed = o->seed;
    else if (kept)
        c->seed = (uint32_t)strtoul(kept, NULL, 16);
    else
        c->seed = identity->seed;
    char *text = text_format("%08x\n", c->seed);
    bool ok = text_put_file(path, text, strlen(text), t);
    free(text);
    free(kept);
    free(path);
    return ok;
}

static void load_record(struct class *c, struct submission *s)
{
    const char *why;
    size_t len;
    struct trouble t = {0};
    char *path = record_path(c, s), *json = text_read_file(path, MAX_RECORD, &len, &why);
    s->record = json ? record_from_json(json, len, &t) : NULL;
    free(json);
    free(path);
}

static void reap(struct class *c, struct worker *workers, int *running)
{
    int status;
    pid_t pid = wait(&status);
    for (int i = 0; i < *running; i++) {
        if (workers[i].pid != pid)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            load_record(c, &c->list[workers[i].index]);
        workers[i] = workers[--*running];
        return;
    }
}

/** Starts a worker, or takes an earlier record; true if a worker runs. */
static bool begin(const struct kit *k, const struct options *o, const char *lab, struct class *c,
                  int index, const struct record *now, struct worker *w)
{
    struct submission *s = &c->list[index];
    const char *why;
    char *source = s->state == SUBMISSION_READ ? submission_read(c, s, &why) : NULL;
    if (!source && s->state == SUBMISSION_READ) {
        s->state = SUBMISSION_REJECTED;
        s->why = why;
    }
    s->record = source ? earlier(c, s, source, now) : NULL;
    bool start = source && !s->record;
    fflush(NULL);
    w->index = index;
    pid_t parent = getpid();
    w->pid = start ? fork() : 0;
    if (start && w->pid == 0)
        _exit(child_ends_with(parent) ? grade_one(k, o, lab, c, s, source) : 2);
    free(source);
    return start && w->pid > 0;
}

static void grade_all(const struct kit *k, const struct options *o, const char *lab,
                      struct class *c, const struct record *now)
{
    int jobs = o->jobs ? o->jobs : (int)sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    struct worker workers[64];
    struct progress_line line;
    progress_line_start(&line, now->lab);
    for (int i = 0; i < c->count; i++) {
        if (o->slices && i % o->slices != o->slice)
            continue;
        while (running >= jobs)
            reap(c, workers, &running);
        running += begin(k, o, lab, c, i, now, &workers[running]);
        progress_line_show(NULL, i + 1, c->count);
    }
    while (running)
        reap(c, workers, &running);
    progress_line_end(&line);
}

static bool report(const struct options *o, const struct class *c, const struct record *now,
                   struct trouble *t)
{
    struct text csv = {0}, page = {0}, summary = {0};
    char *title = text_format("%s %s", now->lab, now->title);
    char *csv_path = o->csv ? text_dup(o->csv) : text_format("%s/grades.csv", c->report);
    char *page_path = text_format("%s/index.html", c->report);
    if (o->gradebook == GRADEBOOK_MOODLE)
        gradebook_moodle(&csv, c, now->lab);
    else if (o->gradebook == GRADEBOOK_CANVAS)
        gradebook_canvas(&csv, c, now->lab, now->points);
    else
        gradebook_csv(&csv, c, now->lab, now->points);
    gradebook_page(&page, c, title);
    gradebook_summary(&summary, c);
    bool ok = text_put_file(csv_path, text_str(&csv), csv.len, t) &&
              text_put_file(page_path, text_str(&page), page.len, t) && results_write(c, now, t);
    printf("%s%s\n%s\n", text_str(&summary), csv_path, page_path);
    text_free(&csv);
    text_free(&page);
    text_free(&summary);
    free(title);
    free(csv_path);
    free(page_path);
    return ok;
}

static bool make_folders(const struct class *c, struct trouble *t)
{
    char *records = text_format("%s/records", c->report);
    char *pages = text_format("%s/pages", c->report);
    bool ok = text_make_dirs(records) && text_make_dirs(pages);
    if (!ok)
        trouble_set(t, "cannot make %s: %s", records, strerror(errno));
    free(records);
    free(pages);
    return ok;
}

int class_grade(const struct kit *k, const struct options *o, const char *lab, struct trouble *t)
{
    struct class c = {.folder = text_dup(o->submissions),
                      .device = o->device == DEVICE_GPU ? DEVICE_GPU : DEVICE_SOFTGPU};
    char *name = kit_short_name(lab);
    c.report = o->report ? text_dup(o->report) : text_format("%s/class/%s", k->build, name);
    free(name);
    struct record *now = NULL;
    bool ok = submissions_list(&c, t) && hand_in_times(&c, k, o, lab, t) && make_folders(&c, t) &&
              (now = identity(k, o, lab, t)) && class_seed(&c, o, now, t);
    if (ok && o->slurm)
        ok = slurm_run(k, o, lab, &c, t);
    if (ok)
        grade_all(k, o, lab, &c, now);
    ok = ok && (o->slices || report(o, &c, now, t));
    int unjudged = 0;
    for (int i = 0; ok && i < c.count && !o->slices; i++)
        unjudged += !c.list[i].record || c.list[i].record->state == STATE_UNJUDGED;
    record_free(now);
    submissions_free(&c);
    return !ok || unjudged ? 2 : 0;
}
