/**
 * @file dev_check.c
 * As rustlings' `dev check`, plus wrong variants; see dev_check.h.
 */
#include "course/dev_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "course/alone.h"
#include "course/expect.h"
#include "course/sample.h"
#include "course/variants.h"
#include "grade.h"
#include "report/words.h"

enum role { SKELETON, SOLUTION, ALTERNATIVE, WRONG };

struct checking {
    const struct kit *kit;
    const struct options *options;
    const char *lab;
    struct spec *spec; /**< the lab's */
    struct sample sample; /**< with --quick: what its files have shown */
    int files, bad, unjudged, left_out;
};

/** What a record of full marks lacks, NULL if nothing. */
static char *must_be_full(const struct record *r)
{
    const struct record_case *c = record_first_failure(r);
    if (r->verdict == VERDICT_COMPILE_ERROR)
        return text_format("does not compile: %s", r->message);
    if (r->state == STATE_UNJUDGED || r->earned == r->points)
        return NULL;
    if (!c)
        return text_format("got %d/%d", r->earned, r->points);
    const struct record_finding *f = c->findings_count ? &c->findings[0] : NULL;
    return text_format("got %d/%d: %s: %s %s%s%s", r->earned, r->points, c->name,
                       verdict_name(c->verdict), c->message ? c->message : "",
                       c->message && f ? "; " : "", f ? f->message : "");
}

/** A property that asks nothing, since its object or kernel is none of the lab's; NULL if there is none. */
static char *asks_nothing(const struct record *r)
{
    for (int i = 0; i < r->properties_count; i++)
        if (r->properties[i].absent)
            return text_format("the property \"%s\" of case %s asks nothing: no run has %s; is its object or kernel spelt as the harness has it?",
                               r->properties[i].title, r->properties[i].case_name, r->properties[i].counter);
    return NULL;
}

/** The property that nothing could be said of, for no run has its counter; NULL if there is none. */
static char *not_counted(const struct record *r)
{
    for (int i = 0; r && i < r->properties_count; i++)
        if (r->properties[i].state == STATE_UNJUDGED && !r->properties[i].has_value)
            return text_format("the property \"%s\" of case %s: no run has the counter %s (docs/runtime.md lists them)",
                               r->properties[i].title, r->properties[i].case_name, r->properties[i].counter);
    return NULL;
}

/** Who has done nothing earns nothing. */
static char *must_be_nothing(const struct record *r)
{
    if (r->verdict == VERDICT_COMPILE_ERROR)
        return text_format("does not compile: %s", r->message);
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (r->parts[p].cases[i].earned)
                return text_format("earns points as shipped, in %s: let it count with another case "
                                   "(counts_with)", r->parts[p].cases[i].name);
    return r->earned ? text_dup("earns points as shipped") : NULL;
}

/** What does not hold for a file in its role; NULL if all does. `source`: a wrong variant's text. */
static char *judge_role(enum role role, const struct record *r, const char *source)
{
    if (role == SKELETON)
        return must_be_nothing(r);
    char *vain = role == SOLUTION && r->state != STATE_UNJUDGED ? asks_nothing(r) : NULL;
    return vain ? vain : role == WRONG ? expect_check(source, r) : must_be_full(r);
}

/** A wrong variant has shown all that it is there for. */
static bool has_its_verdict(void *source, const struct record *r)
{
    char *missing = expect_check(source, r);
    free(missing);
    return !missing;
}

/** What a record got, in a few words, for the line of a file that does not hold. */
static char *got(const struct record *r)
{
    const struct record_case *c = record_first_failure(r);
    struct text t = {0};
    text_printf(&t, "%d/%d", r->earned, r->points);
    if (c) {
        text_printf(&t, ", %s %s", c->name, verdict_name(c->verdict));
        for (int i = 0; i < c->findings_count; i++) {
            const struct record_finding *f = &c->findings[i];
            text_printf(&t, "; %s%s", f->level == RECORD_WARNING ? "warning " : "",
                        verdict_name(f->kind));
            for (int a = 0; a < f->accesses_count; a++)
                text_printf(&t, " %d", f->accesses[a].line);
        }
    }
    return t.data;
}

