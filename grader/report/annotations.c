/**
 * @file annotations.c
 * The record for what shows messages beside lines: SARIF 2.1.0 for code scanning, workflow commands for
 * GitHub Actions.
 *
 * Each finding is told once, however many cases it fails; hidden cases' are not told at all.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "report/test_rows.h"
#include "report/words.h"

/** A message at a line; `line` is 0 where only the file is known. */
struct note {
    const char *rule;
    bool error;
    const char *file; /**< NULL: what was graded */
    int line;
    char *message;
    const struct record_access *other; /**< the second access; NULL: none */
};

struct notes {
    struct note *list;
    int count;
};

static void add(struct notes *n, struct note note)
{
    for (int i = 0; i < n->count; i++) {
        const struct note *old = &n->list[i];
        bool same = !strcmp(old->rule, note.rule) && old->line == note.line &&
                    (note.line ? (old->other ? old->other->line : 0) ==
                                     (note.other ? note.other->line : 0)
                               : !strcmp(old->message, note.message));
        if (same) {
            free(note.message);
            return;
        }
    }
    n->list = realloc(n->list, (size_t)(n->count + 1) * sizeof *n->list);
    if (!n->list)
        abort();
    n->list[n->count++] = note;
}

static char *finding_text(const struct record_finding *f, const struct record_case *c)
{
    struct text t = {0};
    text_printf(&t, "%s", f->message);
    if (f->suggestion && !f->tried)
        text_printf(&t, "\nTry: %s", f->suggestion);
    text_printf(&t, "\nCase: %s", c->title);
    return t.data;
}

static void add_case(struct notes *n, const struct record_case *c)
{
    if (c->hidden || c->state == STATE_NOT_TRIED)
        return;
    for (int i = 0; i < c->findings_count; i++) {
        const struct record_finding *f = &c->findings[i];
        const struct record_access *a = f->accesses_count ? &f->accesses[0] : NULL;
        add(n, (struct note){verdict_name(f->kind), f->level == RECORD_ERROR, a ? a->file : NULL,
                             a && a->file ? a->line : 0, finding_text(f, c),
                             f->accesses_count > 1 && f->accesses[1].file ? &f->accesses[1] : NULL});
    }
    if (c->state == STATE_OK || c->findings_count)
        return;
    add(n, (struct note){c->state == STATE_UNJUDGED ? "could-not-judge" : verdict_name(c->verdict),
                         c->state == STATE_FAIL, NULL, 0,
                         text_format("%s: %s", c->title, c->message ? c->message : "failed"), NULL});
}

/** The compiler's lines, "kernel.cu:41: error: …"; whatever else stands between them is left out. */
static void add_errors(struct notes *n, const struct record *r)
{
    int before = n->count;
    for (const char *p = r->message; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t len = strcspn(p, "\n");
        const char *colon = memchr(p, ':', len);
        char *end;
        long line = colon && isdigit((unsigned char)colon[1]) ? strtol(colon + 1, &end, 10) : 0;
        if (line <= 0 || line > 1 << 30 || strncmp(end, ": ", 2))
            continue;
        bool warning = !strncmp(end, ": warning", 9);
        end += strncmp(end, ": error: ", 9) ? 2 : 9;
        add(n, (struct note){warning ? "compile-warning" : "compile-error", !warning, NULL, (int)line,
                             text_format("%.*s", (int)(p + len - end), end), NULL});
    }
    if (n->count == before)
        add(n, (struct note){"compile-error", true, NULL, 0,
                             text_dup(r->message ? r->message : "does not compile"), NULL});
}

static struct notes collect(const struct record *r)
{
    struct notes n = {0};
    if (r->verdict == VERDICT_COMPILE_ERROR) {
        add_errors(&n, r);
        return n;
    }
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            add_case(&n, &r->parts[p].cases[i]);
    for (int i = 0; i < r->properties_count; i++)
        if (r->properties[i].state == STATE_FAIL && !r->properties[i].required)
            add(&n, (struct note){"property", true, NULL, 0, text_dup(r->properties[i].title), NULL});
    return n;
}

static void release(struct notes *n)
{
    for (int i = 0; i < n->count; i++)
        free(n->list[i].message);
    free(n->list);
}

/** The file below the current folder, as both readers want it: a finding has only the graded file's last
 *  name. Another file's (a header's) name stays as it is. */
static const char *place(const struct record *r, const char *file)
{
    static char folder[4096];
    const char *slash = strrchr(r->file, '/'), *whole = r->file;
    if (file && strcmp(file, slash ? slash + 1 : whole) && strcmp(file, whole))
        return file;
    size_t len = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    return len && !strncmp(whole, folder, len) && whole[len] == '/' ? whole + len + 1 : whole;
}

