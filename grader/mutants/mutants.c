/**
 * @file mutants.c
 * One lab after the other: build, mutate, run, compare with equivalent.txt, print; see mutants.h.
 */
#include "mutants/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"
#include "mutants/equivalents.h"
#include "mutants/run_mutants.h"
#include "score/score.h"

#define MAX_PTX (16u << 20)
#define DEFAULT_SEED 1 /* the same mutants are caught by the same cases each time */

/** One lab's mutation run. */
struct mutation {
    const struct kit *kit;
    const struct options *options;
    const char *lab;
    struct spec *spec;
    struct build build;
    char *scratch, *ptx_source;
    struct ptx_text ptx;
    struct mutant_list mutants;
    struct outcome *outcomes;
    struct equivalents equivalents;
    struct reach reach;
    const struct equivalent **covered; /**< for each mutant its entry, or NULL */
    uint32_t seed;
};

struct sums {
    int mutants, caught, equivalent, survived, unjudged;
};

static bool check_case_name(const struct mutation *m, struct trouble *t)
{
    const char *only = m->options->only;
    struct record *r = score_start(m->spec, m->lab);
    bool ok = !only || record_find(r, only);
    record_free(r);
    return ok || trouble_set(t, "%s has no case \"%.40s\"", m->lab, only);
}

/** The kernel as it is must pass every case, or the mutants prove nothing. */
static bool check_unchanged(struct mutation *m, const struct mutant_runs *r, struct trouble *t)
{
    struct outcome out;
    char *folder = text_format("%s/unchanged", m->scratch);
    run_mutant(&out, r, m->ptx_source, NULL, folder);
    free(folder);
    if (out.state == OUTCOME_SURVIVED)
        return true;
    if (out.state == OUTCOME_CAUGHT)
        trouble_set(t, "%s without any mutation does not pass case %s (%s)", m->build.file,
                    out.case_name, verdict_name(out.verdict));
    else
        trouble_set(t, "%s: %s: %s", m->build.file, out.case_name, out.message);
    return false;
}

/** The PTX that is mutated: what was built or, of a host-code lab, what the same compiler makes of the file's
 *  device code. */
static bool read_ptx(struct mutation *m, struct trouble *t)
{
    bool host = m->spec->code == SPEC_HOST;
    char *folder = text_format("%s/ptx", m->scratch), *errors = NULL;
    char *path = host ? compile_kernel(m->kit, m->spec->arch, m->build.source, m->build.file, folder, &errors, t)
                      : text_dup(m->build.student);
    const char *why;
    size_t len;
    if (path) {
        m->ptx_source = text_read_file(path, MAX_PTX, &len, &why);
        if (!m->ptx_source)
            trouble_set(t, "%s: %s", path, why);
    } else if (errors) {
        trouble_set(t, "%s", errors);
    }
    free(errors);
    free(folder);
    free(path);
    return m->ptx_source;
}

static bool prepare(struct mutation *m, struct trouble *t)
{
    struct options o = *m->options;
    o.solution = !o.file;
    m->scratch = check_case_name(m, t) ? kit_scratch(m->kit, t) : NULL;
    if (!m->scratch || !build_lab(&m->build, m->kit, m->spec, m->lab, &o, m->scratch, t))
        return false;
    if (m->build.compile_error)
        return trouble_set(t, "%s", m->build.compile_error);
    if (!read_ptx(m, t))
        return false;
    ptx_text_split(&m->ptx, m->ptx_source);
    int cases = 0;
    for (unsigned p = 0; p < m->spec->parts_count; p++)
        cases += (int)m->spec->parts[p].cases_count;
    reach_start(&m->reach, cases);
    mutants_make(&m->mutants, &m->ptx);
    char *shown = text_format("solutions/%s/equivalent.txt", m->lab), *path = kit_path(m->kit, "%s", shown);
    bool ok = o.file || equivalents_read(&m->equivalents, path, shown, t);
    free(path);
    free(shown);
    m->covered = text_zalloc((size_t)m->mutants.count + 1, sizeof *m->covered);
    m->outcomes = run_mutants_outcomes(m->mutants.count);
    for (int i = 0; i < m->mutants.count; i++) {
        m->covered[i] = equivalents_find(&m->equivalents, &m->ptx, &m->mutants.list[i]);
        if (equivalents_leave_out(&m->equivalents, m->mutants.list[i].operator) ||
            (o.slices && i % o.slices != o.slice))
            m->outcomes[i].seconds = -1;
    }
    return ok;
}

