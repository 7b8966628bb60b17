/**
 * @file progress.c
 * See progress.h.
 */
#include "course/progress.h"
#include "record/record_json.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES (16u << 20)

static char *file_of(const struct kit *k, const char *lab, const char *what)
{
    return text_format("%s/progress/%s.%s", k->build, lab, what);
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

/** A case's pictures, the student's and the reference's. */
static char **picture_of(struct record_case *c, int which)
{
    return which ? &c->reference_timeline : &c->timeline;
}

/** Those of a record, each behind a line with its case, which of the two, and its bytes; none: nothing. */
static void put_pictures(struct text *all, const struct record *r)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int n = 0; n < 2 * r->parts[p].cases_count; n++) {
            struct record_case *c = &r->parts[p].cases[n / 2];
            const char *picture = *picture_of(c, n % 2);
            if (picture)
                text_printf(all, "%s %d %zu\n%s\n", c->name, n % 2, strlen(picture), picture);
        }
}

/** The file's first line: which record's they are. */
static char *key_of(const char *json)
{
    return text_format("%016" PRIx64 "\n", text_hash(TEXT_HASH_START, json, strlen(json)));
}

/** Pictures are most of a host-code lab's record, and JSON's strings are read and written a character at a time: they have a file of their own. */
bool progress_save(const struct kit *k, const struct record *r, struct trouble *t)
{
    char *path = file_of(k, r->folder, "record.json"), *beside = file_of(k, r->folder, "pictures"), *json = record_to_json_bare(r), *key = key_of(json);
    struct text all = {0};
    text_puts(&all, key);
    put_pictures(&all, r);
    unlink(beside); /* ext4 begins to write to the disk what takes another file's place; who finds none there has a record without pictures */
    bool any = all.len > strlen(key), ok = (!any || write_file(k, beside, all.data, t)) && write_file(k, path, json, t);
    text_free(&all);
    free(path);
    free(beside);
    free(json);
    free(key);
    return ok;
}

static bool take_picture(struct record *r, const char *name, int which, const char *picture, size_t len)
{
    struct record_case *c = record_find(r, name);
    if (!c || *picture_of(c, which))
        return false;
    *picture_of(c, which) = text_format("%.*s", (int)len, picture);
    return true;
}

/** @return false if the text is not what was put down with this record */
static bool take_pictures(struct record *r, const char *text, size_t size, const char *key)
{
    const char *at = text + strlen(key), *end = text + size;
    bool ok = size >= strlen(key) && !strncmp(text, key, strlen(key));
    while (ok && at < end) {
        size_t name = strcspn(at, " "), len = 0;
        char *copy = text_format("%.*s", (int)name, at), *picture = NULL;
        int which = at[name] ? at[name + 1] - '0' : -1;
        if (which == 0 || which == 1)
            len = strtoull(at + name + 2, &picture, 10);
        ok = picture && *picture == '\n' && len < (size_t)(end - picture - 1) && picture[1 + len] == '\n' && take_picture(r, copy, which, picture + 1, len);
        at = ok ? picture + len + 2 : end;
        free(copy);
    }
    return ok;
}

struct record *progress_load(const struct kit *k, const char *lab)
{
    char *path = file_of(k, lab, "record.json"), *beside = file_of(k, lab, "pictures");
    const char *why;
    size_t len, size;
    struct trouble t = {0};
    char *text = text_read_file(path, MAX_BYTES, &len, &why), *pictures = text ? text_read_file(beside, MAX_BYTES, &size, &why) : NULL;
    struct record *r = text ? record_from_json(text, len, &t) : NULL;
    char *key = text ? key_of(text) : NULL;
    if (r && pictures && !take_pictures(r, pictures, size, key)) {
        record_free(r);
        r = NULL;
    }
    free(key);
    free(pictures);
    free(text);
    free(beside);
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
    char *path = file_of(k, lab, "hints.json");
    json_t *j = load_hints(path);
    json_int_t n = json_integer_value(json_object_get(j, key));
    json_decref(j);
    free(path);
    return n < 0 || n > 1000 ? 0 : (int)n;
}

bool progress_set_hints(const struct kit *k, const char *lab, const char *key, int opened,
                        struct trouble *t)
{
    char *path = file_of(k, lab, "hints.json");
    json_t *j = load_hints(path);
    json_object_set_new(j, key, json_integer(opened));
    char *text = json_dumps(j, JSON_INDENT(1) | JSON_SORT_KEYS);
    bool ok = text && write_file(k, path, text, t);
    free(text);
    json_decref(j);
    free(path);
    return ok;
}
