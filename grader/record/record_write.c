/**
 * @file record_write.c
 * The record as JSON.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/record_json.h"
#include "record/record_rows.h"

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

static json_t *object_out(const void *object, const struct row *rows, bool pictures);

static json_t *list_out(const char *elements, int count, const struct row *row, bool pictures)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, object_out(elements + (size_t)i * row->size, row->rows, pictures));
    return list;
}

static json_t *strings_out(char *const *strings, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, string_out(strings[i]));
    return list;
}

static json_t *value_out(const char *object, const struct row *row, bool pictures)
{
    const void *at = object + row->offset;
    const int *triple = at;
    switch (row->type) {
    case PICTURE:
        return string_out(pictures ? *(char *const *)at : NULL);
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
        return list_out(*(char *const *)at, *(const int *)(object + row->count), row, pictures);
    case PAIR:
        return list_out(at, *(const int *)(object + row->count), row, pictures);
    }
    return json_null();
}

static json_t *object_out(const void *object, const struct row *rows, bool pictures)
{
    json_t *j = json_object();
    for (const struct row *r = rows; r->name; r++)
        json_object_set_new(j, r->name, value_out(object, r, pictures));
    return j;
}

static char *to_json(const struct record *r, bool pictures)
{
    json_t *j = object_out(r, record_rows, pictures), *whole = json_object();
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

char *record_to_json(const struct record *r)
{
    return to_json(r, true);
}

char *record_to_json_bare(const struct record *r)
{
    return to_json(r, false);
}