/** Bytes of a path that a URI may hold as they are. */
static char *uri(const char *path)
{
    struct text t = {0};
    if (*path == '/')
        text_puts(&t, "file://");
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/._-~", *path))
            text_add(&t, path, 1);
        else
            text_printf(&t, "%%%02X", (unsigned char)*path);
    return t.data ? t.data : text_dup("");
}

static json_t *location(const struct record *r, const char *file, int line)
{
    char *where = uri(place(r, file));
    json_t *physical = json_object(), *artifact = json_object(), *region = json_object();
    json_object_set_new(artifact, "uri", json_string(where));
    json_object_set_new(region, "startLine", json_integer(line > 0 ? line : 1));
    json_object_set_new(physical, "artifactLocation", artifact);
    json_object_set_new(physical, "region", region);
    json_t *all = json_object();
    json_object_set_new(all, "physicalLocation", physical);
    free(where);
    return all;
}

static json_t *message(const char *s)
{
    json_t *j = json_object();
    json_object_set_new(j, "text", test_rows_string(s));
    return j;
}

static json_t *result(const struct record *r, const struct note *note)
{
    json_t *j = json_object(), *places = json_array();
    json_object_set_new(j, "ruleId", json_string(note->rule));
    json_object_set_new(j, "level", json_string(note->error ? "error" : "warning"));
    json_object_set_new(j, "message", message(note->message));
    json_array_append_new(places, location(r, note->file, note->line));
    json_object_set_new(j, "locations", places);
    if (note->other) {
        json_t *related = json_array(), *l = location(r, note->other->file, note->other->line);
        json_object_set_new(l, "id", json_integer(1));
        json_object_set_new(l, "message", message("the other access"));
        json_array_append_new(related, l);
        json_object_set_new(j, "relatedLocations", related);
    }
    return j;
}

void report_sarif(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct notes notes = collect(r);
    json_t *rules = json_array(), *results = json_array(), *driver = json_object();
    json_t *seen = json_object(), *tool = json_object(), *run = json_object(), *top = json_object();
    for (int i = 0; i < notes.count; i++) {
        const char *name = notes.list[i].rule;
        json_array_append_new(results, result(r, &notes.list[i]));
        if (json_object_get(seen, name))
            continue;
        json_t *rule = json_object();
        json_object_set_new(rule, "id", json_string(name));
        json_array_append_new(rules, rule);
        json_object_set_new(seen, name, json_true());
    }
    json_decref(seen);
    json_object_set_new(driver, "name", json_string("Fencepost"));
    json_object_set_new(driver, "version", test_rows_string(r->version));
    json_object_set_new(driver, "rules", rules);
    json_object_set_new(tool, "driver", driver);
    json_object_set_new(run, "tool", tool);
    json_object_set_new(run, "columnKind", json_string("utf16CodeUnits"));
    json_object_set_new(run, "results", results);
    json_object_set_new(top, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    json_object_set_new(top, "version", json_string("2.1.0"));
    json_t *runs = json_array();
    json_array_append_new(runs, run);
    json_object_set_new(top, "runs", runs);
    test_rows_put_json(out, top, JSON_INDENT(1));
    text_puts(out, "\n");
    release(&notes);
}

/** A workflow command's text: its own separators escaped; in a property also ":" and ",". */
static void escape(struct text *out, const char *s, bool property)
{
    for (; *s; s++)
        if (*s == '%' || *s == '\n' || *s == '\r' || (property && (*s == ':' || *s == ',')))
            text_printf(out, "%%%02X", (unsigned char)*s);
        else
            text_add(out, s, 1);
}

void report_github(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct notes notes = collect(r);
    for (int i = 0; i < notes.count; i++) {
        const struct note *n = &notes.list[i];
        text_printf(out, "::%s file=", n->error ? "error" : "warning");
        escape(out, place(r, n->file), true);
        text_printf(out, ",line=%d,title=%s::", n->line > 0 ? n->line : 1, n->rule);
        escape(out, n->message, false);
        text_puts(out, "\n");
    }
    if (r->partial || r->kit_fault)
        text_printf(out, "::notice title=%s::%s\n", r->lab,
                    r->kit_fault ? "Could not judge, which is not your fault" : "Only some cases");
    else
        text_printf(out, "::notice title=%s::Score %d/%d\n", r->lab, r->earned, r->points);
    release(&notes);
}
