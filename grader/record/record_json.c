/**
 * @file record_json.c
 * The record as JSON and back, both from one set of tables: a row a member. docs/record.md is the
 * schema in words.
 *
 * Reading is strict about types, since records come back from disk (resume, replay); a member that
 * is missing keeps its zero, so older records stay readable.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

enum type { STRING, INT, INT64, HEX32, HEX64, BOOL, REAL, STATE, VERDICT, LEVEL, TRIPLE, STRINGS, LIST, PAIR };

struct row {
    const char *name;
    enum type type;
    size_t offset;
    const struct row *rows; /**< LIST and PAIR: of an element */
    size_t size, count;     /**< of an element; offset of the int that counts them */
};

#define ROW(type, s, member) {#member, type, offsetof(struct s, member), NULL, 0, 0}
#define MANY(kind, s, member, element, table)                                                      \
    {#member, kind, offsetof(struct s, member), table, sizeof(struct element),                     \
     offsetof(struct s, member##_count)}
#define TEXTS(s, member)                                                                           \
    {#member, STRINGS, offsetof(struct s, member), NULL, 0, offsetof(struct s, member##_count)}
#define END {NULL, INT, 0, NULL, 0, 0}

#define ACCESS_ROWS                                                                                \
    ROW(STRING, record_access, op), ROW(STRING, record_access, file),                              \
        ROW(INT, record_access, line), ROW(STRING, record_access, source),                         \
        ROW(BOOL, record_access, has_thread), ROW(TRIPLE, record_access, block),                   \
        ROW(TRIPLE, record_access, thread), ROW(STRING, record_access, value),                     \
        ROW(STRING, record_access, missed)
static const struct row access_rows[] = {ACCESS_ROWS, END};
static const struct row step_rows[] = {ACCESS_ROWS, ROW(STRING, record_access, object),
                                       ROW(INT64, record_access, offset),
                                       ROW(STRING, record_access, old),
                                       ROW(STRING, record_access, order),
                                       ROW(INT, record_access, times), END};

static const struct row counter_rows[] = {
    ROW(STRING, record_counter, name),        ROW(REAL, record_counter, value),
    ROW(BOOL, record_counter, has_reference), ROW(REAL, record_counter, reference), END};

static const struct row finding_rows[] = {
    ROW(VERDICT, record_finding, kind),    ROW(LEVEL, record_finding, level),
    ROW(STRING, record_finding, kernel),   ROW(STRING, record_finding, space),
    ROW(STRING, record_finding, object),   ROW(INT64, record_finding, offset),
    ROW(STRING, record_finding, message),  ROW(STRING, record_finding, rule),
    ROW(STRING, record_finding, suggestion), ROW(INT64, record_finding, count),
    ROW(HEX64, record_finding, seed),
    MANY(PAIR, record_finding, accesses, record_access, access_rows),
    MANY(LIST, record_finding, interleaving, record_access, step_rows), END};

static const struct row case_rows[] = {
    ROW(STRING, record_case, id),      ROW(STRING, record_case, name),
    ROW(STRING, record_case, title),   ROW(BOOL, record_case, hidden),
    ROW(INT, record_case, points),     ROW(INT, record_case, earned),
    ROW(STATE, record_case, state),    ROW(VERDICT, record_case, verdict),
    ROW(BOOL, record_case, kit_fault), ROW(REAL, record_case, seconds),
    ROW(INT, record_case, runs),
    ROW(INT, record_case, runs_passed), ROW(STRING, record_case, message),
    ROW(STRING, record_case, timeline), ROW(STRING, record_case, reference_timeline),
    ROW(STRING, record_case, detail),
    MANY(LIST, record_case, findings, record_finding, finding_rows),
    TEXTS(record_case, hints),
    MANY(LIST, record_case, counters, record_counter, counter_rows),
    ROW(STATE, record_case, gpu),      ROW(VERDICT, record_case, gpu_verdict),
    ROW(REAL, record_case, gpu_seconds), ROW(STRING, record_case, gpu_message), END};

static const struct row part_rows[] = {
    ROW(STRING, record_part, id),      ROW(STRING, record_part, title),
    ROW(INT, record_part, points),     ROW(INT, record_part, earned),
    ROW(STATE, record_part, state),    ROW(STRING, record_part, missing),
    MANY(LIST, record_part, cases, record_case, case_rows), END};

static const struct row property_rows[] = {
    ROW(STRING, record_property, title),   ROW(STRING, record_property, counter),
    ROW(STRING, record_property, case_name), ROW(BOOL, record_property, has_value),
    ROW(BOOL, record_property, has_max),   ROW(BOOL, record_property, has_min),
    ROW(REAL, record_property, value),     ROW(REAL, record_property, max),
    ROW(REAL, record_property, min),       ROW(BOOL, record_property, has_reference),
    ROW(REAL, record_property, reference), ROW(INT, record_property, points),
    ROW(INT, record_property, earned),     ROW(STATE, record_property, state), END};

static const struct row performance_rows[] = {
    ROW(STRING, record_performance, title), ROW(STRING, record_performance, case_name),
    ROW(BOOL, record_performance, has_value), ROW(REAL, record_performance, ratio),
    ROW(REAL, record_performance, low),    ROW(REAL, record_performance, high),
    ROW(REAL, record_performance, us),     ROW(REAL, record_performance, reference_us),
    ROW(REAL, record_performance, floor_us), ROW(INT, record_performance, rounds),
    ROW(INT, record_performance, points),  ROW(INT, record_performance, earned),
    ROW(INT, record_performance, possible), ROW(STATE, record_performance, state),
    ROW(STRING, record_performance, message), END};

static const struct row record_rows[] = {
    ROW(STRING, record, lab),         ROW(STRING, record, folder),
    ROW(STRING, record, title),       ROW(STRING, record, file),
    ROW(STRING, record, device),      ROW(STRING, record, sandbox),
    ROW(STRING, record, version),     ROW(STRING, record, nvcc),
    ROW(STRING, record, command),     ROW(HEX32, record, seed),
    ROW(INT, record, schedules),      ROW(HEX64, record, spec_hash),
    ROW(HEX64, record, source_hash),  ROW(HEX64, record, reference_hash),
    ROW(HEX64, record, harness_hash), ROW(HEX64, record, softgpu_hash),
    ROW(INT64, record, time),         ROW(REAL, record, seconds),
    ROW(INT, record, points),         ROW(INT, record, earned),
    ROW(BOOL, record, kit_fault),
    ROW(BOOL, record, partial),       ROW(STATE, record, state),
    ROW(VERDICT, record, verdict),    ROW(STRING, record, message),
    ROW(STRING, record, next),        MANY(LIST, record, parts, record_part, part_rows),
    MANY(LIST, record, properties, record_property, property_rows),
    ROW(STRING, record, gpu),         ROW(STRING, record, gpu_message),
    ROW(BOOL, record, gpu_reaches_host),
    MANY(LIST, record, performance, record_performance, performance_rows),
    ROW(INT, record, bonus),          ROW(INT, record, bonus_points), TEXTS(record, hints), END};

/* ---- writing ---- */

static json_t *string_out(const char *s)
{
    json_t *j = s ? json_string(s) : json_null();
    if (j)
        return j;
    char *ascii = text_dup(s); /* not UTF-8: what a submission printed may be anything */
    for (char *p = ascii; *p; p++)
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    j = json_string(ascii);
    free(ascii);
    return j;
}

static json_t *hex_out(uint64_t v, int digits)
{
    char *s = text_format("%0*" PRIx64, digits, v);
    json_t *j = json_string(s);
    free(s);
    return j;
}

static json_t *object_out(const void *object, const struct row *rows);

static json_t *list_out(const char *elements, int count, const struct row *row)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, object_out(elements + (size_t)i * row->size, row->rows));
    return list;
}

static json_t *strings_out(char *const *strings, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, string_out(strings[i]));
    return list;
}

