/**
 * @file errors.c
 * nvcc's messages, told with the student's own file name and line.
 *
 * nvcc writes "kernel.cu(4): error: …", its preprocessor "kernel.cu:1:10: fatal error: …". The
 * source line shown is the student's text, not nvcc's, which has macros expanded.
 */
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
            if (error)
                add_error(&out, message, (int)strlen(message), number, source, shown);
            else
                text_printf(&out, "%s%s", out.len ? "\n" : "", copy);
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
