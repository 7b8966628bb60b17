/**
 * @file grade.c
 * The stages of a grade in their order; see grade.h.
 */
#include "grade.h"
#include "base/kit_version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/build.h"
#include "gpu/tier.h"
#include "report/progress_line.h"
#include "run/cases.h"
#include "run/counters.h"
#include "sandbox/sandbox.h"
#include "run/timelines.h"
#include "score/judge.h"
#include "score/places.h"
#include "score/score.h"
#include "score/unchanged.h"
#include "score/wider.h"

#define MAX_CASES (26 * 64)

struct grading {
    const struct kit *kit;
    const struct options *options;
    const char *lab;
    char *scratch;
    struct spec *spec;
    struct build build;
    struct gpu *gpu; /**< NULL: softgpu alone */
    const struct grade_end *end; /**< NULL: all cases are tried */
    bool ended;
    struct record *last; /**< what may be kept of it; NULL: nothing */
    struct record *record;
    struct case_runner runner;
    struct options running;  /**< with as many jobs as there will be */
    struct cases *cases;     /**< all that are wanted; NULL: not known yet */
    struct record_case *wave[MAX_CASES]; /**< those that run now */
    int count;               /**< of the wave */
};

struct spec *grade_spec(const struct kit *k, const char *lab, struct trouble *t)
{
    char *path = kit_path(k, "labs/%s/lab.yaml", lab);
    char *shown = text_format("labs/%s/lab.yaml", lab);
    struct spec *s = spec_load(path, shown, NULL, t);
    free(path);
    free(shown);
    return s;
}

/** How to call the grader on the same file again. */
static char *command_line(const struct grading *g)
{
    struct text t = {0};
    text_printf(&t, "./grade %s", g->record->lab);
    if (g->options->file) {
        char *file = text_dup(g->options->file);
        text_clean(file);
        for (char *p = file; *p; p++)
            *p = *p == '\n' || *p == '\t' ? '?' : *p;
        text_puts(&t, " --file ");
        text_shell(&t, file);
        free(file);
    }
    if (g->options->solution)
        text_puts(&t, " --solution");
    if (g->options->device == DEVICE_GPU)
        text_puts(&t, " --device gpu");
    return t.data;
}

static void describe(struct grading *g)
{
    struct record *r = g->record;
    r->file = text_dup(g->build.file ? g->build.file : "kernel.cu");
    text_clean(r->file);
    r->device = text_dup("softgpu, H200 model");
    r->sandbox = text_dup(sandbox_name());
    r->version = text_dup(kit_version);
    r->nvcc = text_dup(g->build.nvcc_version ? g->build.nvcc_version : "unknown");
    r->command = command_line(g);
    r->source_hash = g->build.source_hash;
    r->reference_hash = g->build.reference_hash;
    r->harness_hash = g->build.harness_hash;
    r->softgpu_hash = g->build.softgpu_hash;
    r->partial = g->options->only != NULL;
}

static bool judge_and_count(void *ctx, const struct run_pair *pair)
{
    struct grading *g = ctx;
    struct judge j = {.spec = g->spec, .build = &g->build};
    if (pair->spec->places)
        return places_judge(&j, pair);
    bool open = judge_pair(&j, pair);
    counters_read(g->spec, g->record, pair);
    if (g->spec->code == SPEC_HOST)
        timelines_read(pair->record, pair);
    g->ended = g->ended || (g->end && g->end->is_enough(g->end->ctx, g->record));
    return open;
}

static bool has_ended(void *ctx)
{
    return ((struct grading *)ctx)->ended;
}

static bool ended_before(void *ctx, const struct spec_case *spec)
{
    const struct record *last = ((struct grading *)ctx)->last;
    const struct record_case *before = last ? record_find(last, spec->name) : NULL;
    return before && before->state == STATE_OK;
}