static json_t *value_out(const char *object, const struct row *row)
{
    const void *at = object + row->offset;
    const int *triple = at;
    switch (row->type) {
    case STRING:
        return string_out(*(char *const *)at);
    case INT:
        return json_integer(*(const int *)at);
    case INT64:
        return json_integer(*(const int64_t *)at);
    case HEX32:
        return hex_out(*(const uint32_t *)at, 8);
    case HEX64:
        return hex_out(*(const uint64_t *)at, 16);
    case BOOL:
        return json_boolean(*(const bool *)at);
    case REAL:
        return json_real(*(const double *)at);
    case STATE:
        return json_string(record_state_name(*(const enum record_state *)at));
    case VERDICT:
        return json_string(verdict_name(*(const enum verdict *)at));
    case LEVEL:
        return json_string(*(const enum record_level *)at == RECORD_ERROR ? "error" : "warning");
    case TRIPLE:
        return json_pack("[i,i,i]", triple[0], triple[1], triple[2]);
    case STRINGS:
        return strings_out(*(char **const *)at, *(const int *)(object + row->count));
    case LIST:
        return list_out(*(char *const *)at, *(const int *)(object + row->count), row);
    case PAIR:
        return list_out(at, *(const int *)(object + row->count), row);
    }
    return json_null();
}

