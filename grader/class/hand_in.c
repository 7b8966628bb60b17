/**
 * @file hand_in.c
 * What comes with a submission beside its source: when it was handed in, which hints were opened; see class.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "class/class.h"

#define MAX_TIMES (8u << 20)
#define MAX_HINT_STEPS 10

static struct submission *named(struct class *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (!strcmp(c->list[i].name, name))
            return &c->list[i];
    return NULL;
}

/** Takes the quotes and the white space off a field. */
static char *bare(char *field)
{
    field += strspn(field, " \t\"");
    size_t len = strlen(field);
    while (len && strchr(" \t\r\"", field[len - 1]))
        field[--len] = 0;
    return field;
}

/** One line of --times; who is not in this class does not matter, the first line may be a heading. */
static bool take_line(struct class *c, char *line, const char *file, int number, struct trouble *t)
{
    char *comma = strrchr(line, ',');
    if (!*bare(line))
        return true;
    if (!comma)
        return trouble_set(t, "%s:%d: must be a name, a comma and a time", file, number);
    *comma = 0;
    struct submission *s = named(c, bare(line));
    int64_t at;
    const char *why = course_time(bare(comma + 1), c->course ? c->course->time_zone : NULL, &at);
    if (why && (s || number > 1))
        return trouble_set(t, "%s:%d: the time %s", file, number, why);
    if (s && !why)
        s->handed_in = at;
    return true;
}

static bool read_times(struct class *c, const char *file, struct trouble *t)
{
    size_t len;
    const char *why;
    int number = 0;
    char *text = text_read_file(file, MAX_TIMES, &len, &why);
    if (!text)
        return trouble_set(t, "--times %s: %s", file, why);
    for (int i = 0; i < c->count; i++)
        c->list[i].handed_in = 0;
    bool ok = true;
    for (char *line = text, *next; ok && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        ok = take_line(c, line, file, ++number, t);
    }
    for (int i = 0; ok && i < c->count; i++)
        if (!c->list[i].handed_in)
            ok = trouble_set(t, "%s: has no line for %s", file, c->list[i].name);
    free(text);
    return ok;
}

/** "many_blocks missing-acquire": a word for a case and the name of a verdict. Nothing else is believed. */
static bool is_hint(const char *key)
{
    size_t len = strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    if (!len || len > 40 || key[len] != ' ')
        return false;
    for (int v = 1; v < VERDICT_COUNT; v++)
        if (!strcmp(verdict_name(v), key + len + 1))
            return true;
    return false;
}

/** The hints.json beside a folder's kernel.cu, if it is what the grader keeps; else NULL. */
static json_t *hand_in_hints(const struct class *c, const struct submission *s)
{
    const char *slash = strrchr(s->path, '/'), *why, *key;
    if (!slash || s->state != SUBMISSION_READ)
        return NULL;
    char *path = text_format("%.*s/hints.json", (int)(slash - s->path), s->path);
    char *text = submission_file(c, path, &why);
    json_t *all = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL, *hints = NULL, *value;
    if (json_is_object(all) && json_object_size(all) <= 1000) {
        hints = json_object();
        json_object_foreach(all, key, value) {
            json_int_t n = json_integer_value(value);
            if (is_hint(key) && n > 0)
                json_object_set_new(hints, key, json_integer(n < MAX_HINT_STEPS ? n : MAX_HINT_STEPS));
        }
    }
    json_decref(all);
    free(text);
    free(path);
    return hints;
}

bool hand_in_times(struct class *c, const struct kit *k, const struct options *o, const char *lab, struct trouble *t)
{
    if (o->slices) /* a task grades; who asked for it reports */
        return true;
    char *name = kit_short_name(lab);
    bool ok = course_load(k, o->course, &c->course, t);
    c->due = ok ? course_find(c->course, name) : NULL;
    if (ok && c->course && !c->due)
        ok = trouble_set(t, "%s does not list %s", o->course ? o->course : "course.yaml", name);
    ok = ok && (!o->times || read_times(c, o->times, t));
    for (int i = 0; ok && i < c->count; i++) {
        struct submission *s = &c->list[i];
        s->days_late = c->due ? course_days_late(c->course, c->due, s->handed_in) : 0;
        s->hints = hand_in_hints(c, s);
    }
    free(name);
    return ok;
}
