/**
 * @file progress.c
 * See progress.h.
 */
#include "course/progress.h"
#include "record/record_json.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (16u << 20)

static char *file_of(const struct kit *k, const char *lab, const char *what)
{
    return text_format("%s/progress/%s.%s.json", k->build, lab, what);
}

static bool write_file(const struct kit *k, const char *path, const char *text, struct trouble *t)
{
    char *folder = text_format("%s/progress", k->build);
    bool ok = text_make_dirs(folder) && text_write_file(path, text, strlen(text));
    if (!ok)
        trouble_set(t, "cannot keep the progress in %s: %s", folder, strerror(errno));
    free(folder);
    return ok;
}

bool progress_save(const struct kit *k, const struct record *r, struct trouble *t)
{
    char *path = file_of(k, r->folder, "record"), *json = record_to_json(r);
    bool ok = write_file(k, path, json, t);
    free(path);
    free(json);
    return ok;
}

struct record *progress_load(const struct kit *k, const char *lab)
{
    char *path = file_of(k, lab, "record");
    const char *why;
    size_t len;
    struct trouble t = {0};
    char *text = text_read_file(path, MAX_BYTES, &len, &why);
    struct record *r = text ? record_from_json(text, len, &t) : NULL;
    free(text);
    free(path);
    return r;
}

static json_t *load_hints(const char *path)
{
    const char *why;
    size_t len;
    char *text = text_read_file(path, MAX_BYTES, &len, &why);
    json_t *j = text ? json_loadb(text, len, 0, NULL) : NULL;
    free(text);
    if (json_is_object(j))
        return j;
    json_decref(j);
    return json_object();
}

int progress_hints(const struct kit *k, const char *lab, const char *key)
{
    char *path = file_of(k, lab, "hints");
    json_t *j = load_hints(path);
    json_int_t n = json_integer_value(json_object_get(j, key));
    json_decref(j);
    free(path);
    return n < 0 || n > 1000 ? 0 : (int)n;
}

bool progress_set_hints(const struct kit *k, const char *lab, const char *key, int opened,
                        struct trouble *t)
{
    char *path = file_of(k, lab, "hints");
    json_t *j = load_hints(path);
    json_object_set_new(j, key, json_integer(opened));
    char *text = json_dumps(j, JSON_INDENT(1) | JSON_SORT_KEYS);
    bool ok = text && write_file(k, path, text, t);
    free(text);
    json_decref(j);
    free(path);
    return ok;
}