static void open_cases(struct grading *g)
{
    const struct spec_case *specs[MAX_CASES];
    struct record_case *records[MAX_CASES];
    int count = score_wanted(g->spec, g->record, g->options->only, specs, records);
    g->cases = cases_open(&g->runner, specs, records, count);
}

/** The cases that can run now, as parts' needs are met by those before. */
static int next_wave(void *ctx, struct record_case *const **ready)
{
    struct grading *g = ctx;
    if (g->ended)
        return 0;
    for (int i = 0; i < g->count; i++)
        if (record_is_open(g->wave[i]))
            g->wave[i]->state = STATE_OK; /* no run of it failed */
    do
        score_parts(g->record);
    while (g->last && unchanged_take(g->spec, g->record, g->last));
    g->count = score_ready(g->spec, g->record, g->options->only, g->wave);
    *ready = g->wave;
    return g->count;
}

/** The references of what is not kept run while nvcc does. */
static bool build_beside_references(struct grading *g, struct trouble *t)
{
    if (!build_find(&g->build, g->kit, g->spec, g->lab, g->options, g->scratch, t))
        return false;
    unchanged_mark(g->spec, &g->build, g->record, g->gpu ? NULL : g->last);
    open_cases(g);
    child_run_beside(g->running.jobs > 1 ? cases_references(g->cases) : NULL, g->running.jobs);
    bool ok = build_make(&g->build, g->kit, g->spec, g->scratch, t);
    child_run_beside(NULL, 1);
    return ok;
}

static bool stage_build(struct grading *g, struct trouble *t)
{
    g->running = *g->options;
    if (!g->running.jobs) {
        g->running.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
        g->running.more_pairs = 1;
    }
    g->runner = (struct case_runner){.spec = g->spec, .build = &g->build, .options = &g->running,
                                     .scratch = g->scratch, .seed = g->record->seed,
                                     .judge = judge_and_count, .progress = progress_line_show, .wave = next_wave,
                                     .is_over = g->end ? has_ended : NULL, .ended_before = ended_before, .ctx = g};
    if (!build_beside_references(g, t))
        return false;
    describe(g);
    if (!g->build.compile_error)
        return true;
    g->record->verdict = VERDICT_COMPILE_ERROR;
    g->record->message = text_dup(g->build.compile_error);
    return true;
}

/** Part after part, as their needs are met: each wave runs, is compared and scored. */
static void stage_run_and_score(struct grading *g)
{
    struct progress_line line;
    progress_line_start(&line, g->record->lab);
    cases_go_on(g->cases);
    progress_line_end(&line);
}

/** What a real GPU shows of the same, where there is one. */
static void stage_gpu(struct grading *g)
{
    const struct case_runner runner = {.spec = g->spec, .build = &g->build, .options = g->options,
                                       .scratch = g->scratch, .seed = g->record->seed,
                                       .gpu = g->gpu};
    if (g->gpu)
        gpu_tier(&runner, g->kit, g->record);
}

static uint32_t fresh_seed(void)
{
    uint32_t seed = 0;
    FILE *f = fopen("/dev/urandom", "rb");
    if (!f || fread(&seed, sizeof seed, 1, f) != 1)
        seed = (uint32_t)text_mix((uint64_t)time(NULL) ^ (uint64_t)getpid());
    if (f)
        fclose(f);
    return seed;
}

static bool check_case_name(struct grading *g, struct trouble *t)
{
    if (!g->options->only || record_means_any(g->record, g->options->only))
        return true;
    struct text list = {0};
    for (unsigned p = 0; p < g->spec->parts_count; p++)
        for (unsigned i = 0; i < g->spec->parts[p].cases_count; i++)
            text_printf(&list, "%s%s", list.len ? ", " : "", g->spec->parts[p].cases[i].name);
    trouble_set(t, "%s has no case \"%.40s\"", g->record->lab, g->options->only);
    trouble_todo(t, "cases: %s", text_str(&list));
    text_free(&list);
    return false;
}