static json_t *object_out(const void *object, const struct row *rows)
{
    json_t *j = json_object();
    for (const struct row *r = rows; r->name; r++)
        json_object_set_new(j, r->name, value_out(object, r));
    return j;
}

char *record_to_json(const struct record *r)
{
    json_t *j = object_out(r, record_rows), *whole = json_object();
    json_object_set_new(whole, "schema", json_integer(RECORD_SCHEMA));
    json_object_update(whole, j);
    json_object_set_new(whole, "exit", json_integer(record_exit(r)));
    char *text = json_dumps(whole, JSON_INDENT(1));
    json_decref(j);
    json_decref(whole);
    if (!text)
        abort();
    return text;
}

/* ---- reading ---- */

#define MAX_LIST 10000

static bool object_in(void *object, const json_t *j, const struct row *rows, struct trouble *t);

static bool list_in(char *object, const json_t *j, const struct row *row, struct trouble *t)
{
    size_t count = json_array_size(j), max = row->type == PAIR ? 2 : MAX_LIST;
    if (!json_is_array(j) || count > max)
        return trouble_set(t, "the record's %s is not a list of at most %zu", row->name, max);
    char *elements = object + row->offset;
    if (row->type == LIST) {
        elements = text_zalloc(count, row->size);
        *(char **)(object + row->offset) = elements;
    }
    *(int *)(object + row->count) = (int)count;
    for (size_t i = 0; i < count; i++)
        if (!object_in(elements + i * row->size, json_array_get(j, i), row->rows, t))
            return false;
    return true;
}

static bool strings_in(char *object, const json_t *j, const struct row *row, struct trouble *t)
{
    size_t count = json_array_size(j);
    char **list = text_zalloc(count, sizeof *list);
    *(char ***)(object + row->offset) = list;
    *(int *)(object + row->count) = count <= MAX_LIST ? (int)count : 0;
    for (size_t i = 0; i < count && count <= MAX_LIST; i++) {
        const char *s = json_string_value(json_array_get(j, i));
        list[i] = text_dup(s ? s : "");
    }
    return json_is_array(j) || trouble_set(t, "the record's %s is no list", row->name);
}

static bool name_in(void *at, enum type type, const char *s)
{
    if (type == VERDICT) {
        *(enum verdict *)at = verdict_from_name(s);
        return *(enum verdict *)at || !strcmp(s, "none");
    }
    if (type == LEVEL) {
        *(enum record_level *)at = !strcmp(s, "error") ? RECORD_ERROR : RECORD_WARNING;
        return true;
    }
    for (int state = STATE_OK; state <= STATE_NOT_TRIED; state++)
        if (!strcmp(record_state_name((enum record_state)state), s)) {
            *(enum record_state *)at = (enum record_state)state;
            return true;
        }
    return false;
}

static bool text_in(void *at, const struct row *row, const json_t *j)
{
    const char *s = json_string_value(j);
    char *end;
    if (!s)
        return row->type == STRING && json_is_null(j);
    if (row->type == STRING) {
        *(char **)at = text_dup(s);
        return true;
    }
    if (row->type != HEX32 && row->type != HEX64)
        return name_in(at, row->type, s);
    uint64_t v = strtoull(s, &end, 16);
    if (row->type == HEX32)
        *(uint32_t *)at = (uint32_t)v;
    else
        *(uint64_t *)at = v;
    return *s && !*end;
}

