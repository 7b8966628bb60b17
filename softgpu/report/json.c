/**
 * @file json.c
 * Findings to JSON, through Jansson. Values are printed by their PTX type: signed and floating
 * types as numbers; NaN and infinities, which JSON lacks, as strings.
 */
#include "report/json.h"

#include "host/call_site.h"

#include "base/issuer.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *real_or_string(double d)
{
    if (isfinite(d))
        return json_real(d);
    return json_string(isnan(d) ? "nan" : d > 0 ? "inf" : "-inf");
}

static json_t *value_json(uint64_t bits, enum ptx_type type)
{
    switch (type) {
    case PTX_S8:
        return json_integer((int8_t)bits);
    case PTX_S16:
        return json_integer((int16_t)bits);
    case PTX_S32:
    case PTX_U32: /* nvcc's word for an int, too; a large unsigned number is the rarer case */
    case PTX_B32:
        return json_integer((int32_t)bits);
    case PTX_F32: {
        float f;
        uint32_t b = (uint32_t)bits;
        memcpy(&f, &b, sizeof f);
        return real_or_string((double)f);
    }
    case PTX_F64: {
        double d;
        memcpy(&d, &bits, sizeof d);
        return real_or_string(d);
    }
    default:
        return json_integer((json_int_t)bits);
    }
}

#define MAX_STRING 1000

/** Strings come from source paths and PTX: bytes that are not UTF-8 are replaced, not trusted, and of
 *  one of any length (`#line` takes every name) the end is kept, where a path has its file's name. */
static json_t *string_json(const char *s)
{
    size_t len = strlen(s), n = 0;
    json_t *j = len < MAX_STRING ? json_string(s) : NULL;
    if (j)
        return j;
    char clean[MAX_STRING];
    for (s += len < MAX_STRING ? 0 : len - MAX_STRING + 1; s[n] && n + 1 < sizeof clean; n++)
        clean[n] = s[n] >= 0x20 && s[n] < 0x7f ? s[n] : '?';
    clean[n] = 0;
    return json_string(clean);
}

static json_t *triple_json(const uint32_t v[3])
{
    return json_pack("[i,i,i]", (int)v[0], (int)v[1], (int)v[2]);
}

static json_t *line_json(const struct finding_source *at)
{
    return json_pack("{s:o, s:i}", "file", string_json(at->file), "line", at->line);
}

static json_t *access_json(const struct finding_access *a)
{
    json_t *j = json_object();
    json_object_set_new(j, "op", string_json(a->op ? a->op : "access"));
    json_object_set_new(j, "file", a->file ? string_json(a->file) : json_null());
    json_object_set_new(j, "line", json_integer(a->line));
    if (a->ptx_line)
        json_object_set_new(j, "ptx_line", json_integer(a->ptx_line));
    if (a->inside.file)
        json_object_set_new(j, "inside", line_json(&a->inside));
    if (a->launched.file)
        json_object_set_new(j, "launched", line_json(&a->launched));
    if (a->caller_count) {
        json_t *callers = json_array();
        for (int i = 0; i < a->caller_count; i++)
            json_array_append_new(callers, line_json(&a->callers[i]));
        json_object_set_new(j, "called_from", callers);
    }
    if (a->has_thread) {
        json_object_set_new(j, "block", triple_json(a->block));
        json_object_set_new(j, "thread", triple_json(a->thread));
    }
    if (a->stream) {
        char stream[48];
        stream_words(a->stream, stream, sizeof stream);
        json_object_set_new(j, "stream", json_string(stream));
    }
    if (a->has_value)
        json_object_set_new(j, "value", value_json(a->value, a->type));
    if (a->has_missed)
        json_object_set_new(j, "missed", value_json(a->missed, a->type));
    return j;
}

static json_t *event_json(const struct finding_event *e)
{
    json_t *j = json_object();
    json_object_set_new(j, "op", json_string(e->op));
    if (e->order[0])
        json_object_set_new(j, "order", json_string(e->order));
    json_object_set_new(j, "file", e->file ? string_json(e->file) : json_null());
    json_object_set_new(j, "line", json_integer(e->line));
    json_object_set_new(j, "block", triple_json(e->block));
    json_object_set_new(j, "thread", triple_json(e->thread));
    if (e->object[0]) {
        json_object_set_new(j, "object", string_json(e->object));
        json_object_set_new(j, "offset", json_integer((json_int_t)e->offset));
        if (e->type != PTX_NONE && e->offset % ptx_type_bytes(e->type) == 0)
            json_object_set_new(j, "element_bytes", json_integer(ptx_type_bytes(e->type)));
    }
    if (e->has_value)
        json_object_set_new(j, "value", value_json(e->value, e->type));
    if (e->has_old)
        json_object_set_new(j, "old", value_json(e->old, e->type));
    if (e->has_missed)
        json_object_set_new(j, "missed", value_json(e->missed, e->type));
    if (e->times > 1)
        json_object_set_new(j, "times", json_integer(e->times));
    return j;
}

char *finding_to_json(const struct finding *f, uint64_t seed, uint64_t count)
{
    json_t *j = json_object(), *accesses = json_array();
    for (int i = 0; i < f->access_count; i++)
        json_array_append_new(accesses, access_json(&f->accesses[i]));
    json_object_set_new(j, "kind", json_string(finding_kind_name(f->kind)));
    json_object_set_new(j, "level", json_string(finding_level_name(f->level)));
    json_object_set_new(j, "kernel", f->kernel ? string_json(f->kernel) : json_null());
    json_object_set_new(j, "space", f->space ? json_string(f->space) : json_null());
    json_object_set_new(j, "object", f->object[0] ? string_json(f->object) : json_null());
    json_object_set_new(j, "offset", json_integer((json_int_t)f->offset));
    if (f->part[0])
        json_object_set_new(j, "part", string_json(f->part));
    else if (f->object[0] && finding_element(f))
        json_object_set_new(j, "element_bytes", json_integer(finding_element(f)));
    if (f->object_bytes)
        json_object_set_new(j, "object_bytes", json_integer((json_int_t)f->object_bytes));
    if (f->made && f->made->line)
        json_object_set_new(j, "allocated", json_pack("{s:o, s:i}", "file", string_json(f->made->file), "line",
                                                      f->made->line));
    json_object_set_new(j, "accesses", accesses);
    json_object_set_new(j, "message", string_json(f->message));
    json_object_set_new(j, "rule", string_json(f->rule));
    if (f->suggestion[0])
        json_object_set_new(j, "try", string_json(f->suggestion));
    if (f->mended_by)
        json_object_set_new(j, "mended_by", json_integer(f->mended_by));
    json_object_set_new(j, "count", json_integer((json_int_t)count));
    json_object_set_new(j, "seed", json_integer((json_int_t)seed));
    if (f->event_count) {
        json_t *events = json_array();
        for (int i = 0; i < f->event_count; i++)
            json_array_append_new(events, event_json(&f->events[i]));
        json_object_set_new(j, "interleaving", events);
    }
    char *line = json_dumps(j, JSON_COMPACT);
    json_decref(j);
    return line;
}
