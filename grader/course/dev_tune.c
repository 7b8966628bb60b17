/**
 * @file dev_tune.c
 * Cases against variants and mutants; see dev_tune.h.
 */
#include "course/dev_tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/variants.h"
#include "grade.h"
#include "mutants/mutants.h"
#include "report/words.h"

/** One lab. */
struct tuning {
    const struct kit *kit;
    const struct options *options;
    const char *lab;
    struct record *solution;          /**< names its cases */
    double all_seconds;
    int variants, unjudged;
    int failed[MUTANT_CASES];         /**< wrong variants that fail the case, */
    struct text only[MUTANT_CASES];   /**< those that fail no other one, by name, */
    int only_count[MUTANT_CASES];
    struct text by_none;              /**< and those that only a property tells */
    struct mutant_cases mutants;
};

static struct record *grade_file(const struct tuning *u, const char *shown, struct trouble *t)
{
    struct options o = *u->options;
    char *path = kit_path(u->kit, "%s", shown);
    o.file = path;
    o.only = NULL;
    o.solution = false;
    o.device = DEVICE_SOFTGPU;
    struct record *r = grade_lab(u->kit, &o, u->lab, t);
    free(path);
    return r;
}

/** Case `number` of all parts, in order; NULL behind the last. */
static const struct record_case *case_at(const struct record *r, int number)
{
    for (int p = 0; p < r->parts_count; number -= r->parts[p++].cases_count)
        if (number < r->parts[p].cases_count)
            return &r->parts[p].cases[number];
    return NULL;
}

static void take_variant(struct tuning *u, const char *name, const struct record *r)
{
    int failed = 0, last = 0;
    const struct record_case *c;
    for (int i = 0; i < MUTANT_CASES && (c = case_at(r, i)); i++)
        if (c->state == STATE_FAIL) {
            u->failed[i]++;
            failed++;
            last = i;
        }
    u->variants++;
    if (failed == 1) {
        text_printf(&u->only[last], " %s", name);
        u->only_count[last]++;
    } else if (!failed) {
        text_printf(&u->by_none, " %s", name);
    }
}

static void grade_variants(struct tuning *u)
{
    struct dirent **list;
    int n = variants_list(u->kit, u->lab, "wrong", &list);
    for (int i = 0; i < n; i++) {
        struct trouble t = {0};
        char *shown = text_format("solutions/%s/wrong/%s", u->lab, list[i]->d_name);
        struct record *r = grade_file(u, shown, &t);
        list[i]->d_name[strlen(list[i]->d_name) - 3] = 0;
        if (r && r->state != STATE_UNJUDGED)
            take_variant(u, list[i]->d_name, r);
        else
            u->unjudged++;
        record_free(r);
        free(shown);
        free(list[i]);
    }
    free(list);
}

static bool is_needed(const struct tuning *u, int i)
{
    return u->only_count[i] || u->mutants.only[i];
}

static void print_cases(const struct tuning *u)
{
    bool quick = u->options->quick;
    const struct record_case *c;
    printf("  %-30s points seconds     wrong   only it%s\n", "case", quick ? "" : "   mutants   only it");
    for (int i = 0; i < MUTANT_CASES && (c = case_at(u->solution, i)); i++) {
        printf("  %-30.30s %6d %7.1f %9d %9d", c->name, c->points, c->seconds, u->failed[i], u->only_count[i]);
        if (!quick)
            printf(" %9d %9d", u->mutants.caught[i], u->mutants.only[i]);
        puts("");
    }
}

static void print_list(const char *before, const struct text *names)
{
    struct text out = {0};
    if (!names->data)
        return;
    char *line = text_format("%s:%s", before, names->data);
    words_wrap(&out, line, 2);
    fputs(text_str(&out), stdout);
    text_free(&out);
    free(line);
}

static void print_needs(const struct tuning *u)
{
    struct text idle = {0};
    const struct record_case *c;
    for (int i = 0; i < MUTANT_CASES && (c = case_at(u->solution, i)); i++) {
        char *before = text_format("Only %s fails", c->name);
        print_list(before, &u->only[i]);
        free(before);
        if (!is_needed(u, i))
            text_printf(&idle, " %s", c->name);
    }
    print_list("No case alone, but a property, tells", &u->by_none);
    print_list(u->options->quick ? "No wrong variant needs" : "No wrong variant and no mutant needs", &idle);
    text_free(&idle);
}

static void release(struct tuning *u)
{
    for (int i = 0; i < MUTANT_CASES; i++)
        text_free(&u->only[i]);
    text_free(&u->by_none);
    record_free(u->solution);
}

/** @return what the untouched skeleton earns; -1 if it cannot be judged */
static int skeleton_earns(const struct tuning *u)
{
    struct trouble t = {0};
    char *shown = text_format("labs/%s/kernel.cu", u->lab);
    struct record *r = grade_file(u, shown, &t);
    int earned = r && r->state != STATE_UNJUDGED ? r->earned : -1;
    record_free(r);
    free(shown);
    return earned;
}

static int tune_lab(struct tuning *u, struct trouble *t)
{
    char *shown = text_format("solutions/%s/kernel.cu", u->lab);
    const struct record_case *c;
    u->solution = grade_file(u, shown, t);
    free(shown);
    if (!u->solution)
        return 2;
    int skeleton = skeleton_earns(u), cases = 0;
    for (; (c = case_at(u->solution, cases)); cases++)
        u->all_seconds += c->seconds;
    grade_variants(u);
    if (!u->options->quick && !mutants_by_case(u->kit, u->options, u->lab, &u->mutants, t))
        return 2;
    printf("%s: %d cases, %.1f s for the solution's; %d wrong variants", u->lab, cases, u->all_seconds, u->variants);
    if (!u->options->quick)
        printf(", %d mutants", u->mutants.mutants);
    puts("");
    print_cases(u);
    print_needs(u);
    printf("  The untouched skeleton %s%d of %d points, the solution %d.\n", skeleton < 0 ? "cannot be judged: " : "earns ",
           skeleton < 0 ? 0 : skeleton, u->solution->points, u->solution->earned);
    if (u->unjudged || u->mutants.unjudged)
        printf("  %d wrong variants and %d mutants could not be judged.\n", u->unjudged, u->mutants.unjudged);
    bool good = skeleton == 0 && u->solution->earned == u->solution->points;
    return skeleton < 0 || u->unjudged || u->mutants.unjudged ? 2 : good ? 0 : 1;
}

int dev_tune(const struct kit *k, const struct options *o, struct trouble *t)
{
    int count = o->labs_count ? o->labs_count : k->labs_count, worst = 0;
    for (int i = 0; i < count; i++) {
        struct tuning u = {.kit = k, .options = o};
        u.lab = o->labs_count ? kit_find_lab(k, o->labs[i], t) : k->labs[i];
        int status = u.lab ? tune_lab(&u, t) : 2;
        release(&u);
        worst = status > worst ? status : worst;
        if (t->what[0])
            return 2;
        fflush(stdout);
    }
    return worst;
}
