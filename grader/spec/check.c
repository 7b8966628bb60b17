/**
 * @file check.c
 * The rules between keys of a spec; see check.h. Each complaint names the key and what is allowed.
 */
#include "spec/check.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    struct spec *s;
    struct spec_document *d;
    struct trouble *t;
};

#define COMPLAIN(c, path, ...) document_trouble((c)->d, (c)->t, path, __VA_ARGS__)

/** Complains at a path made on the fly; always false. */
static bool complain_at(struct checking *c, char *path, const char *message)
{
    COMPLAIN(c, path, "%s", message);
    free(path);
    return false;
}

static bool range(struct checking *c, char *path, uint64_t value, uint64_t min, uint64_t max)
{
    bool ok = value >= min && value <= max;
    if (!ok)
        COMPLAIN(c, path, "is %lld; allowed: %llu to %llu", (long long)value,
                 (unsigned long long)min, (unsigned long long)max);
    free(path);
    return ok;
}

static bool made_of(const char *s, const char *also, bool lower_only)
{
    for (; *s; s++)
        if (!isdigit((unsigned char)*s) && !strchr(also, *s) &&
            !(lower_only ? islower((unsigned char)*s) : isalpha((unsigned char)*s)))
            return false;
    return true;
}

static bool check_rule(struct checking *c, const char *path, double absolute, double relative)
{
    if (!(absolute >= 0) || !isfinite(absolute))
        return complain_at(c, text_format("%s.absolute", path), "must be a number of 0 or more");
    if (!(relative >= 0 && relative <= 1))
        return complain_at(c, text_format("%s.relative", path), "must be from 0 to 1");
    return true;
}

static bool check_compare(struct checking *c, const struct spec_compare *r, const char *path)
{
    bool ok = check_rule(c, path, r->absolute, r->relative);
    for (unsigned i = 0; ok && i < r->arrays_count; i++) {
        char *below = text_format("%s.arrays[%u]", path, i);
        ok = check_rule(c, below, r->arrays[i].absolute, r->arrays[i].relative);
        free(below);
    }
    return ok;
}

