/**
 * @file record_read.c
 * JSON as a record. Reading is strict about types, since records come back from disk (resume, replay); a member that
 * is missing keeps its zero, so older records stay readable.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/record_json.h"
#include "record/record_rows.h"

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
        return (row->type == STRING || row->type == PICTURE) && json_is_null(j);
    if (row->type == STRING || row->type == PICTURE) {
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
