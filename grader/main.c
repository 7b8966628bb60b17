/**
 * @file main.c
 * grade: what ./grade runs.
 *
 * For each lab: spec → build → run → compare → score (grade.c lists them), then the report, then
 * what lasts. Exit status 0 full marks, 1 below, 2 could not judge.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "build/steps.h"
#include "class/class.h"
#include "class/results.h"
#include "base/kit_version.h"
#include "course/debug_case.h"
#include "course/dev_check.h"
#include "course/dev_new.h"
#include "course/dev_tune.h"
#include "course/glance.h"
#include "course/hint.h"
#include "course/progress.h"
#include "course/replay.h"
#include "course/tried.h"
#include "course/watch.h"
#include "grade.h"
#include "mutants/mutants.h"
#include "report/report.h"
#include "sandbox/sandbox.h"

/** Prints why nothing could be judged, in one line. */
static int could_not_judge(const char *lab, const struct trouble *t)
{
    fflush(stdout);
    fprintf(stderr, "grade: %s%s%s%s%s\n", lab ? lab : "", lab ? ": " : "", t->what,
            t->todo[0] ? "; " : "", t->todo);
    return 2;
}

/** The last record, if it is about exactly what the student has now. */
static struct record *last_record(const struct kit *k, const struct spec *s, const char *lab)
{
    struct record *r = progress_load(k, lab);
    char *path = kit_path(k, "labs/%s/kernel.cu", lab);
    const char *why;
    size_t len;
    char *source = text_read_file(path, 1u << 20, &len, &why);
    bool same = r && source && r->spec_hash == s->hash &&
                r->source_hash == text_hash(TEXT_HASH_START, source, strlen(source));
    free(source);
    free(path);
    if (same)
        return r;
    record_free(r);
    return NULL;
}

static int give_hint(const struct kit *k, const struct options *o, const char *lab,
                     const struct spec *s, struct trouble *t)
{
    struct options plain = *o;
    struct text out = {0};
    plain.only = NULL;
    struct record *r = last_record(k, s, lab);
    if (!r)
        r = grade_lab(k, &plain, lab, t);
    if (r && o->only && !record_find(r, o->only)) {
        trouble_set(t, "%s has no case \"%.40s\"", r->lab, o->only);
        record_free(r);
        return 2;
    }
    bool ok = r && progress_save(k, r, t) && hint_open(k, r, o->only, o->verbose, &out, t) &&
              report_emit(&out, o->output, t);
    int status = ok ? record_exit(r) : 2;
    text_free(&out);
    record_free(r);
    return status;
}

static int report(const struct kit *k, const struct options *o, const struct record *r,
                  struct trouble *t)
{
    report_writer *write = report_find(o->format, t);
    struct report_style style = {report_color(o->color, o->output), o->verbose,
                                 hint_left(k, r), report_columns(o->output)};
    struct text out = {0};
    if (!write)
        return 2;
    write(&out, r, &style);
    bool ok = report_emit(&out, o->output, t);
    text_free(&out);
    return ok ? record_exit(r) : 2;
}

/** Grades the lab's own file after what the last grade said of it, or another by itself. */
static int grade_one(const struct kit *k, const struct options *o, const char *lab, struct trouble *t)
{
    bool own = !o->file && !o->solution, whole = !o->only && !o->has_seed && !o->fresh;
    struct record *last = own ? progress_load(k, lab) : NULL;
    struct record *r = grade_lab_after(k, o, lab, whole ? last : NULL, t);
    if (r && own)
        tried_mark(r, last);
    int status = r ? report(k, o, r, t) : 2;
    if (r && own && !r->partial)
        progress_save(k, r, t);
    record_free(r);
    record_free(last);
    return status;
}

static int one_lab(const struct kit *k, const struct options *o, const char *word)
{
    struct trouble t = {0};
    int status = 2;
    const char *lab = kit_find_lab(k, word, &t);
    struct spec *s = lab ? grade_spec(k, lab, &t) : NULL;
    if (s && o->submissions) {
        status = class_grade(k, o, lab, &t);
    } else if (s && o->hint) {
        status = give_hint(k, o, lab, s, &t);
    } else if (s) {
        status = grade_one(k, o, lab, &t);
    }
    spec_free(s);
    if (t.what[0])
        return could_not_judge(lab ? NULL : word, &t);
    return status;
}