/** Are both names those of one file? */
static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/** At full marks: the handout's questions, and the solution beside what was graded. */
static void full_marks(struct grading *g)
{
    struct record *r = g->record;
    if (r->partial || r->state != STATE_OK || r->earned != r->points || g->options->submissions)
        return;
    char *handout = kit_path(g->kit, "labs/%s/README.md", g->lab), *solution = kit_path(g->kit, "solutions/%s/kernel.cu", g->lab);
    const char *why;
    size_t len;
    char *text = text_read_file(handout, 1u << 20, &len, &why);
    if (!r->next && text && strstr(text, "\n## Questions\n"))
        r->next = text_format("Answer the questions at the end of labs/%s/README.md.", g->lab);
    bool itself = g->options->solution || (g->options->file && is_same_file(g->options->file, solution));
    if (!itself && access(solution, R_OK) == 0) {
        struct text t = {0};
        char *own = text_format("labs/%s/kernel.cu", g->lab);
        text_puts(&t, "diff -u ");
        text_shell(&t, g->options->file ? r->file : own);
        text_printf(&t, " solutions/%s/kernel.cu", g->lab);
        r->compare = t.data;
        free(own);
    }
    free(text);
    free(handout);
    free(solution);
}

static bool stages(struct grading *g, struct trouble *t)
{
    g->spec = grade_spec(g->kit, g->lab, t);
    if (!g->spec)
        return false;
    g->record = score_start(g->spec, g->lab);
    g->record->time = (int64_t)time(NULL);
    g->record->schedules = g->options->schedules;
    g->record->seed = g->options->has_seed ? g->options->seed : fresh_seed();
    if (!check_case_name(g, t))
        return false;
    /* A machine with several GPUs is nobody's: where nothing is said, softgpu has as many as the lab wants. */
    bool several = g->spec->devices > 1 && g->options->device == DEVICE_AUTO;
    g->gpu = gpu_find(g->kit, several ? DEVICE_SOFTGPU : g->options->device, t);
    if (!g->gpu && t->what[0])
        return false;
    g->scratch = kit_scratch(g->kit, t);
    if (!g->scratch || !stage_build(g, t))
        return false;
    if (g->record->verdict != VERDICT_COMPILE_ERROR) {
        stage_run_and_score(g);
        stage_gpu(g);
    }
    for (int i = 0; i < g->record->parts_count; i++) /* not where a part that it needs has failed since */
        g->record->parts[i].kept &= g->record->parts[i].state == STATE_OK;
    score_widen_advice(g->record);
    score_total(g->record);
    score_hints(g->spec, g->record);
    score_next(g->spec, g->record, g->build.source);
    full_marks(g);
    return true;
}

/** All stages, and what they leave is cleared away. @return as grade_lab() */
static struct record *grade(struct grading *g, struct trouble *t)
{
    double start = text_now();
    bool ok = stages(g, t);
    cases_close(g->cases);
    if (ok)
        g->record->seconds = text_now() - start;
    if (g->scratch)
        text_remove_tree(g->scratch);
    free(g->scratch);
    gpu_free(g->gpu);
    spec_free(g->spec);
    build_free(&g->build);
    if (ok)
        return g->record;
    record_free(g->record);
    return NULL;
}

struct record *grade_lab(const struct kit *k, const struct options *o, const char *lab,
                         struct trouble *t)
{
    struct grading g = {.kit = k, .options = o, .lab = lab};
    return grade(&g, t);
}

struct record *grade_lab_after(const struct kit *k, const struct options *o, const char *lab, struct record *last,
                               struct trouble *t)
{
    struct grading g = {.kit = k, .options = o, .lab = lab, .last = last};
    return grade(&g, t);
}

struct record *grade_lab_until(const struct kit *k, const struct options *o, const char *lab,
                               const struct grade_end *end, struct trouble *t)
{
    struct grading g = {.kit = k, .options = o, .lab = lab, .end = end};
    return grade(&g, t);
}