static void release(struct mutation *m)
{
    if (m->scratch)
        text_remove_tree(m->scratch);
    if (m->outcomes)
        run_mutants_release(m->outcomes, m->mutants.count);
    mutants_free(&m->mutants);
    ptx_text_free(&m->ptx);
    equivalents_free(&m->equivalents);
    reach_free(&m->reach);
    free(m->covered);
    free(m->scratch);
    free(m->ptx_source);
    spec_free(m->spec);
    build_free(&m->build);
}

static void add_outcome(struct sums *s, const struct mutation *m, int i)
{
    const struct outcome *o = &m->outcomes[i];
    s->mutants++;
    s->caught += o->state == OUTCOME_CAUGHT;
    s->equivalent += o->state == OUTCOME_SURVIVED && m->covered[i];
    s->survived += o->state == OUTCOME_SURVIVED && !m->covered[i];
    s->unjudged += o->state == OUTCOME_UNJUDGED || o->state == OUTCOME_NONE;
}

static void print_row(const char *name, const struct sums *s)
{
    printf("  %-20s %7d  %6d  %10d  %8d", name, s->mutants, s->caught, s->equivalent, s->survived);
    if (s->unjudged)
        printf("  (%d could not be judged)", s->unjudged);
    puts("");
}

static struct sums print_table(const struct mutation *m)
{
    struct sums all = {0};
    const struct mutant_list *list = &m->mutants;
    printf("  %-20s mutants  caught  equivalent  survived\n", "operator");
    for (int i = 0; i < list->count; i++) {
        struct sums row = {0};
        bool first = true;
        for (int k = 0; k < list->count; k++) {
            if (list->list[k].operator!= list->list[i].operator)
                continue;
            first &= k >= i;
            if (m->outcomes[k].seconds >= 0)
                add_outcome(&row, m, k);
        }
        if (!first || !row.mutants)
            continue;
        print_row(list->list[i].operator, &row);
        all.mutants += row.mutants;
        all.caught += row.caught;
        all.equivalent += row.equivalent;
        all.survived += row.survived;
        all.unjudged += row.unjudged;
    }
    print_row("all", &all);
    return all;
}

