/**
 * @file results.c
 * REPORT/class.json; see results.h.
 */
#include "class/results.h"
#include "record/record_json.h"

#include <stdlib.h>
#include <string.h>

#define MAX_JSON (64u << 20)
#define MAX_RECORD (16u << 20)
#define SCHEMA 1

static json_t *row(const struct class *c, const struct submission *s)
{
    int counted;
    bool counts = gradebook_counted(c, s, &counted);
    json_t *j = json_pack("{s:s, s:s, s:b, s:i, s:i, s:i, s:I}", "student", s->name, "verdict",
                          gradebook_cluster_of(s), "counts", counts, "earned", s->record ? s->record->earned : 0,
                          "counted_hundredths", counts ? counted : 0, "days_late", s->days_late, "handed_in",
                          (json_int_t)s->handed_in);
    if (j && s->hints)
        json_object_set(j, "hints", s->hints);
    return j;
}

bool results_write(const struct class *c, const struct record *now, struct trouble *t)
{
    json_t *list = json_array();
    for (int i = 0; i < c->count; i++)
        json_array_append_new(list, row(c, &c->list[i]));
    json_t *j = json_pack("{s:i, s:s, s:i, s:o}", "schema", SCHEMA, "lab", now->lab, "points", now->points, "students", list);
    char *text = json_dumps(j, JSON_INDENT(1)), *path = text_format("%s/class.json", c->report);
    bool ok = text ? text_put_file(path, text, strlen(text), t) : trouble_set(t, "cannot write %s", path);
    free(text);
    free(path);
    json_decref(j);
    return ok;
}

bool results_read(struct results *r, const char *folder, struct trouble *t)
{
    const char *why;
    size_t len;
    json_t *list;
    *r = (struct results){.folder = folder};
    char *path = text_format("%s/class.json", folder), *text = text_read_file(path, MAX_JSON, &len, &why);
    r->json = text ? json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL) : NULL;
    bool ok = r->json && json_integer_value(json_object_get(r->json, "schema")) == SCHEMA &&
              !json_unpack(r->json, "{s:s, s:i, s:o}", "lab", &r->lab, "points", &r->points, "students", &list) &&
              json_is_array(list) && r->points > 0;
    r->list = ok ? text_zalloc(json_array_size(list) + 1, sizeof *r->list) : NULL;
    for (size_t i = 0; ok && i < json_array_size(list); i++) {
        struct result *s = &r->list[i];
        json_int_t at;
        int counts;
        ok = !json_unpack(json_array_get(list, i), "{s:s, s:s, s:b, s:i, s:i, s:I}", "student", &s->student, "verdict",
                          &s->verdict, "counts", &counts, "earned", &s->earned, "counted_hundredths", &s->counted,
                          "handed_in", &at);
        s->counts = ok && counts;
        s->handed_in = ok ? at : 0;
        s->hints = json_object_get(json_array_get(list, i), "hints");
        r->count += ok;
    }
    if (!ok)
        trouble_set(t, "%s: %s", path, text ? "is not what ./grade LAB --submissions … --report writes" : why);
    if (!ok && !text)
        trouble_todo(t, "grade the class first: ./grade LAB --submissions DIR --report %.200s", folder);
    free(text);
    free(path);
    return ok;
}

void results_records(struct results *r)
{
    for (int i = 0; i < r->count; i++) {
        const char *why;
        size_t len;
        struct trouble t = {0};
        char *path = text_format("%s/records/%s.json", r->folder, r->list[i].student);
        char *text = strcmp(r->list[i].verdict, "rejected") ? text_read_file(path, MAX_RECORD, &len, &why) : NULL;
        r->list[i].record = text ? record_from_json(text, len, &t) : NULL;
        free(text);
        free(path);
    }
}

void results_free(struct results *r)
{
    for (int i = 0; i < r->count; i++)
        record_free(r->list[i].record);
    free(r->list);
    json_decref(r->json);
}