static void print_line(const char *path, const char *state, double seconds, const char *why)
{
    if (strlen(path) > 62) /* the lab's name stands above already */
        for (int slashes = 0; slashes < 2 && *path; path++)
            slashes += *path == '/';
    printf("  %-62s %4s %5.1f s\n", path, state, seconds);
    if (why) {
        struct text t = {0};
        words_wrap(&t, why, 6);
        fputs(text_str(&t), stdout);
        text_free(&t);
    }
    fflush(stdout);
}

/** The only case that a wrong variant is about, if the lab has it; NULL: any. The caller frees. */
static char *only_case(const struct checking *c, const char *source)
{
    char *name = source ? expect_only_case(source) : NULL;
    bool there = false;
    for (unsigned p = 0; name && p < c->spec->parts_count; p++)
        for (unsigned i = 0; i < c->spec->parts[p].cases_count; i++)
            there = there || !strcmp(c->spec->parts[p].cases[i].name, name);
    if (there)
        return name;
    free(name);
    return NULL;
}

static void check_file(struct checking *c, enum role role, const char *shown)
{
    struct options o = *c->options;
    struct trouble t = {0};
    char *path = kit_path(c->kit, "%s", shown);
    const char *why_unread = NULL;
    size_t len;
    char *source = role == WRONG ? text_read_file(path, 1u << 20, &len, &why_unread) : NULL;
    const struct grade_end end = {has_its_verdict, source};
    char *only = only_case(c, source);
    o.only = only;
    o.solution = false;
    o.device = o.device == DEVICE_AUTO ? DEVICE_SOFTGPU : o.device;
    o.file = path;
    if (why_unread)
        trouble_set(&t, "%s: %s", shown, why_unread);
    struct record *r = why_unread ? NULL : grade_lab_until(c->kit, &o, c->lab, source ? &end : NULL, &t);
    c->files++;
    if (!r || r->state == STATE_UNJUDGED) {
        const struct record_case *f = r ? record_first_failure(r) : NULL;
        char *uncounted = f && f->message ? NULL : not_counted(r);
        const char *why = !r ? t.what : f && f->message ? f->message : uncounted ? uncounted : "could not judge";
        print_line(shown, "????", r ? r->seconds : 0, why);
        free(uncounted);
        c->unjudged++;
    } else {
        char *why = judge_role(role, r, source), *what = why ? got(r) : NULL;
        char *seed = why ? text_format("%s (seed %08x; %s)", why, r->seed, what) : NULL;
        print_line(shown, why ? "FAIL" : "ok", r->seconds, seed);
        c->bad += why != NULL;
        free(seed);
        free(what);
        free(why);
    }
    record_free(r);
    free(only);
    free(source);
    free(path);
}

/** Whether --quick leaves this file to the whole check: it shows nothing that those before it have not. */
static bool left_out(struct checking *c, enum role role, const char *shown)
{
    char *path = kit_path(c->kit, "%s", shown);
    const char *why;
    size_t len;
    char *source = c->options->quick ? text_read_file(path, 1u << 20, &len, &why) : NULL;
    bool takes = !source || (role == WRONG ? sample_takes_wrong(&c->sample, source)
                                           : sample_takes_answer(&c->sample, source));
    free(source);
    free(path);
    return !takes;
}

/** Whether --file names this file, or none. */
static bool asked_for(const struct checking *c, const char *shown)
{
    const char *file = c->options->file, *at = file ? strstr(file, shown) : NULL;
    return !file || (at && !at[strlen(shown)] && (at == file || at[-1] == '/'));
}