static int at_a_glance(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct text out = {0};
    int status = glance(k, report_color(o->color, o->output), &out);
    bool ok = report_emit(&out, o->output, t);
    text_free(&out);
    return ok ? status : 2;
}

static bool find_sandbox(const struct kit *k, const struct options *o, struct trouble *t)
{
    char *runs = text_format("%s/run", k->build), *deps = kit_path(k, ".deps/root");
    sandbox_take_deps(deps);
    free(deps);
    bool ok = sandbox_open(runs, (char)o->sandbox, (char)o->require_sandbox, t);
    free(runs);
    return ok;
}

/** dev check with the course's own file, if there is one: its labs must be there. */
static int check_all(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct course *c;
    if (!course_load(k, o->course, &c, t))
        return 2;
    course_free(c);
    return dev_check(k, o, t);
}

static int tune(const struct kit *k, const struct options *o, struct trouble *t)
{
    if (o->report && o->labs_count != 1)
        return trouble_set(t, "dev tune with --report takes one lab"), 2;
    int status = dev_tune(k, o, t);
    return t->what[0] || !o->report || hint_use(k, o, t) ? status : 2;
}

static int run(const struct kit *k, const struct options *o, struct trouble *t)
{
    int worst = 0;
    if (!report_find(o->format, t))
        return 2;
    if (o->folders)
        return strcmp(o->folders, "class") ? stats(o, t) : totals(k, o, t);
    if ((o->dev || o->replay || o->labs_count) && !find_sandbox(k, o, t))
        return 2;
    if (o->dev && !strcmp(o->dev, "new"))
        return dev_new(k, o->labs[0], t) ? 0 : 2;
    if (o->dev && !strcmp(o->dev, "tune"))
        return tune(k, o, t);
    if (o->dev)
        return strcmp(o->dev, "mutants") ? check_all(k, o, t) : mutants(k, o, t);
    if (o->replay)
        return replay_record(k, o, t);
    if (o->watch)
        return watch(k, o, t);
    if (o->debug && o->labs_count == 1)
        return debug_case(k, o, o->labs[0], t);
    if (o->debug)
        return trouble_set(t, "--debug takes one lab"), 2;
    if (!o->labs_count)
        return at_a_glance(k, o, t);
    for (int i = 0; i < o->labs_count; i++) {
        int status = one_lab(k, o, o->labs[i]);
        worst = status > worst ? status : worst;
        if (i + 1 < o->labs_count)
            puts("");
    }
    return worst;
}

/** The kit's, and where the kit is at hand, that of the compiler which it found for kernels. */
static void print_version(const char *root)
{
    struct kit kit = {0};
    struct trouble t = {0};
    printf("fencepost grade %s\n", kit_version);
    if (kit_open(&kit, root, &t) && kit.nvcc) {
        char *version = compile_version(&kit);
        printf("kernels by %s%s\n", strncmp(version, "clang", 5) ? "nvcc " : "", version);
        free(version);
    }
    kit_close(&kit);
}

int main(int argc, char **argv)
{
    struct options options;
    struct kit kit = {0};
    struct trouble t = {0};
    int status = 2;
    if (argc > 2 && !strcmp(argv[1], STEPS_WORD))
        return steps_main(argv + 2);
    signal(SIGPIPE, SIG_IGN);
    if (!options_parse(&options, argc, argv, &t))
        return could_not_judge(NULL, &t);
    if (options.help)
        options_help();
    else if (options.version)
        print_version(options.root);
    if (options.help || options.version)
        return 0;
    if (kit_open(&kit, options.root, &t))
        status = run(&kit, &options, &t);
    if (t.what[0])
        status = could_not_judge(NULL, &t);
    kit_close(&kit);
    return status;
}
