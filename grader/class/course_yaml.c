/**
 * @file course_yaml.c
 * course.yaml by libcyaml, with the same complaints as a lab.yaml; see course_yaml.h.
 */
#include "class/course_yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spec/document.h"

#define MAX_BYTES (64u << 10)
#define DAY 86400

#define OPT CYAML_FLAG_OPTIONAL
#define TEXT(key, flags, type, member, max)                                                        \
    CYAML_FIELD_STRING_PTR(key, (flags) | CYAML_FLAG_POINTER, struct type, member, 1, max)

static const cyaml_schema_field_t late_fields[] = {
    CYAML_FIELD_INT("grace_minutes", OPT, struct course_late, grace_minutes),
    CYAML_FIELD_INT("percent_per_day", OPT, struct course_late, percent_per_day),
    CYAML_FIELD_INT("days", OPT, struct course_late, days), CYAML_FIELD_END};
static const cyaml_schema_field_t lab_fields[] = {
    TEXT("lab", CYAML_FLAG_DEFAULT, course_lab, lab, 100),
    CYAML_FIELD_FLOAT("weight", OPT, struct course_lab, weight),
    TEXT("due", OPT, course_lab, due, 80),
    CYAML_FIELD_MAPPING_PTR("late", OPT | CYAML_FLAG_POINTER, struct course_lab, late, late_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t lab_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct course_lab, lab_fields)};
static const cyaml_schema_field_t top_fields[] = {
    TEXT("title", OPT, course, title, 100),
    TEXT("time_zone", OPT, course, time_zone, 60),
    CYAML_FIELD_MAPPING("late", OPT, struct course, late, late_fields),
    CYAML_FIELD_SEQUENCE("labs", CYAML_FLAG_POINTER, struct course, labs, &lab_entry, 1, 100), CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct course, top_fields)};
static const cyaml_config_t config = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_NO_ALIAS};

/** Complains at a key of a mapping. */
static bool wrong(struct spec_document *d, struct trouble *t, const char *at, const char *key, const char *why)
{
    char *path = text_format("%s%s%s", at, *at ? "." : "", key);
    document_trouble(d, t, path, "%s", why);
    free(path);
    return false;
}

static bool check_late(const struct course_late *l, struct spec_document *d, const char *at, struct trouble *t)
{
    if (l->grace_minutes < 0 || l->grace_minutes > 1440)
        return wrong(d, t, at, "grace_minutes", "allowed: 0 to 1440");
    if (l->percent_per_day < 0 || l->percent_per_day > 100)
        return wrong(d, t, at, "percent_per_day", "allowed: 0 to 100");
    if (l->days < 0 || l->days > 365 || (!l->days && document_at(d, "%s.days", at)))
        return wrong(d, t, at, "days", "allowed: 1 to 365; leave it out if a late lab always counts");
    return true;
}

/** One row: its lab by the short name, its weight, its time. */
static bool check_lab(struct course *c, unsigned i, const struct kit *k, struct spec_document *d, struct trouble *t)
{
    struct course_lab *l = &c->labs[i];
    struct trouble unknown = {0};
    char *at = text_format("labs[%u]", i), *late = text_format("labs[%u].late", i);
    const char *folder = kit_find_lab(k, l->lab, &unknown), *why = NULL;
    bool ok = folder || wrong(d, t, at, "lab", unknown.what);
    if (ok) {
        char *name = kit_short_name(folder);
        ok = !course_find(c, name) || course_find(c, name) >= l || wrong(d, t, at, "lab", "stands here twice");
        free(l->lab);
        l->lab = name;
    }
    if (!document_at(d, "labs[%u].weight", i))
        l->weight = 1;
    if (ok && (!isfinite(l->weight) || l->weight < 0 || l->weight > 1000))
        ok = wrong(d, t, at, "weight", "allowed: 0 to 1000");
    if (ok && l->due && (why = course_time(l->due, c->time_zone, &l->due_time)))
        ok = wrong(d, t, at, "due", why);
    ok = ok && (!l->late || check_late(l->late, d, late, t));
    if (ok && l->late && !l->due)
        ok = wrong(d, t, at, "late", "means nothing for a lab that is never due");
    free(at);
    free(late);
    return ok;
}

static bool check(struct course *c, const struct kit *k, struct spec_document *d, struct trouble *t)
{
    int64_t at;
    const char *why = c->time_zone ? course_time("2026-01-01 12:00", c->time_zone, &at) : NULL;
    double weights = 0;
    if (why)
        return wrong(d, t, "", "time_zone", why);
    bool ok = check_late(&c->late, d, "late", t);
    for (unsigned i = 0; ok && i < c->labs_count; weights += c->labs[i++].weight)
        ok = check_lab(c, i, k, d, t);
    return ok && (weights > 0 || wrong(d, t, "", "labs", "have no weight at all"));
}

static bool fill(struct course **c, const struct kit *k, struct spec_document *d, const char *text, size_t len,
                 struct trouble *t)
{
    if (!document_explain(d, &schema, t))
        return false;
    cyaml_err_t e = cyaml_load_data((const uint8_t *)text, len, &config, &schema, (cyaml_data_t **)c, NULL);
    if (e != CYAML_OK || !*c)
        return trouble_set(t, "%s: %s", d->shown, cyaml_strerror(e));
    return check(*c, k, d, t);
}

bool course_load(const struct kit *k, const char *path, struct course **c, struct trouble *t)
{
    size_t len;
    const char *why, *shown = path ? path : "course.yaml";
    char *own = kit_path(k, "course.yaml");
    *c = NULL;
    bool none = !path && access(own, F_OK);
    char *text = none ? NULL : text_read_file(path ? path : own, MAX_BYTES, &len, &why);
    bool ok = none || text || trouble_set(t, "%s: %s", shown, why);
    if (text) {
        struct spec_document d;
        ok = document_open(&d, text, len, shown, t) && fill(c, k, &d, text, len, t);
        document_close(&d);
        free(text);
    }
    free(own);
    if (!ok) {
        trouble_todo(t, "docs/class.md, \"Weights, due dates, late work\", explains every key");
        course_free(*c);
        *c = NULL;
    }
    return ok;
}

void course_free(struct course *c)
{
    cyaml_free(&config, &schema, c, 0);
}

const struct course_lab *course_find(const struct course *c, const char *lab)
{
    for (unsigned i = 0; c && i < c->labs_count; i++)
        if (!strcmp(c->labs[i].lab, lab))
            return &c->labs[i];
    return NULL;
}

static const struct course_late *policy(const struct course *c, const struct course_lab *l)
{
    return l->late ? l->late : &c->late;
}

int course_days_late(const struct course *c, const struct course_lab *l, int64_t handed_in)
{
    int64_t late = l->due ? handed_in - l->due_time : 0;
    int64_t days = late <= 60 * (int64_t)policy(c, l)->grace_minutes ? 0 : (late + DAY - 1) / DAY;
    return days > 9999 ? 9999 : (int)days;
}

int course_counted(const struct course *c, const struct course_lab *l, int earned, int days)
{
    const struct course_late *p = policy(c, l);
    int percent = 100 - days * p->percent_per_day;
    if (percent < 0 || (p->days && days > p->days))
        percent = 0;
    return earned * percent;
}

char *course_points(int hundredths)
{
    return hundredths % 10 ? text_format("%d.%02d", hundredths / 100, hundredths % 100)
           : hundredths % 100 ? text_format("%d.%d", hundredths / 100, hundredths % 100 / 10)
                              : text_format("%d", hundredths / 100);
}