static bool value_in(char *object, const json_t *j, const struct row *row, struct trouble *t)
{
    void *at = object + row->offset;
    bool ok = true;
    switch (row->type) {
    case STRINGS:
        return strings_in(object, j, row, t);
    case LIST:
    case PAIR:
        return list_in(object, j, row, t);
    case INT:
        ok = json_is_integer(j);
        *(int *)at = (int)json_integer_value(j);
        break;
    case INT64:
        ok = json_is_integer(j);
        *(int64_t *)at = json_integer_value(j);
        break;
    case BOOL:
        ok = json_is_boolean(j);
        *(bool *)at = json_is_true(j);
        break;
    case REAL:
        ok = json_is_number(j);
        *(double *)at = json_number_value(j);
        break;
    case TRIPLE:
        ok = json_array_size(j) == 3;
        for (size_t i = 0; i < 3; i++)
            ((int *)at)[i] = (int)json_integer_value(json_array_get(j, i));
        break;
    default:
        ok = text_in(at, row, j);
    }
    return ok || trouble_set(t, "the record's %s has a wrong type or value", row->name);
}

static bool object_in(void *object, const json_t *j, const struct row *rows, struct trouble *t)
{
    if (!json_is_object(j))
        return trouble_set(t, "the record has something else where an object must be");
    for (const struct row *r = rows; r->name; r++) {
        const json_t *value = json_object_get(j, r->name);
        if (value && !value_in(object, value, r, t))
            return false;
    }
    return true;
}

/** What reports rely on being there. */
static bool complete(const struct record *r)
{
    bool ok = r->lab && r->folder && r->title && r->file && r->device && r->command && r->sandbox &&
              r->version && r->nvcc;
    for (int p = 0; ok && p < r->parts_count; p++) {
        const struct record_part *part = &r->parts[p];
        ok = part->id && part->title;
        for (int i = 0; ok && i < part->cases_count; i++) {
            const struct record_case *c = &part->cases[i];
            ok = c->id && c->name && c->title;
            for (int f = 0; ok && f < c->findings_count; f++) {
                ok = c->findings[f].message != NULL;
                for (int a = 0; ok && a < c->findings[f].accesses_count; a++)
                    ok = c->findings[f].accesses[a].op != NULL;
                for (int a = 0; ok && a < c->findings[f].interleaving_count; a++)
                    ok = c->findings[f].interleaving[a].op != NULL;
            }
            for (int k = 0; ok && k < c->counters_count; k++)
                ok = c->counters[k].name != NULL;
        }
    }
    for (int i = 0; ok && i < r->properties_count; i++)
        ok = r->properties[i].title && r->properties[i].counter && r->properties[i].case_name;
    for (int i = 0; ok && i < r->performance_count; i++)
        ok = r->performance[i].title && r->performance[i].case_name;
    return ok;
}

/** A record from before there was a second tier says nothing about one. */
static void without_gpu(struct record *r)
{
    for (int p = 0; p < r->parts_count && !r->gpu; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            r->parts[p].cases[i].gpu = STATE_NOT_TRIED;
}

struct record *record_from_json(const char *text, size_t len, struct trouble *t)
{
    json_error_t e;
    json_t *j = json_loadb(text, len, JSON_REJECT_DUPLICATES, &e);
    struct record *r = text_zalloc(1, sizeof *r);
    bool ok = j != NULL;
    if (!ok)
        trouble_set(t, "not a record: line %d: %s", e.line, e.text);
    else if (json_integer_value(json_object_get(j, "schema")) != RECORD_SCHEMA)
        ok = trouble_set(t, "not a record of schema %d", RECORD_SCHEMA);
    ok = ok && object_in(r, j, record_rows, t);
    if (ok && !complete(r))
        ok = trouble_set(t, "the record lacks a member that reports need");
    json_decref(j);
    without_gpu(r);
    if (ok)
        return r;
    record_free(r);
    return NULL;
}
