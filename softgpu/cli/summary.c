/**
 * @file summary.c
 * The findings as a person reads them on a terminal of 80 columns.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "report/kinds.h"

#define COLUMNS 80
#define SOURCE_COLUMN 23

/** Prints `text` from column `indent` on, broken at spaces; the cursor is at column `at`. */
static void wrap_from(const char *text, int at, int indent)
{
    int room = COLUMNS - indent;
    while (*text) {
        int len = (int)strlen(text), cut = len;
        if (len > room) {
            cut = room;
            while (cut > 0 && text[cut] != ' ')
                cut--;
            if (cut == 0)
                cut = room;
        }
        fprintf(stderr, "%*s%.*s\n", indent - at, "", cut, text);
        at = 0;
        text += cut;
        while (*text == ' ')
            text++;
    }
}

static void wrap(const char *text, int indent)
{
    wrap_from(text, 0, indent);
}

/** Line `number` of a source file without its indentation; "" if it cannot be read. */
static void source_line(const char *path, int number, char *out, size_t size)
{
    char line[512];
    out[0] = '\0';
    FILE *f = path && number > 0 ? fopen(path, "r") : NULL;
    if (!f)
        return;
    while (number > 0 && fgets(line, sizeof line, f))
        if (strchr(line, '\n') || feof(f))
            number--;
    fclose(f);
    if (number > 0)
        return;
    const char *start = line + strspn(line, " \t");
    snprintf(out, size, "%.*s", (int)strcspn(start, "\r\n"), start);
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

static void print_triple(const char *word, const json_t *v)
{
    int x = (int)json_integer_value(json_array_get(v, 0));
    int y = (int)json_integer_value(json_array_get(v, 1));
    int z = (int)json_integer_value(json_array_get(v, 2));
    if (y || z)
        fprintf(stderr, "  %s (%d,%d,%d)", word, x, y, z);
    else
        fprintf(stderr, "  %s %d", word, x);
}

static void print_value(const char *word, const json_t *v)
{
    char *text = v ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    if (text)
        fprintf(stderr, "  %s %s", word, text);
    free(text);
}

/** The lines from which inlined code was called: "called from line 52", with its file where that is another. */
static void print_callers(const json_t *a, const char *file)
{
    size_t i;
    json_t *c;
    json_array_foreach(json_object_get(a, "called_from"), i, c) {
        const char *from = json_string_value(json_object_get(c, "file"));
        const char *base = from ? strrchr(from, '/') : NULL;
        fprintf(stderr, i ? ", from line %d" : " called from line %d", (int)json_integer_value(json_object_get(c, "line")));
        if (from && file && strcmp(from, file))
            fprintf(stderr, " of %.40s", base ? base + 1 : from);
    }
}

/** A place's file, without its folders; "" where it has none. */
static const char *file_of(const json_t *place)
{
    const char *file = json_string_value(json_object_get(place, "file"));
    const char *base = file ? strrchr(file, '/') : NULL;
    return base ? base + 1 : file ? file : "";
}

/** " in block_scan.cuh:12": a line of a library's header, with no more than its file's own name. */
static void print_header(const char *before, const json_t *at)
{
    const char *file = file_of(at);
    if (*file)
        fprintf(stderr, "%s %.46s:%d", before, file, (int)json_integer_value(json_object_get(at, "line")));
}

static void print_access(const json_t *a)
{
    /* of a library's own kernel the program's line comes first, and the header's after it */
    const json_t *launched = json_object_get(a, "launched"), *from = launched ? launched : a;
    const char *file = json_string_value(json_object_get(from, "file"));
    const char *op = json_string_value(json_object_get(a, "op"));
    int line = (int)json_integer_value(json_object_get(from, "line"));
    char place[64], source[512];
    if (line)
        snprintf(place, sizeof place, "%.40s:%d", file ? file_of(from) : "?", line);
    else if (launched || !json_object_get(a, "ptx_line")) /* a call of a host program without debug information */
        snprintf(place, sizeof place, "%.60s", file ? file : "host");
    else
        snprintf(place, sizeof place, "PTX line %d",
                 (int)json_integer_value(json_object_get(a, "ptx_line")));
    source_line(file, line, source, sizeof source);
    int at = fprintf(stderr, "    %-18s", place);
    if (source[0]) {
        if (at >= SOURCE_COLUMN) {
            fputc('\n', stderr);
            at = 0;
        }
        wrap_from(source, at, SOURCE_COLUMN);
        fprintf(stderr, "    %-18s", "");
    }
    fprintf(stderr, " %s", op ? op : "access");
    if (json_object_get(a, "block")) {
        print_triple("block", json_object_get(a, "block"));
        print_triple("thread", json_object_get(a, "thread"));
    }
    const char *stream = json_string_value(json_object_get(a, "stream"));
    if (stream)
        fprintf(stderr, "  in %s", stream);
    bool load = op && !strcmp(op, "load");
    print_value(load ? "sees" : "value", json_object_get(a, "value"));
    print_value("not", json_object_get(a, "missed"));
    if (launched || json_object_get(a, "inside"))
        fprintf(stderr, "\n    %-18s", "");
    if (launched)
        print_header(" in the library's", a);
    print_header(launched ? "," : " in", json_object_get(a, "inside"));
    if (json_object_get(a, "called_from"))
        fprintf(stderr, "\n    %-18s", "");
    print_callers(a, file);
    fputc('\n', stderr);
}

/** Memory that has no name: how large it is, and where the program made it; the file, too, where it is not that of the first access. */
static void print_object(const json_t *f)
{
    const char *object = json_string_value(json_object_get(f, "object"));
    const json_t *made = json_object_get(f, "allocated"), *first = json_array_get(json_object_get(f, "accesses"), 0);
    const json_t *launched = json_object_get(first, "launched");
    if (!object || !made || strncmp(object, "alloc", 5))
        return;
    bool here = !strcmp(file_of(made), file_of(launched ? launched : first));
    fprintf(stderr, "    %s: %lld bytes, allocated on line %d%s%.60s\n", object, (long long)json_integer_value(json_object_get(f, "object_bytes")),
            (int)json_integer_value(json_object_get(made, "line")), here ? "" : " of ", here ? "" : file_of(made));
}

/** Does a GPU end the kernel there, and the runtime tell the program by an error code? */
static bool gpu_tells(const char *kind)
{
    static const enum finding_kind told[] = {FIND_OUT_OF_BOUNDS, FIND_MISALIGNED, FIND_USE_AFTER_FREE,
                                             FIND_ASSERT, FIND_TRAP};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        if (!strcmp(kind, finding_kind_name(told[i])))
            return true;
    return false;
}

/** Of findings that the same advice mends, of which there are some: the lines of each. */
static void print_others(const json_t *findings, size_t leader)
{
    const json_t *own = json_object_get(json_array_get(findings, leader), "kind");
    char text[4096], *at = text, *end = text + sizeof text;
    size_t i, others = 0;
    json_t *f;
    json_array_foreach(findings, i, f) {
        const json_t *kind = json_object_get(f, "kind"), *accesses = json_object_get(f, "accesses");
        int lines[2];
        if ((size_t)json_integer_value(json_object_get(f, "mended_by")) != leader + 1)
            continue;
        for (int k = 0; k < 2; k++)
            lines[k] = (int)json_integer_value(json_object_get(json_array_get(accesses, (size_t)k), "line"));
        if (end - at > 100)
            at += snprintf(at, (size_t)(end - at), "%s%d and %d%s%s%s", others ? ", " : "", lines[0], lines[1], json_equal(kind, own) ? "" : " (",
                           json_equal(kind, own) ? "" : json_string_value(kind), json_equal(kind, own) ? "" : ")");
        others++;
    }
    char *line = NULL;
    if (asprintf(&line, "The same change mends %zu more, of lines %s; --all shows %s.", others, text, others > 1 ? "each" : "it") >= 0)
        wrap(line, 2);
    free(line);
}

/** Is it an error that the exit status tells of? */
static bool counts(const json_t *f, bool checked)
{
    const char *kind = json_string_value(json_object_get(f, "kind")), *level = json_string_value(json_object_get(f, "level"));
    return kind && level && !strcmp(level, "error") && (checked || !gpu_tells(kind));
}

static void print_finding(const json_t *f)
{
    const char *kind = json_string_value(json_object_get(f, "kind"));
    const char *level = json_string_value(json_object_get(f, "level"));
    const char *message = json_string_value(json_object_get(f, "message"));
    const char *try = json_string_value(json_object_get(f, "try"));
    long long count = json_integer_value(json_object_get(f, "count"));
    size_t i;
    json_t *a;
    if (!kind || !level || !strcmp(kind, "outcome") || !strcmp(kind, finding_line_name(LINE_END)))
        return;
    fprintf(stderr, "softgpu: %s (%s%s", kind, level, count > 1 ? ", " : "");
    if (count > 1)
        fprintf(stderr, "%lld times", count);
    fputs(")\n", stderr);
    if (message)
        wrap(message, 2);
    json_array_foreach(json_object_get(f, "accesses"), i, a)
        print_access(a);
    print_object(f);
    if (try) {
        char line[600];
        snprintf(line, sizeof line, "Try: %s", try);
        wrap(line, 2);
    }
}

int summary_print(const char *path, bool checked, bool all)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0, i;
    int errors = 0;
    json_t *findings = json_array(), *finding;
    if (!f)
        return -1;
    while (getline(&line, &size, f) > 0) {
        finding = json_loads(line, 0, NULL);
        json_array_append_new(findings, finding ? finding : json_null());
    }
    char *leads = calloc(json_array_size(findings) + 1, 1); /* of findings, counted from 1: does its advice mend others, too? */
    if (!leads)
        abort();
    json_array_foreach(findings, i, finding) {
        size_t leader = (size_t)json_integer_value(json_object_get(finding, "mended_by"));
        if (leader <= json_array_size(findings))
            leads[leader] = 1;
    }
    json_array_foreach(findings, i, finding) {
        errors += counts(finding, checked);
        if (!all && json_object_get(finding, "mended_by"))
            continue;
        print_finding(finding);
        if (!all && leads[i + 1])
            print_others(findings, i);
    }
    free(leads);
    json_decref(findings);
    free(line);
    fclose(f);
    return errors;
}
