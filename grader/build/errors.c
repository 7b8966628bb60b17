/**
 * @file errors.c
 * nvcc's messages, told with the student's own file name and line.
 *
 * nvcc writes "kernel.cu(4): error: …", its preprocessor "kernel.cu:1:10: fatal error: …". The
 * source line shown is the student's text, not nvcc's, which has macros expanded. Where it wants a ";" or the like
 * before the first word of a line, that is missing at the end of what stands before: that line is named, too.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"

/** Line `n` of a text (1-based) without its newline; an empty range if there is none. */
static void find_line(const char *text, long n, const char **start, int *len)
{
    const char *p = text;
    for (long i = 1; i < n && p; i++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    *start = p && n > 0 ? p : "";
    *len = (int)strcspn(*start, "\n");
}

/** Splits "kernel.cu(4): error: text" or "kernel.cu:4:10: fatal error: text". */
static const char *split(const char *line, long *number)
{
    const char *name = "kernel.cu", *p = line + strlen(name);
    char *end;
    *number = 0;
    if (strncmp(line, name, strlen(name)) || (*p != '(' && *p != ':'))
        return NULL;
    *number = strtol(p + 1, &end, 10);
    if (end == p + 1)
        return NULL;
    const char *message = strstr(end, ": ");
    return message ? message + 2 : NULL;
}

/** The line of the last word before line `n`: comments, empty lines and directives hold none. 0 if there is none. */
static long line_of_word_before(const char *text, long n)
{
    long number = 1, last = 0;
    char quote = 0;
    bool first = true; /* so far, nothing but blanks on this line */
    for (const char *p = text; *p && number < n; p++) {
        if (*p == '\n') {
            number++, quote = 0, first = true;
        } else if (!quote && *p == '/' && (p[1] == '/' || (p[1] == '*' && !strstr(p + 2, "*/")))) {
            p += strcspn(p, "\n") - 1;
        } else if (!quote && *p == '/' && p[1] == '*') {
            for (p += 2; strncmp(p, "*/", 2); p++)
                number += *p == '\n';
            p++;
        } else if (first && *p == '#') {
            while (p[1] && (p[1] != '\n' || *p == '\\'))
                number += *++p == '\n';
        } else if (!isspace((unsigned char)*p)) {
            first = false, last = number;
            if (*p == '\\' && quote && p[1] && p[1] != '\n')
                p++;
            else if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
        }
    }
    return last < n ? last : 0;
}

/** Does the "^" under a line of nvcc's stand at its first word? What nvcc makes of __global__ and the like is none. */
static bool points_at_first_word(const char *line)
{
    const char *mark = line + strcspn(line, "\n"), *p = line + strspn(line, " \t");
    mark += *mark == '\n';
    size_t at = strspn(mark, " \t");
    while (!strncmp(p, "__attribute__((", 15) && strcspn(p, "\n") > strcspn(p, ")")) {
        p += strcspn(p, ")");
        p += strspn(p, ") \t");
    }
    return mark[at] == '^' && (size_t)(p - line) == at;
}

/** @param shown_by_nvcc its lines behind the message */
static void add_place_before(struct text *out, const char *message, const char *shown_by_nvcc, long number, const char *source)
{
    const char *line;
    int width;
    long before = strncmp(message, "error: expected a \"", 19) || !points_at_first_word(shown_by_nvcc) ? 0 : line_of_word_before(source, number);
    if (!before)
        return;
    find_line(source, before, &line, &width);
    text_printf(out, "\n       | look at the end of line %ld, the line before:\n%6ld | %.*s", before, before, width < 200 ? width : 200, line);
}

static void add_error(struct text *out, const char *message, int len, long number,
                      const char *source, const char *shown)
{
    const char *line;
    int width;
    find_line(source, number, &line, &width);
    text_printf(out, "%s%s:%ld: %.*s", out->len ? "\n" : "", shown, number, len, message);
    if (width)
        text_printf(out, "\n%6ld | %.*s", number, width < 200 ? width : 200, line);
}

char *compile_errors(const char *output, const char *source, const char *shown, int max)
{
    struct text out = {0};
    int errors = 0;
    for (const char *line = output; *line;) {
        int len = (int)strcspn(line, "\n");
        char *copy = text_format("%.*s", len, line);
        long number;
        const char *message = split(copy, &number);
        bool error = message && (!strncmp(message, "error", 5) || strstr(message, "fatal error"));
        bool other = !message && strstr(copy, "error") && !strstr(copy, "errors detected") &&
                     !strstr(copy, "error detected");
        if ((error || (other && !errors)) && errors++ < max) {
            if (error) {
                add_error(&out, message, (int)strlen(message), number, source, shown);
                add_place_before(&out, message, line + len + (line[len] == '\n'), number, source);
            } else {
                text_printf(&out, "%s%s", out.len ? "\n" : "", copy);
            }
        }
        free(copy);
        line += len + (line[len] == '\n');
    }
    if (errors > max)
        text_printf(&out, "\nand %d more", errors - max);
    if (!out.data)
        return text_dup("");
    text_clean(out.data);
    return out.data;
}