/** Line `n` of the source without its indentation. */
static void print_source_line(const char *source, int n)
{
    const char *p = source;
    for (int i = 1; i < n && p; i++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    if (!p || n < 1)
        return;
    p += strspn(p, " \t");
    printf("        %.*s\n", (int)strcspn(p, "\n"), p);
}

/** "shift-bound sum:104:18#2", as equivalent.txt would name it, and what was done. */
static void print_mutant(const struct mutation *m, int i, const char *why)
{
    const struct mutant *u = &m->mutants.list[i];
    const struct ptx_statement *s = &m->ptx.list[u->statement];
    struct text place = {0};
    text_printf(&place, "%s:", m->ptx.functions[s->function]);
    if (s->place.caller)
        text_printf(&place, "%d:", s->place.caller);
    text_printf(&place, "%d", s->place.line);
    if (u->same > 1)
        text_printf(&place, "#%d", u->number);
    printf("    %s %s  %s\n", u->operator, text_str(&place), why);
    print_source_line(m->build.source, s->place.line);
    printf("        PTX line %d: %.*s\n", s->ptx_line, (int)(s->end - s->start),
           m->ptx.text + s->start);
    if (*u->replacement && !strchr(u->replacement, '\n'))
        printf("        became      %s\n", u->replacement);
    text_free(&place);
}

static void print_one(const struct mutation *m, int i)
{
    const struct outcome *o = &m->outcomes[i];
    const struct equivalent *e = m->covered[i];
    bool wrong = o->state == OUTCOME_CAUGHT && e;
    char *why = NULL;
    if (o->seconds < 0)
        return;
    if (o->state == OUTCOME_SURVIVED && !e)
        why = text_dup("survived");
    else if (o->state == OUTCOME_UNJUDGED || o->state == OUTCOME_NONE)
        why = text_format("could not be judged: %s %s", o->case_name, o->message);
    else if (wrong)
        why = text_format("is no equivalent: %s caught it (%s)", o->case_name,
                          verdict_name(o->verdict));
    else if (m->options->verbose && e)
        why = text_format("equivalent: %s", e->reason);
    else if (m->options->verbose)
        why = text_format("caught by %s (%s)", o->case_name, verdict_name(o->verdict));
    if (why)
        print_mutant(m, i, why);
    free(why);
}

static void print_left_out(const struct mutation *m)
{
    for (int i = 0; i < m->equivalents.count; i++)
        if (m->equivalents.list[i].all)
            printf("    %s left out: %s\n", m->equivalents.list[i].operator, m->equivalents.list[i].reason);
}

/** What in equivalent.txt does not hold: entries for caught mutants, and for none. */
static int count_false_entries(const struct mutation *m)
{
    int bad = 0;
    for (int i = 0; i < m->mutants.count; i++)
        bad += m->outcomes[i].state == OUTCOME_CAUGHT && m->covered[i];
    for (int i = 0; i < m->equivalents.count; i++) {
        const struct equivalent *e = &m->equivalents.list[i];
        if (e->matched)
            continue;
        printf("    solutions/%s/equivalent.txt:%d: no mutant is \"%s\" there\n", m->lab, e->at,
               e->operator);
        bad++;
    }
    return bad;
}

static int one_lab(struct mutation *m, struct trouble *t)
{
    m->spec = grade_spec(m->kit, m->lab, t);
    if (!m->spec || !prepare(m, t))
        return 2;
    double start = text_now();
    const struct mutant_runs runs = {m->spec, &m->build, m->options, m->lab, m->scratch, m->seed, false, &m->reach};
    printf("%s: %s, seed %08x\n", m->lab, m->build.file, m->seed);
    fflush(stdout);
    if (!check_unchanged(m, &runs, t))
        return 2;
    run_mutants(m->outcomes, &runs, &m->ptx, &m->mutants);
    struct sums s = print_table(m);
    for (int i = 0; i < m->mutants.count; i++)
        print_one(m, i);
    print_left_out(m);
    int bad = count_false_entries(m);
    printf("  %d of %d mutants caught, %d equivalent, %d survived  (%.0f s)\n", s.caught, s.mutants,
           s.equivalent, s.survived, text_now() - start);
    fflush(stdout);
    return s.unjudged ? 2 : s.survived || bad ? 1 : 0;
}

bool mutants_by_case(const struct kit *k, const struct options *o, const char *lab, struct mutant_cases *out, struct trouble *t)
{
    struct mutation m = {.kit = k, .options = o, .lab = lab, .seed = o->has_seed ? o->seed : DEFAULT_SEED};
    *out = (struct mutant_cases){0};
    m.spec = grade_spec(k, lab, t);
    bool ok = m.spec && prepare(&m, t);
    const struct mutant_runs runs = {m.spec, &m.build, o, lab, m.scratch, m.seed, true, &m.reach};
    ok = ok && check_unchanged(&m, &runs, t);
    if (ok)
        run_mutants(m.outcomes, &runs, &m.ptx, &m.mutants);
    for (int i = 0; ok && i < m.mutants.count; i++) {
        uint64_t by = m.outcomes[i].caught_by;
        if (m.outcomes[i].seconds < 0)
            continue;
        out->mutants++;
        out->unjudged += m.outcomes[i].state == OUTCOME_UNJUDGED || m.outcomes[i].state == OUTCOME_NONE;
        for (int c = 0; c < MUTANT_CASES; c++) {
            out->caught[c] += by >> c & 1;
            out->only[c] += by == 1ull << c;
        }
    }
    release(&m);
    return !t->what[0];
}

int mutants(const struct kit *k, const struct options *o, struct trouble *t)
{
    int count = o->labs_count ? o->labs_count : k->labs_count, worst = 0;
    for (int i = 0; i < count; i++) {
        struct mutation m = {.kit = k, .options = o, .seed = o->has_seed ? o->seed : DEFAULT_SEED};
        m.lab = o->labs_count ? kit_find_lab(k, o->labs[i], t) : k->labs[i];
        int status = m.lab ? one_lab(&m, t) : 2;
        release(&m);
        worst = status > worst ? status : worst;
        if (t->what[0])
            return 2;
    }
    return worst;
}