/** A limit of 0 is one that was left out. */
static bool check_limits(struct checking *c, const struct spec_limits *l, const char *path)
{
    const struct {
        const char *key;
        uint64_t value, min, max;
    } rows[] = {
        {"seconds", l->seconds, 1, 600},       {"bytes", l->bytes, 16, 65536},
        {"output", l->output, 1, 65536},       {"result", l->result, 1, 4194304},
        {"steps", l->steps, 1, 1000000000000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (document_at(c->d, "%s.%s", path, rows[i].key) &&
            !range(c, text_format("%s.%s", path, rows[i].key), rows[i].value, rows[i].min,
                   rows[i].max))
            return false;
    return true;
}

/** The line of a key; 0 if it is not there. */
static size_t line_of(struct checking *c, const char *path, const char *key)
{
    yaml_node_t *n = document_at(c->d, "%s%s", path, key);
    return n ? n->start_mark.line + 1 : 0;
}

/** A case that counts only with another one: that one is in the same part, and counts by itself. */
static bool check_counts_with(struct checking *c, const struct spec_part *part,
                              const struct spec_case *k, const char *path)
{
    for (unsigned i = 0; k->counts_with && i < part->cases_count; i++)
        if (!strcmp(part->cases[i].name, k->counts_with) && !part->cases[i].counts_with)
            return true;
    return !k->counts_with ||
           complain_at(c, text_format("%s.counts_with", path),
                       "allowed: another case of the part that has no counts_with itself");
}

/** A case that waits for another one: that one stands earlier in the same part, so nothing waits for itself. */
static bool check_after(struct checking *c, const struct spec_part *part, const struct spec_case *k,
                        const char *path)
{
    for (const struct spec_case *e = part->cases; k->after && e < k; e++)
        if (!strcmp(e->name, k->after))
            return true;
    return !k->after || complain_at(c, text_format("%s.after", path),
                                    "allowed: a case of the part that stands earlier");
}

static bool check_places(struct checking *c, const struct spec_case *k, const char *path)
{
    if (k->places && !made_of(k->places, "_", true))
        return complain_at(c, text_format("%s.places", path), "allowed: a-z 0-9 _");
    return !k->places || !k->exhaustive ||
           complain_at(c, text_format("%s.exhaustive", path), "not allowed beside places");
}

static bool check_case(struct checking *c, unsigned p, unsigned i)
{
    struct spec_case *k = &c->s->parts[p].cases[i];
    char path[64];
    snprintf(path, sizeof path, "parts[%u].cases[%u]", p, i);
    if (!made_of(k->name, "_-", true))
        return complain_at(c, text_format("%s.name", path), "allowed: a-z 0-9 _ -");
    if (spec_find_case(c->s, k->name) != k)
        return complain_at(c, text_format("%s.name", path), "another case has this name");
    if (k->distribution && !made_of(k->distribution, "_-", true))
        return complain_at(c, text_format("%s.distribution", path), "allowed: a-z 0-9 _ -");
    if (!check_counts_with(c, &c->s->parts[p], k, path) || !check_after(c, &c->s->parts[p], k, path) ||
        !check_places(c, k, path))
        return false;
    k->line = line_of(c, path, "");
    k->params_line = line_of(c, path, ".params");
    k->distribution_line = line_of(c, path, ".distribution");
    if (!document_at(c->d, "%s.seeds", path))
        k->seeds = 1;
    if (!document_at(c->d, "%s.schedules", path))
        k->schedules = 1;
    bool ok = range(c, text_format("%s.points", path), (uint64_t)k->points, 0, 10000) &&
              range(c, text_format("%s.seeds", path), k->seeds, 1, 100) &&
              range(c, text_format("%s.schedules", path), k->schedules, 1, 1000);
    char *below = text_format("%s.compare", path);
    ok = ok && (!k->compare || check_compare(c, k->compare, below));
    free(below);
    below = text_format("%s.limits", path);
    ok = ok && (!k->limits || check_limits(c, k->limits, below));
    free(below);
    return ok;
}

static bool check_part(struct checking *c, unsigned p)
{
    struct spec_part *part = &c->s->parts[p];
    if (!made_of(part->id, "", false))
        return complain_at(c, text_format("parts[%u].id", p), "allowed: letters and digits");
    for (unsigned i = 0; i < p; i++)
        if (!strcmp(c->s->parts[i].id, part->id))
            return complain_at(c, text_format("parts[%u].id", p), "another part has this id");
    for (unsigned n = 0; n < part->needs_count; n++) {
        bool found = false;
        for (unsigned i = 0; i < p; i++)
            found |= !strcmp(c->s->parts[i].id, part->needs[n]);
        if (!found)
            return complain_at(c, text_format("parts[%u].needs[%u]", p, n),
                               "allowed: the id of a part that stands earlier");
    }
    for (unsigned n = 0; n < part->calls_count; n++)
        if (!spec_has_entry(c->s, part->calls[n]))
            return complain_at(c, text_format("parts[%u].calls[%u]", p, n), "allowed: the name of one of the lab's functions or kernels");
    for (unsigned i = 0; i < part->cases_count; i++)
        if (!check_case(c, p, i))
            return false;
    return true;
}

static bool is_ratio(double v)
{
    return v > 0 && v <= 1000;
}

static bool check_property(struct checking *c, unsigned i)
{
    struct spec_property *p = &c->s->properties[i];
    if (!p->max && !p->min && !p->at_most_reference && !p->at_least_reference)
        return complain_at(c, text_format("properties[%u]", i),
                           "needs one of max, min, at_most_reference, at_least_reference");
    if ((p->max && p->at_most_reference) || (p->min && p->at_least_reference))
        return complain_at(c, text_format("properties[%u]", i),
                           "has a bound and a ratio for the same side; allowed: one of them");
    if ((p->at_most_reference && !is_ratio(*p->at_most_reference)) ||
        (p->at_least_reference && !is_ratio(*p->at_least_reference)))
        return complain_at(c, text_format("properties[%u]", i),
                           "a ratio to the reference must be above 0 and at most 1000");
    if (p->case_name && !spec_find_case(c->s, p->case_name))
        return complain_at(c, text_format("properties[%u].case", i), "no case has this name");
    if (p->case_name && spec_find_case(c->s, p->case_name)->places)
        return complain_at(c, text_format("properties[%u].case", i),
                           "a case with places does not run the student's code");
    if (p->kernel && p->object)
        return complain_at(c, text_format("properties[%u]", i), "allowed: one of kernel, object");
    if (p->required == (document_at(c->d, "properties[%u].points", i) != NULL))
        return complain_at(c, text_format("properties[%u]", i),
                           "needs either points or required: true");
    return range(c, text_format("properties[%u].points", i), (uint64_t)p->points, 0, 10000);
}

static bool check_performance(struct checking *c, unsigned i)
{
    struct spec_performance *p = &c->s->performance[i];
    bool found;
    if (c->s->code == SPEC_HOST)
        return complain_at(c, text_format("performance[%u]", i),
                           "allowed with code: device only: a student's host code could reach the "
                           "clock that times it");
    if (!spec_find_case(c->s, p->case_name))
        return complain_at(c, text_format("performance[%u].case", i), "no case has this name");
    int64_t elements = spec_performance_param(c->s, p, p->elements, &found);
    if (!found || elements < 1)
        return complain_at(c, text_format("performance[%u].elements", i),
                           "allowed: a parameter of the entry or its case, of 1 or more");
    if (!(p->bytes_per_element > 0 && p->bytes_per_element <= 1e6))
        return complain_at(c, text_format("performance[%u].bytes_per_element", i),
                           "must be above 0, at most 1000000");
    if (!document_at(c->d, "performance[%u].rounds", i))
        p->rounds = 21;
    if (!range(c, text_format("performance[%u].rounds", i), p->rounds, 9, 101))
        return false;
    for (unsigned b = 0; b < p->bands_count; b++) {
        const struct spec_band *band = &p->bands[b];
        if (!(band->ratio > 0 && band->ratio <= 1000) || band->credit < 0 || band->credit > 100)
            return complain_at(c, text_format("performance[%u].bands[%u]", i, b),
                               "allowed: a ratio above 0 up to 1000 and a credit of 0 to 100");
        if (b && (band->ratio <= band[-1].ratio || band->credit >= band[-1].credit))
            return complain_at(c, text_format("performance[%u].bands[%u]", i, b),
                               "ratios must ascend and credits descend");
    }
    return range(c, text_format("performance[%u].points", i), (uint64_t)p->points, 0, 10000);
}

static bool check_hint(struct checking *c, unsigned i)
{
    struct spec_hint *h = &c->s->hints[i];
    bool part = false;
    if (!!h->finding + !!h->case_name + !!h->part != 1)
        return complain_at(c, text_format("hints[%u]", i),
                           "needs exactly one of finding, case, part");
    if (h->finding && !verdict_from_name(h->finding))
        return complain_at(c, text_format("hints[%u].finding", i),
                           "not a kind of finding or verdict (docs/lab_yaml.md lists them)");
    if (h->case_name && !spec_find_case(c->s, h->case_name))
        return complain_at(c, text_format("hints[%u].case", i), "no case has this name");
    for (unsigned p = 0; h->part && p < c->s->parts_count; p++)
        part |= !strcmp(c->s->parts[p].id, h->part);
    if (h->part && !part)
        return complain_at(c, text_format("hints[%u].part", i), "no part has this id");
    return true;
}

static bool check_sum(struct checking *c)
{
    long sum = 0;
    for (unsigned p = 0; p < c->s->parts_count; p++)
        for (unsigned i = 0; i < c->s->parts[p].cases_count; i++)
            sum += c->s->parts[p].cases[i].points;
    for (unsigned i = 0; i < c->s->properties_count; i++)
        sum += c->s->properties[i].points;
    if (sum != c->s->points)
        return COMPLAIN(c, "points",
                        "is %d, but the cases and properties add up to %ld; make them equal",
                        c->s->points, sum);
    return true;
}

static bool check_names(struct checking *c)
{
    const struct {
        const char *key, *message;
        const struct spec_kernel *list;
        unsigned count;
    } rows[] = {{"kernels", "must be a C identifier (the kernel is extern \"C\")", c->s->kernels,
                 c->s->kernels_count},
                {"functions", "must be a C identifier (the function is extern \"C\")",
                 c->s->functions, c->s->functions_count}};
    for (int r = 0; r < 2; r++)
        for (unsigned i = 0; i < rows[r].count; i++)
            if (!made_of(rows[r].list[i].name, "_", false) ||
                isdigit((unsigned char)rows[r].list[i].name[0]))
                return complain_at(c, text_format("%s[%u].name", rows[r].key, i), rows[r].message);
    if (c->s->code == SPEC_DEVICE && !c->s->kernels_count)
        return COMPLAIN(c, "kernels", "must list the kernels that the harness launches");
    if (c->s->code == SPEC_DEVICE && c->s->functions_count)
        return COMPLAIN(c, "functions", "only a lab with \"code: host\" has functions");
    if (c->s->code == SPEC_HOST && !c->s->functions_count)
        return COMPLAIN(c, "functions", "must list the functions that the harness calls");
    const char *digits = c->s->arch + strlen("compute_");
    if (strncmp(c->s->arch, "compute_", 8) || strlen(digits) < 2 || strlen(digits) > 4 ||
        atoi(digits) < 75)
        return COMPLAIN(c, "arch", "is %s; allowed: compute_75 and above", c->s->arch);
    return true;
}

/** Labs are named by their short names. */
static bool check_needs(struct checking *c)
{
    for (unsigned n = 0; n < c->s->needs_count; n++) {
        const char *name = c->s->needs[n];
        if (strlen(name) != 5 || strncmp(name, "lab", 3) || !isdigit((unsigned char)name[3]) ||
            !isdigit((unsigned char)name[4]))
            return complain_at(c, text_format("needs[%u]", n), "allowed: a lab's short name, as lab03");
    }
    return true;
}

static void put_defaults(struct spec *s)
{
    const struct spec_limits standard = {10, 2048, 64, 65536, 2000000000};
    if (!s->arch)
        s->arch = text_dup("compute_75");
    if (!s->devices)
        s->devices = 1;
    if (!s->compare.rule)
        s->compare.rule = RULE_EXACT;
#define DEFAULT(key) s->limits.key = s->limits.key ? s->limits.key : standard.key
    DEFAULT(seconds);
    DEFAULT(bytes);
    DEFAULT(output);
    DEFAULT(result);
    DEFAULT(steps);
#undef DEFAULT
}

bool spec_check(struct spec *s, struct spec_document *d, struct trouble *t)
{
    struct checking c = {s, d, t};
    bool ok = check_limits(&c, &s->limits, "limits");
    put_defaults(s);
    ok = ok && range(&c, text_dup("points"), (uint64_t)s->points, 1, 10000) &&
         range(&c, text_dup("devices"), (uint64_t)s->devices, 1, 8) && check_names(&c) &&
         check_needs(&c) && check_compare(&c, &s->compare, "compare");
    for (unsigned i = 0; ok && i < s->parts_count; i++)
        ok = check_part(&c, i);
    for (int v = 0; ok && v < VERDICT_FINDING_COUNT; v++)
        ok = range(&c, text_format("credit.%s", verdict_name((enum verdict)v)),
                   (uint64_t)s->credit.percent[v], 0, 100);
    for (unsigned i = 0; ok && i < s->properties_count; i++)
        ok = check_property(&c, i);
    for (unsigned i = 0; ok && i < s->performance_count; i++)
        ok = check_performance(&c, i);
    for (unsigned i = 0; ok && i < s->hints_count; i++)
        ok = check_hint(&c, i);
    return ok && check_sum(&c);
}