static void check_folder(struct checking *c, enum role role, const char *name)
{
    struct dirent **list;
    int n = variants_list(c->kit, c->lab, name, &list);
    for (int i = 0; i < n; i++) {
        char *shown = text_format("solutions/%s/%s/%s", c->lab, name, list[i]->d_name);
        if (!asked_for(c, shown))
            ;
        else if (left_out(c, role, shown))
            c->left_out++;
        else
            check_file(c, role, shown);
        free(shown);
        free(list[i]);
    }
    free(list);
}

/** The spec, and that the skeleton has its kernels and something to do. */
static bool check_spec(struct checking *c, struct trouble *t)
{
    char *path = kit_path(c->kit, "labs/%s/lab.yaml", c->lab);
    char *shown = text_format("labs/%s/lab.yaml", c->lab);
    char *skeleton = kit_path(c->kit, "labs/%s/kernel.cu", c->lab);
    const char *why;
    size_t len;
    c->spec = spec_load(path, shown, skeleton, t);
    char *source = c->spec ? text_read_file(skeleton, 1u << 20, &len, &why) : NULL;
    bool ok = c->spec && source && strstr(source, "TODO");
    if (c->spec && !ok)
        trouble_set(t, "labs/%s/kernel.cu has no TODO", c->lab);
    print_line(shown, ok ? "ok" : "FAIL", 0, ok ? NULL : t->what);
    c->files++;
    c->bad += !ok;
    free(source);
    free(path);
    free(shown);
    free(skeleton);
    return ok;
}

/** What the parts say that they call. */
static void check_calls(struct checking *c)
{
    for (unsigned i = 0; i < c->spec->parts_count; i++) {
        if (!c->spec->parts[i].calls_count)
            continue;
        struct trouble t = {0};
        double start = text_now();
        char *wrong = alone_check(c->kit, c->options, c->lab, c->spec, i, &t);
        char *shown = text_format("part %s by what it calls", c->spec->parts[i].id);
        print_line(shown, t.what[0] ? "????" : wrong ? "FAIL" : "ok", text_now() - start, t.what[0] ? t.what : wrong);
        c->files++;
        c->unjudged += t.what[0] != 0;
        c->bad += !t.what[0] && wrong;
        free(shown);
        free(wrong);
    }
}

static void check_lab(struct checking *c)
{
    struct trouble t = {0};
    char *skeleton = text_format("labs/%s/kernel.cu", c->lab);
    char *solution = text_format("solutions/%s/kernel.cu", c->lab);
    printf("%s\n", c->lab);
    if (check_spec(c, &t)) {
        if (asked_for(c, skeleton))
            check_file(c, SKELETON, skeleton);
        if (asked_for(c, solution))
            check_file(c, SOLUTION, solution);
        if (asked_for(c, solution) && !c->options->quick)
            check_calls(c);
        left_out(c, SOLUTION, solution); /* what it shows, alternatives need not */
        check_folder(c, ALTERNATIVE, "alternatives");
        check_folder(c, WRONG, "wrong");
    }
    spec_free(c->spec);
    sample_free(&c->sample);
    free(skeleton);
    free(solution);
}

int dev_check(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct checking c = {.kit = k, .options = o};
    int count = o->labs_count ? o->labs_count : k->labs_count;
    for (int i = 0; i < count; i++) {
        c.lab = o->labs_count ? kit_find_lab(k, o->labs[i], t) : k->labs[i];
        if (!c.lab)
            return 2;
        check_lab(&c);
    }
    if (o->file && c.files == count) /* the specs alone */
        return trouble_set(t, "%s is no file of these labs' answers", o->file), 2;
    printf("%d files: %d as they must be, %d not, %d could not be judged", c.files,
           c.files - c.bad - c.unjudged, c.bad, c.unjudged);
    if (o->quick)
        printf("; %d left out", c.left_out);
    puts("");
    return c.unjudged ? 2 : c.bad ? 1 : 0;
}
