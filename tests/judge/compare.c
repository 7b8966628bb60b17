/**
 * @file compare.c
 * Findings against expectations.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"

/** What matters of one line of the findings file. */
struct seen {
    const char *kind, *level, *message;
    int lines[2];
};

/** Is `kind` one of "a|b|c"? */
static bool kind_in(const char *kinds, const char *kind)
{
    size_t length = strlen(kind);
    for (const char *at = kinds; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (!strncmp(at, kind, length) && (at[length] == '\0' || at[length] == '|'))
            return true;
    return !strcmp(kinds, "*");
}

static bool is_marked(const struct judge_case *c, int marker, int line)
{
    for (int i = 0; i < c->marked[marker].count; i++)
        if (c->marked[marker].lines[i] == line)
            return true;
    return false;
}

/** The lines agree, in either order. */
static bool lines_match(const struct judge_case *c, const struct what *w, const struct seen *s)
{
    int a = w->markers[0], b = w->markers[1];
    if (!a)
        return true;
    if (!b)
        return is_marked(c, a, s->lines[0]) || is_marked(c, a, s->lines[1]);
    return (is_marked(c, a, s->lines[0]) && is_marked(c, b, s->lines[1])) ||
           (is_marked(c, a, s->lines[1]) && is_marked(c, b, s->lines[0]));
}

static bool describes(const struct judge_case *c, const struct what *w, const struct seen *s)
{
    return kind_in(w->kinds, s->kind) &&
           (!strcmp(w->level, "any") || !strcmp(w->level, s->level)) && lines_match(c, w, s);
}

static bool any_describes(const struct judge_case *c, const struct what *w, int count,
                          const struct seen *s)
{
    for (int i = 0; i < count; i++)
        if (describes(c, &w[i], s))
            return true;
    return false;
}

static void say(char *out, size_t size, const char *what, const struct seen *s)
{
    size_t used = strlen(out);
    if (used < size)
        snprintf(out + used, size - used, "    %s: %s %s, lines %d and %d: %s\n", what, s->level,
                 s->kind, s->lines[0], s->lines[1], s->message);
}

/** Lines of another file than the case's count as none. */
static int line_in(const struct judge_case *c, const json_t *access)
{
    const char *file = json_string_value(json_object_get(access, "file"));
    const char *want = strrchr(c->file, '/') ? strrchr(c->file, '/') + 1 : c->file;
    const char *got = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    return got && !strcmp(got, want) ? (int)json_integer_value(json_object_get(access, "line")) : 0;
}

static const char *text_of(const json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s ? s : "";
}

static void judge_one(const struct judge_case *c, const json_t *j, bool *met, char *out, size_t size)
{
    const json_t *accesses = json_object_get(j, "accesses");
    struct seen s = {.kind = text_of(j, "kind"), .level = text_of(j, "level"),
                     .message = text_of(j, "message")};
    for (size_t i = 0; i < 2; i++)
        s.lines[i] = line_in(c, json_array_get(accesses, i));
    bool expected = false;
    for (int i = 0; i < c->expect_count; i++) {
        if (describes(c, &c->expect[i], &s))
            met[i] = expected = true;
    }
    bool serious = !strcmp(s.level, "error") || (c->silent && !strcmp(s.level, "warning"));
    if (serious && !expected && !any_describes(c, c->also, c->also_count, &s))
        say(out, size, c->silent ? "false alarm" : "unexpected", &s);
}

bool compare_findings(const struct judge_case *c, const char *json_path, int launched, char *out,
                      size_t size)
{
    bool met[MAX_WHAT] = {false};
    out[0] = '\0';
    if (launched < 0 || launched == 2 || (c->silent && launched))
        snprintf(out, size, "    the launch %s\n",
                 launched < 0 ? "ended by a signal or was stopped"
                 : launched == 2 ? "could not be made" : "ended in a CUDA error");
    FILE *f = fopen(json_path, "r");
    json_t *j;
    json_error_t error;
    while (f && (j = json_loadf(f, JSON_DISABLE_EOF_CHECK, &error))) {
        judge_one(c, j, met, out, size);
        json_decref(j);
    }
    if (f)
        fclose(f);
    for (int i = 0; i < c->expect_count; i++) {
        const struct what *w = &c->expect[i];
        size_t used = strlen(out);
        if (!met[i] && used < size)
            snprintf(out + used, size - used, "    not found: %s %s, lines %d and %d\n", w->level,
                     w->kinds, w->markers[0] ? c->marked[w->markers[0]].lines[0] : 0,
                     w->markers[1] ? c->marked[w->markers[1]].lines[0] : 0);
    }
    return out[0] == '\0';
}
